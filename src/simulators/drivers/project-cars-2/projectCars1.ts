/** Recognises the older protocol of Project CARS 1, which is not read. */
import type { OtherGame } from "../../../domain/errors.ts"

/** The size of its packets by type, which is in the low two bits of the third byte: telemetry, names, more names. */
const lengths: ReadonlyArray<number> = [1367, 1347, 1028]

/**
 * Whether the bytes are a packet of Project CARS 1. Its eleventh byte, which is the type in our packets, is the state of the
 * race there: in a race it looks like one of ours.
 */
export const isProjectCars1 = (bytes: Buffer): boolean =>
  bytes.length > 2 && lengths[bytes[2]! & 3] === bytes.length

export const projectCars1: OtherGame = {
  game: "Project CARS 1",
  advice:
    "choose Project CARS 2 as the UDP protocol version in the game's options, under System " +
    "(Project CARS 1 and Automobilista 1 do not have this choice and cannot be recorded)"
}
