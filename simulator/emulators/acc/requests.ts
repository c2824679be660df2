/** What clients send to Assetto Corsa Competizione (sheet acc-broadcasting, section 2), read strictly: all bytes, no more. */

export interface Register {
  readonly kind: "register"
  readonly displayName: string
  readonly connectionPassword: string
  /** ms. */
  readonly interval: number
  readonly commandPassword: string
}

export interface Request {
  readonly kind: "unregister" | "entryList" | "trackData"
  /** Undefined in a closing request without one: the game's own sample code leaves it out. */
  readonly connectionId: number | undefined
}

const VERSION = 4
const kinds: Readonly<Record<number, Request["kind"]>> = { 9: "unregister", 10: "entryList", 11: "trackData" }

/** The text at a place, and the place after it; undefined where it does not fit or is no UTF-8. */
const textAt = (bytes: Buffer, at: number): readonly [string, number] | undefined => {
  if (at + 2 > bytes.length) return undefined
  const from = at + 2
  const to = from + bytes.readUInt16LE(at)
  const text = bytes.toString("utf8", from, to)
  return to > bytes.length || Buffer.byteLength(text) !== to - from ? undefined : [text, to]
}

const parseRegister = (bytes: Buffer): Register | undefined => {
  if (bytes[1] !== VERSION) return undefined
  const name = textAt(bytes, 2)
  const password = name && textAt(bytes, name[1])
  if (password === undefined || password[1] + 4 > bytes.length) return undefined
  const command = textAt(bytes, password[1] + 4)
  if (command?.[1] !== bytes.length) return undefined
  return {
    kind: "register",
    displayName: name![0],
    connectionPassword: password[0],
    interval: bytes.readInt32LE(password[1]),
    commandPassword: command[0]
  }
}

export const parseRequest = (bytes: Buffer): Register | Request | undefined => {
  if (bytes[0] === 1) return parseRegister(bytes)
  const kind = kinds[bytes[0] ?? 0]
  if (kind === undefined) return undefined
  if (bytes.length === 1 && kind === "unregister") return { kind, connectionId: undefined }
  return bytes.length === 5 ? { kind, connectionId: bytes.readInt32LE(1) } : undefined
}
