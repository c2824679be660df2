/** Events in which wheels of a lap lock or spin: slip beyond what a tyre grips at, for longer than a kerb takes. */
import { lowerBound } from "../../domain/RowBatch.ts"
import { MAX_STEP_S, type SlippingLap, type SlippingRow, WHEELS, wheels } from "./slippingLaps.ts"

interface Limit {
  /** 1 above, -1 below. */
  readonly side: 1 | -1
  /**
   * A tyre beyond this slip has lost grip; grip is greatest at 0.1 to 0.15 (Pacejka, Tire and Vehicle Dynamics, 3rd
   * ed.).
   */
  readonly slip: number
  /** s: a shorter event is a kerb, or a wheel in the air. */
  readonly lasts: number
}

export const LOCKED: Limit = { side: -1, slip: 0.4, lasts: 0.15 }
export const SPUN: Limit = { side: 1, slip: 0.3, lasts: 0.25 }

/** No driver holds a wheel beyond the limit for longer, s: that is a sensor's fault. */
const MAX_S = 5
/** Wheels of one car that slip within this time of each other are one event, s; a wheel may grip in between. */
const JOINED_S = 0.4
/** The ground is loose where the wheels are beyond the limit for more than this share of the time. */
const LOOSE_SHARE = 0.015
/** Slip is usual where other laps slip by this share of the limit, within this many metres. */
export const USUAL_SHARE = 0.5
export const NEAR_M = 30

/** A stretch where one wheel is beyond a limit. */
interface Stretch {
  readonly row: SlippingRow
  readonly from: number
  readonly to: number
  readonly worst: number
}

/** One event of one or more wheels; times are epoch seconds. */
export interface SlipEvent {
  readonly begin: number
  readonly end: number
  /** The wheel that slips most, and its sample. */
  readonly row: SlippingRow
  readonly worst: number
  /** "the front left wheel", "the rear left and rear right wheels". */
  readonly wheels: string
}

/** The time to the sample before; to the one after, of the first sample. */
const sampleAround = (times: Float64Array, i: number): number => {
  const step = i > 0 ? times[i]! - times[i - 1]! : times[i + 1]! - times[i]!
  return step <= MAX_STEP_S ? step : 0
}

const stretchesOf = (row: SlippingRow, { lasts, side, slip: limit }: Limit): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  const { slip, times } = row
  for (let i = 0; i < slip.length; i++) {
    if (!(side * slip[i]! > limit)) continue
    let worst = i
    let end = i
    while (
      end + 1 < slip.length &&
      side * slip[end + 1]! > limit &&
      times[end + 1]! - times[end]! <= MAX_STEP_S
    ) {
      end++
      if (side * slip[end]! > side * slip[worst]!) worst = end
    }
    // Each sample stands for the time around it.
    const lasted = times[end]! - times[i]! + sampleAround(times, i)
    if (lasted >= lasts && lasted <= MAX_S) found.push({ row, from: times[i]!, to: times[end]!, worst })
    i = end
  }
  return found
}

const list = (words: ReadonlyArray<string>) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

const eventOf = (stretches: ReadonlyArray<Stretch>, side: 1 | -1): SlipEvent => {
  const { row, worst } = stretches.reduce((most, one) =>
    side * one.row.slip[one.worst]! > side * most.row.slip[most.worst]! ? one : most
  )
  const names = wheels
    .filter((wheel) => stretches.some((one) => one.row.wheel === wheel))
    .map((w) => WHEELS[w])
  return {
    begin: Math.min(...stretches.map(({ from }) => from)),
    end: Math.max(...stretches.map(({ to }) => to)),
    row,
    worst,
    wheels: `the ${list(names)} wheel${names.length > 1 ? "s" : ""}`
  }
}

/** A lap's events, in order: stretches of all wheels that are close to each other are one. */
export const slipEvents = ({ rows }: SlippingLap, limit: Limit): ReadonlyArray<SlipEvent> => {
  const found: Array<Array<Stretch>> = []
  let until = -Infinity
  for (const one of rows.flatMap((row) => stretchesOf(row, limit)).sort((a, b) => a.from - b.from)) {
    if (one.from - until > JOINED_S) found.push([])
    found.at(-1)!.push(one)
    until = Math.max(until, one.to)
  }
  return found.map((stretches) => eventOf(stretches, limit.side))
}

/** Whether the laps are on loose ground, where drivers use slip. */
export const isLoose = (laps: ReadonlyArray<SlippingLap>, { side, slip: limit }: Limit): boolean => {
  let beyond = 0
  let all = 0
  for (const { rows } of laps) {
    for (const { slip } of rows) {
      all += slip.length
      for (const one of slip) if (side * one > limit) beyond++
    }
  }
  return beyond > LOOSE_SHARE * all
}

/** The greatest slip of any wheel of a lap between two times (epoch s), to one side; NaN where it is absent. */
export const mostSlip = ({ rows }: SlippingLap, begin: number, end: number, side: 1 | -1): number => {
  let most = Number.NaN
  for (const { slip, times } of rows) {
    for (let i = lowerBound(times, begin); i < times.length && times[i]! <= end; i++) {
      if (!(side * slip[i]! <= most)) most = side * slip[i]!
    }
  }
  return most
}
