/** Sentences for the driver, made from where a lap's time went and what was different there. */
import invariant from "tiny-invariant"
import type { Alignment, LapOnGrid } from "./alignment.ts"
import { at, type CornerAnalysis, type CornerPass, type Section } from "./cornerTimes.ts"
import { isAbsent } from "./missing.ts"
import type { Piece } from "./pieces.ts"

export type Cause = "braking" | "minimum speed" | "throttle" | "top speed" | "line" | "pace"

/** One place where a lap lost time. */
export interface Loss {
  readonly lap_id: number
  /** The corner's number; null on a straight, and for a corner that has none. */
  readonly corner: number | null
  /** The corner as it is called ("5-6"); null on a straight. */
  readonly corner_label: string | null
  /** m from the line: the apex of the corner, or the middle of the straight. */
  readonly distance: number
  readonly seconds: number
  readonly cause: Cause
  readonly sentence: string
}

/**
 * Differences smaller than these are no cause: m of a pedal's point at 10 Hz interpolation, km/h of a speed.
 */
const METRES = 3
const KMH = 1

const round = (value: number) => Math.round(value)
const seconds = (value: number) => `${value.toFixed(3)} s`

/** A pass whose speeds are told. */
type KnownPass = { readonly [K in keyof CornerPass]: K extends `${string}_point` ? CornerPass[K] : number }

const isKnown = (pass: CornerPass): pass is KnownPass => pass.minimum_speed !== null

/** Whether it can be told why the lap lost to the fastest: all the way along both tell their speeds. */
export const isExplicable = (lap: LapOnGrid, fastest: LapOnGrid): boolean =>
  !lap.speed.some(Number.isNaN) && !fastest.speed.some(Number.isNaN)

/** What was different in a corner, most likely cause first; see `causeOf`. */
interface Finding {
  readonly cause: Cause
  readonly what: string
}

/**
 * The cause of a loss in a corner, by how much each difference would cost on its own. A braking begun x m
 * early is x m driven at the corner's slowest speed in place of the speed before the brakes: x (1/v_min -
 * 1/v_before). A slower corner costs its length at the difference of the slownesses, and needs braking that
 * much earlier by itself: (v1^2 - v2^2) / 2a is taken from x before. What is lost after the slowest place is
 * the throttle's.
 */
const causeOf = (
  pass: KnownPass,
  best: KnownPass,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  section: Section,
  step: number,
  bend: number
): Finding => {
  const slower = best.minimum_speed - pass.minimum_speed
  const v = Math.max(1, pass.minimum_speed / 3.6)
  const u = Math.max(1, best.minimum_speed / 3.6)
  const least = Math.min(u, v)
  let early = 0
  let byBraking = 0
  if (pass.braking_point !== null && best.braking_point !== null) {
    const before = Math.max(u, at(fastest.speed, step, best.braking_point) / 3.6)
    const way = Math.max(10, best.minimum_speed_at - best.braking_point)
    const slowing = Math.max(1, (before ** 2 - u ** 2) / (2 * way))
    early = best.braking_point - pass.braking_point - Math.max(0, (u ** 2 - v ** 2) / (2 * slowing))
    byBraking = early * (1 / least - 1 / before)
  } else if (pass.braking_point !== null && !isAbsent(fastest.brake)) {
    early = Math.max(0, pass.minimum_speed_at - pass.braking_point)
    byBraking = early * (1 / v - 1 / Math.max(u, v))
  }
  const byMinimum = slower > KMH ? bend * (1 / v - 1 / u) : 0
  const late =
    pass.throttle_point !== null && best.throttle_point !== null
      ? pass.throttle_point - best.throttle_point
      : 0
  const turn = Math.min(Math.max(section.from, best.minimum_speed_at), section.to)
  const delta = (distance: number) => at(lap.time, step, distance) - at(fastest.time, step, distance)
  const afterwards = delta(section.to) - delta(turn)
  const byThrottle = late > METRES ? Math.max(0, afterwards - byMinimum / 2) : 0
  const brakes: Finding = {
    cause: "braking",
    what:
      best.braking_point === null
        ? `brakes where the faster lap does not, for ${round(early)} m`
        : `brakes ${round(best.braking_point - (pass.braking_point ?? best.braking_point))} m earlier`
  }
  const carries: Finding = {
    cause: "minimum speed",
    what: `carries ${round(slower)} km/h less minimum speed (${round(pass.minimum_speed)} against ${round(best.minimum_speed)} km/h)`
  }
  if (early > METRES && byBraking >= byMinimum && byBraking >= byThrottle) return brakes
  if (slower > KMH && byMinimum >= byThrottle) return carries
  if (late > METRES && byThrottle > 0) {
    return { cause: "throttle", what: `is on the throttle ${round(late)} m later` }
  }
  if (slower > KMH) return carries
  const exit = best.exit_speed - pass.exit_speed
  if (exit > KMH) return { cause: "pace", what: `leaves it ${round(exit)} km/h slower` }
  const entry = best.entry_speed - pass.entry_speed
  if (entry > KMH) return { cause: "pace", what: `enters it ${round(entry)} km/h slower` }
  return onTheWhole(section, lap, fastest, step)
}

