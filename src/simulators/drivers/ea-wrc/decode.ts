/** Bytes of EA SPORTS WRC to packets (codemasters-dirt-rally2-and-ea-wrc.md, part B). Pure. */
import { channels, MIN_BYTES, RESULT_BYTES, ResultStatus, tail, tailBytes } from "./layout.ts"

const lengths: ReadonlySet<number> = new Set([MIN_BYTES, ...tailBytes])

/** No car has so many gears, whatever stands for neutral and reverse. */
const MAX_GEARS = 32
/** F1's headers begin with a year; the version of the packet, which is 1, is the sixth byte. Some are of our length. */
const FIRST_YEAR = 2019
const LAST_YEAR = 2099

const isF1 = (bytes: Buffer): boolean => {
  const year = bytes.readUInt16LE(0)
  return year >= FIRST_YEAR && year <= LAST_YEAR && bytes[5] === 1
}

/** Whether a packet of the right length has plausible values where others would have anything. */
const isPlausible = (bytes: Buffer): boolean =>
  !isF1(bytes) &&
  channels.shiftlights_rpm_valid(bytes) <= 1 &&
  channels.vehicle_gear_index(bytes) < MAX_GEARS &&
  channels.vehicle_gear_index_neutral(bytes) < MAX_GEARS &&
  channels.vehicle_gear_index_reverse(bytes) < MAX_GEARS &&
  channels.vehicle_gear_maximum(bytes) < MAX_GEARS &&
  channels.stage_length(bytes) >= 0 &&
  channels.stage_length(bytes) < 1e6

export const isPacket = (bytes: Buffer): boolean => lengths.has(bytes.length) && isPlausible(bytes)

/** Why these bytes are no packet; undefined where they are one. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (!isPacket(bytes)) return `${bytes.length} bytes that are no packet in our structure`
  const sum =
    channels.game_total_time(bytes) +
    channels.stage_current_time(bytes) +
    channels.stage_current_distance(bytes)
  return Number.isFinite(sum) ? undefined : "a time or distance that is no number"
}

/** The packet's own codes tell neutral and reverse. */
export const gearOf = (bytes: Buffer): number => {
  const gear = channels.vehicle_gear_index(bytes)
  if (gear === channels.vehicle_gear_index_neutral(bytes)) return 0
  return gear === channels.vehicle_gear_index_reverse(bytes) ? -1 : gear
}

/** What became of the run, where the packet has a place for it. */
const statusOf = (bytes: Buffer): number | undefined =>
  bytes.length < RESULT_BYTES ? undefined : tail.stage_result_status(bytes)

export const isFinished = (bytes: Buffer): boolean => statusOf(bytes) === ResultStatus.finished

/** Timed out, damaged for good, retired, disqualified, or whatever a newer version of the game knows. */
export const isOut = (bytes: Buffer): boolean => (statusOf(bytes) ?? 0) > ResultStatus.finished

/** s: the official time of a run, null while there is none, undefined where the packet has no place for it. */
export const resultOf = (bytes: Buffer): number | null | undefined => {
  if (statusOf(bytes) === undefined) return undefined
  const time = tail.stage_result_time(bytes)
  return isFinished(bytes) && time > 0 && time < Infinity ? time : null
}

/** "session_update" as its four characters, which our structure does not have. */
export const isOtherStructure = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === "sesu"
