/** EA / Codemasters F1 23 and later: sends to us, in the format of the year that the player chooses (f1-udp-2023-2026.md). */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { problemWith } from "./decode.ts"
import { F1Interpreter } from "./F1Interpreter.ts"
import { formats, headerStruct } from "./layout.ts"

const OLDEST = formats[0]
const NEWEST = formats.at(-1)!
/** The years that a header may state as its format. */
const FIRST_YEAR = 2019
const LAST_YEAR = 2099
const MAX_PACKETS = 32

const choose = `choose ${OLDEST} to ${NEWEST} as the UDP format in the game's telemetry settings`

/** Every header has the packet's version, 1, before the packet's id; both are a byte further since headers have the game's year. */
const isHeader = (bytes: Buffer, at: number) =>
  bytes[at] === 1 && (bytes[at + 1] ?? MAX_PACKETS) < MAX_PACKETS

/** A format that we cannot read. The rest of its header distinguishes it from other simulators' bytes. */
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

/**
 * Chosen by name only: two other simulators send to the same port, 20777; the driver that claims it distinguishes them.
 */
export const layer = listening({ name: "f1", ports: [], protocols: [protocol] })