/**
 * Where no single difference stands out: the mean speeds of the stretch, or, where they are equal, the way.
 */
const onTheWhole = (section: Section, lap: LapOnGrid, fastest: LapOnGrid, step: number): Finding => {
  const mean = ({ speed }: LapOnGrid) => {
    const part = speed.subarray(Math.floor(section.from / step), Math.ceil(section.to / step) + 1)
    return part.reduce((a, b) => a + b, 0) / part.length
  }
  const slower = mean(fastest) - mean(lap)
  return slower >= 0.1
    ? { cause: "pace", what: `is ${slower.toFixed(1)} km/h slower on average` }
    : { cause: "line", what: "drives a longer line" }
}

const ofStraight = (section: Section, lap: LapOnGrid, fastest: LapOnGrid, step: number): Finding => {
  const from = Math.ceil(section.from / step)
  const to = Math.max(from, Math.floor(section.to / step))
  const top = (speed: Float64Array) => speed.subarray(from, to + 1).reduce((a, b) => Math.max(a, b), 0)
  const slower = top(fastest.speed) - top(lap.speed)
  if (slower >= KMH) {
    return {
      cause: "top speed",
      what: `has ${round(slower)} km/h lower top speed (${round(top(lap.speed))} against ${round(top(fastest.speed))} km/h)`
    }
  }
  return onTheWhole(section, lap, fastest, step)
}

/**
 * Every named loss of every lap to the fastest, the largest first. `pieces`: a row for each lap. Losses less gains of a lap's
 * pieces are its delta at the line.
 */
export const lossesOf = (
  alignment: Alignment,
  fastest: LapOnGrid,
  analysis: CornerAnalysis,
  pieces: ReadonlyArray<ReadonlyArray<Piece>>
): ReadonlyArray<Loss> => {
  const { step } = alignment.grid
  const losses: Array<Loss> = []
  alignment.laps.forEach((lap, l) => {
    if (lap === fastest || !isExplicable(lap, fastest)) return
    const name = `Lap ${lap.lap.lap_number}`
    for (const section of pieces[l]!) {
      if (!section.named) continue
      const { corner } = section
      const common = { lap_id: lap.lap.id, seconds: section.lost }
      if (corner === null) {
        const { cause, what } = ofStraight(section, lap, fastest, step)
        // Without positions there are no corners, and the lap is one stretch.
        const place =
          analysis.corners.length === 0
            ? "Over the lap"
            : `On the straight from ${round(section.from)} m to ${round(section.to)} m`
        losses.push({
          ...common,
          corner: null,
          corner_label: null,
          distance: (section.from + section.to) / 2,
          cause,
          sentence: `${place}: ${name} ${what} and loses ${seconds(section.lost)}.`
        })
        continue
      }
      const { passes } = analysis.corners.find(({ entry }) => entry === corner.entry)!
      const pass = passes[l]!
      const best = passes[alignment.laps.indexOf(fastest)]!
      invariant(isKnown(pass) && isKnown(best), "laps that tell their speeds tell them in each corner")
      const bend = (corner.exit - corner.entry + alignment.grid.length) % alignment.grid.length
      const { cause, what } = causeOf(pass, best, lap, fastest, section, step, bend)
      losses.push({
        ...common,
        corner: corner.number,
        corner_label: corner.label,
        distance: corner.apex,
        cause,
        sentence: `Corner ${corner.label} (${round(corner.apex)} m): ${name} ${what} and loses ${seconds(section.lost)}.`
      })
    }
  })
  return losses.sort((a, b) => b.seconds - a.seconds)
}
