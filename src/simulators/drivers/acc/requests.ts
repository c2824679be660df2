/** What a client sends to Assetto Corsa Competizione (sheet acc-broadcasting, section 2). */
const PROTOCOL_VERSION = 4
const REGISTER = 1
/** Of the messages that are a connection's id and no more. */
export const requests = { unregister: 9, entryList: 10, trackData: 11 } as const

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value, "utf8")
  const length = Buffer.alloc(2)
  length.writeUInt16LE(bytes.length)
  return Buffer.concat([length, bytes])
}

export interface Registration {
  readonly displayName: string
  readonly connectionPassword: string
  /** ms between two updates. */
  readonly interval: number
  /** "" to read only. */
  readonly commandPassword: string
}

export const encodeRegistration = (registration: Registration): Buffer => {
  const interval = Buffer.alloc(4)
  interval.writeInt32LE(registration.interval)
  return Buffer.concat([
    Buffer.of(REGISTER, PROTOCOL_VERSION),
    text(registration.displayName),
    text(registration.connectionPassword),
    interval,
    text(registration.commandPassword)
  ])
}

export const encodeRequest = (request: keyof typeof requests, connectionId: number): Buffer => {
  const bytes = Buffer.alloc(5)
  bytes[0] = requests[request]
  bytes.writeInt32LE(connectionId, 1)
  return bytes
}
