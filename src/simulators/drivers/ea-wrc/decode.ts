/** Decodes the bytes of EA SPORTS WRC (codemasters-dirt-rally2-and-ea-wrc.md, part B). Pure. */
import { MAX_LAP_S } from "../../../domain/lapLimits.ts"
import { timeOfSeconds } from "../../timekeeping/reportedTimes.ts"
import { type EaWrcPacket, identified, least, packets, ResultStatus } from "./layout.ts"

const { read } = least

/** No car has more gears, whatever the codes of neutral and reverse. */
const MAX_GEARS = 32
/** F1's headers begin with a year; the sixth byte is the version of the packet, which is 1. Some have our length. */
const FIRST_YEAR = 2019
const LAST_YEAR = 2099

const isF1 = (bytes: Buffer): boolean => {
  const year = bytes.readUInt16LE(0)
  return year >= FIRST_YEAR && year <= LAST_YEAR && bytes[5] === 1
}

/** Whether a packet of the right length has plausible values in fields that are arbitrary in other packets. */
const isPlausible = (bytes: Buffer): boolean =>
  !isF1(bytes) &&
  read.shiftlights_rpm_valid(bytes) <= 1 &&
  read.vehicle_gear_index(bytes) < MAX_GEARS &&
  read.vehicle_gear_index_neutral(bytes) < MAX_GEARS &&
  read.vehicle_gear_index_reverse(bytes) < MAX_GEARS &&
  read.vehicle_gear_maximum(bytes) < MAX_GEARS &&
  read.stage_length(bytes) >= 0 &&
  read.stage_length(bytes) < 1e6

export const isPacket = (bytes: Buffer): boolean => packets.has(bytes.length) && isPlausible(bytes)

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (!isPacket(bytes)) return `${bytes.length} bytes that are no packet in our structure`
  const sum =
    read.game_total_time(bytes) + read.stage_current_time(bytes) + read.stage_current_distance(bytes)
  return Number.isFinite(sum) ? undefined : "a time or distance that is no number"
}

type Tail = NonNullable<keyof EaWrcPacket["read"]>

/**
 * 0 or -1 for none. Bytes of other fields make numbers that are negative, or far smaller than the duration of a frame.
 */
const isTime = (seconds: number): boolean =>
  seconds === 0 || seconds === -1 || (seconds > 0.001 && seconds < MAX_LAP_S)
const isCode = (code: number): boolean => code < 32
const isFlag = (flag: number): boolean => flag <= 1
const isTyreState = (state: number): boolean => state <= 2

/** Whether the fields behind the ids have possible values. */
const tailChecks: Partial<Readonly<Record<Tail, (value: number) => boolean>>> = {
  stage_shakedown: isFlag,
  game_mode: isCode,
  stage_previous_split_time: isTime,
  stage_progress: (share) => share === 0 || (share > 1e-6 && share <= 1),
  stage_result_time: isTime,
  stage_result_time_penalty: isTime,
  stage_result_status: isCode,
  vehicle_cluster_abs: isFlag,
  vehicle_tyre_state_bl: isTyreState,
  vehicle_tyre_state_br: isTyreState,
  vehicle_tyre_state_fl: isTyreState,
  vehicle_tyre_state_fr: isTyreState
}

/**
 * The length of the part of a packet that is in our structure. Other programs' structures have the ids too, and may be as
 * long as ours, with other fields behind the ids.
 */
export const ownLength = (bytes: Buffer): number => {
  const { read } = packets.get(bytes.length)!
  for (const name in tailChecks) {
    const field = name as Tail
    // A shorter packet lacks some of them.
    const value = read[field]?.(bytes)
    if (value !== undefined && !tailChecks[field]!(value)) return identified.size
  }
  return bytes.length
}

/** The packet states its own codes of neutral and reverse. */
export const gearOf = (bytes: Buffer): number => {
  const gear = read.vehicle_gear_index(bytes)
  if (gear === read.vehicle_gear_index_neutral(bytes)) return 0
  return gear === read.vehicle_gear_index_reverse(bytes) ? -1 : gear
}

/** The result of the run, where the packet has a field for it. */
const statusOf = (bytes: Buffer): number | undefined =>
  packets.get(bytes.length)?.read.stage_result_status?.(bytes)

export const isFinished = (bytes: Buffer): boolean => statusOf(bytes) === ResultStatus.finished

/** Timed out, damaged for good, retired, disqualified, or any code of a newer version of the game. */
export const isOut = (bytes: Buffer): boolean => (statusOf(bytes) ?? 0) > ResultStatus.finished

/** The official time of a run, s; null while there is none, undefined where the packet has no field for it. */
export const resultOf = (bytes: Buffer): number | null | undefined => {
  if (statusOf(bytes) === undefined) return undefined
  return isFinished(bytes) ? timeOfSeconds(packets.get(bytes.length)!.read.stage_result_time(bytes)) : null
}

/** The code of session_update, "SESU", as text or as a little-endian number. */
const CODES: ReadonlySet<string> = new Set(["SESU", "USES"])

/** Whether the packet begins with its four-character code, which our structure does not have. */
export const isOtherStructure = (bytes: Buffer): boolean =>
  CODES.has(bytes.toString("latin1", 0, 4).toUpperCase())
