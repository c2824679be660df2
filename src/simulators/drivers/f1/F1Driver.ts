/** EA / Codemasters F1 23 and later: sends to us, in the format of a year that the player chooses (f1-udp-2023-2026.md). */
import { listening } from "../../datagrams/listening.ts"
import type { PushProtocol } from "../../datagrams/Protocol.ts"
import { problemWith } from "./decode.ts"
import { F1Interpreter } from "./F1Interpreter.ts"
import { formats, headerStruct } from "./layout.ts"

const OLDEST = formats[0]
const NEWEST = formats.at(-1)!
/** Games that can be asked for a format, of which ours is one. */
const FIRST_YEAR = 2019
const LAST_YEAR = 2099
const MAX_PACKETS = 32

const choose = `choose ${OLDEST} to ${NEWEST} as the UDP format in the game's telemetry settings`

/** Every header has the version of its packet, which is 1, before the packet's id: a byte later since there is a game's format. */
const isHeader = (bytes: Buffer, at: number) =>
  bytes[at] === 1 && (bytes[at + 1] ?? MAX_PACKETS) < MAX_PACKETS

/** A format that we cannot read, told from other simulators' bytes by what else its header has. */
const hint = (bytes: Buffer): string | undefined => {
  const format = bytes.length < 2 ? 0 : headerStruct.read.packetFormat(bytes)
  if (format < FIRST_YEAR || format > LAST_YEAR || formats.some((known) => known === format)) return undefined
  if (format < OLDEST && (isHeader(bytes, 4) || isHeader(bytes, 5))) {
    return `F1 format ${format} is too old: ${choose}`
  }
  return format > NEWEST && isHeader(bytes, 5) ? `F1 format ${format} is not known: ${choose}` : undefined
}

export const protocol: PushProtocol = {
  name: "f1",
  recognises: (bytes) => problemWith(bytes) === undefined,
  hint,
  interpreter: () => new F1Interpreter()
}

/** By name only: two other simulators send to the same port, 20777, and are told apart by the driver that claims it. */
export const layer = listening({ name: "f1", ports: [], protocols: [protocol] })
