/** Channels that stop changing while the car drives on. */
import type { Channel } from "../../domain/pointChannels.ts"
import { leavingOneOut, median } from "../math/robust.ts"
import { wayBetween } from "../math/wayBetween.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { type Control, type Hold, stillnessOf } from "./stillness.ts"

type Watched = Channel | "position"

interface Rule {
  readonly channel: Watched
  /** A shorter hold is ignored, s. */
  readonly floor: number
  /**
   * Values at which the channel rests by itself: a pedal on its stop, a wheel held straight. It may also rest
   * elsewhere.
   */
  readonly rests?: ReadonlyArray<number>
}

/**
 * Floors: speed, revolutions and position of a driving car change with every sample; hands and feet may rest; a gear
 * is held for the longest straight at most.
 */
const RULES: ReadonlyArray<Rule> = [
  { channel: "speed", floor: 1.5 },
  { channel: "rpm", floor: 1.5 },
  { channel: "position", floor: 1 },
  { channel: "steering", floor: 2, rests: [-1, 0, 1] },
  { channel: "throttle", floor: 3, rests: [0, 1] },
  { channel: "brake", floor: 3, rests: [0, 1] },
  { channel: "gear", floor: 20 }
]
/** Below this a car may be standing, m/s. */
const DRIVING_MS = 8
/**
 * A hold is unusual if it is longer than this many times the other laps' median, and longer than the median plus this
 * many spreads: feeds with few digits hold values for long.
 */
const TIMES_USUAL = 2
const SPREADS = 5
/** On a lap that is slower than this, or not timed, a limiter or a steady foot holds channels for long, s. */
const SLOW_LAP = 1.15
const SLOW_FLOOR_S = 15
/** Fewer equal points are a slow feed. */
const MIN_POINTS = 5

/** The steps (to point i from the one before) that the car drove, by its positions (`byWay`) or by its speed. */
const drivenSteps = ({ column, points }: LapEvidence, gap: number, byWay: boolean): Uint8Array => {
  const t = points.timestamps
  const [x, y, speed] = [column("position_x"), column("position_y"), column("speed")]
  const driven = new Uint8Array(t.length)
  // A feed may repeat a position for some samples, so the way is measured over about a second.
  let back = 0
  for (let i = 1; i < t.length; i++) {
    while (back < i - 1 && t[i]! - t[back + 1]! >= 1) back++
    const moving = byWay
      ? wayBetween(x[back]!, y[back]!, x[i]!, y[i]!) > DRIVING_MS * (t[i]! - t[back]!)
      : speed[i]! > DRIVING_MS * 3.6 && speed[i - 1]! > DRIVING_MS * 3.6
    driven[i] = moving && t[i]! - t[i - 1]! <= gap ? 1 : 0
  }
  return driven
}

/** The holds of the columns together while the car drives, the longest first. */
const holdsOf = (
  t: Float64Array,
  columns: ReadonlyArray<Float64Array>,
  driven: Uint8Array
): ReadonlyArray<Hold> => {
  const holds: Array<Hold> = []
  const held = driven.slice()
  for (const column of columns) {
    for (let i = 1; i < t.length; i++) if (column[i] !== column[i - 1]) held[i] = 0
  }
  let from = 0
  for (let i = 1; i <= t.length; i++) {
    if (i < t.length && held[i] === 1) continue
    if (i - from >= MIN_POINTS) holds.push({ from, to: i - 1, seconds: t[i - 1]! - t[from]! })
    from = i
  }
  return holds.sort((a, b) => b.seconds - a.seconds || a.from - b.from)
}

const moves = (laps: ReadonlyArray<LapEvidence>, channel: Channel): boolean => {
  const first = laps.find(({ points }) => points.length > 0)?.column(channel)[0]
  return laps.some(({ column }) => column(channel).some((value) => value !== first))
}

const isControl = (channel: Watched): channel is Control =>
  channel === "steering" || channel === "throttle" || channel === "brake"

/** `frozen_channel` for a channel; `pause` where positions, speed and revolutions stop together. */
export const frozenChannels = (evidence: SessionEvidence): ReadonlyArray<Finding> => {
  const { gap, laps, positions } = evidence
  const times = laps.flatMap(({ lap }) => (lap.valid && lap.lapTime !== null ? [lap.lapTime] : []))
  const usualTime = times.length === 0 ? Infinity : median(times)
  const atPace = ({ lap }: LapEvidence) => lap.lapTime !== null && lap.lapTime <= SLOW_LAP * usualTime
  const found: Array<Finding> = []
  const byWay = laps.map((evidence) => drivenSteps(evidence, gap, positions))
  const bySpeed = laps.map((evidence) => drivenSteps(evidence, gap, false))
  for (const { channel, floor, rests } of RULES) {
    if (channel === "position" ? !positions : !moves(laps, channel)) continue
    const stillness = isControl(channel) ? stillnessOf(evidence, channel) : undefined
    const holds = laps.map(({ column, points }, l) => {
      const columns =
        channel === "position" ? [column("position_x"), column("position_y")] : [column(channel)]
      const driven = channel === "position" ? bySpeed[l]! : byWay[l]!
      const isRest = ({ from, seconds }: Hold): boolean => {
        const value = columns[0]![from]!
        if (rests?.includes(value) === true) return true
        // The check takes all points, so it is done only for a hold that may be long.
        return stillness !== undefined && seconds > floor / 4 && stillness.isRest(l, value)
      }
      return holdsOf(points.timestamps, columns, driven).filter((hold) => !isRest(hold))
    })
    const longest = holds.map(([hold]) => hold?.seconds ?? 0)
    const without = leavingOneOut(longest)
    holds.forEach((row, l) => {
      const others = without(longest[l]!)
      const usual = others.count === 0 ? { centre: 0, sigma: 0 } : others
      const least = Math.max(
        atPace(laps[l]!) ? floor : Math.max(floor, SLOW_FLOOR_S),
        TIMES_USUAL * usual.centre,
        usual.centre + SPREADS * usual.sigma
      )
      const hold = row.find((one) => one.seconds > least && stillness?.isIntact(l, one) !== true)
      if (hold !== undefined) found.push(tell(laps[l]!, channel, hold, usual.centre, others.count))
    })
  }
  return found
}

const tell = (
  { column, distanceAt, lap, points }: LapEvidence,
  channel: Watched,
  { from, seconds, to }: Hold,
  usual: number,
  others: number
): Finding => {
  const t = points.timestamps
  // An absent channel does not contradict it.
  const still = (name: Channel) => column(name)[from] === column(name)[to] || Number.isNaN(column(name)[to])
  const paused = channel === "position" && still("speed") && still("rpm")
  const at = distanceAt(t[from]!)
  const where = at === null ? "" : ` from ${Math.round(at)} m`
  const value = channel === "position" ? null : column(channel)[from]!
  return {
    lapId: lap.id,
    lapNumber: lap.lapNumber,
    type: paused ? "pause" : "frozen_channel",
    timestamp: t[from]!,
    distance: at === null ? null : rounded(at),
    value: rounded(seconds),
    expected: rounded(usual),
    severity: seconds > 5 ? "high" : "medium",
    description: paused
      ? `The drive was paused for ${seconds.toFixed(2)} s on lap ${lap.lapNumber}${where}: the points go on, the car does not`
      : `${channel} did not change for ${seconds.toFixed(2)} s on lap ${lap.lapNumber}${where} while the car drove on` +
        (value === null ? "" : ` (it stayed at ${rounded(value)})`),
    channel,
    z: null,
    lapsInBaseline: others,
    duration: rounded(seconds),
    cost: null,
    costUncertainty: null
  }
}
