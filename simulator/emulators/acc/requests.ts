/** Requests of clients to Assetto Corsa Competizione (sheet acc-broadcasting, section 2), read strictly: exact in all bytes. */
import {
  PROTOCOL_VERSION,
  type Registration,
  registration,
  request,
  requestTypes
} from "../../../src/simulators/drivers/acc/layout.ts"

export type Register = { readonly kind: "register" } & Registration

export interface Request {
  readonly kind: "unregister" | "entryList" | "trackData"
  /** Undefined in a closing request, from which the game's own sample code leaves it out. */
  readonly connectionId: number | undefined
}

const parseRegister = (bytes: Buffer): Register | undefined => {
  const request = registration.read(bytes)
  if (request?.version !== PROTOCOL_VERSION || !registration.encode(request).equals(bytes)) return undefined
  const { type: _, version: __, ...rest } = request
  return { kind: "register", ...rest }
}

export const parseRequest = (bytes: Buffer): Register | Request | undefined => {
  if (bytes[0] === requestTypes.register) return parseRegister(bytes)
  const kind = (["unregister", "entryList", "trackData"] as const).find(
    (one) => requestTypes[one] === bytes[0]
  )
  if (kind === undefined) return undefined
  if (bytes.length === 1 && kind === "unregister") return { kind, connectionId: undefined }
  const { connectionId } = request.read(bytes) ?? {}
  return connectionId !== undefined && request.placesIn(bytes)?.end === bytes.length
    ? { kind, connectionId }
    : undefined
}
