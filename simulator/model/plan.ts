/** The driver's plan for a lap: the line, the grip used, and the strength of the brakes. A function of the seed. */
import type { Circuit } from "./Circuit.ts"
import { make, mistakeOf, type Intentions } from "./mistakes.ts"
import { bell } from "./random.ts"
import { bSpline } from "./spline.ts"
import type { Vehicle } from "./vehicles.ts"

/** Nodes before the start line, from the lap before, that smoothing and curvature need. */
export const LEAD = 16
/** Nodes beyond the line: longer than any braking distance, so no lap begins too fast for its first corner. */
const AHEAD = 900

/** Share of the grip that a good driver uses: the rest is margin. */
const COMMITMENT = 0.955
/** Its variation from lap to lap and along a lap: lap times scatter by about half a percent. */
const FORM = 0.007
const CORNER_FORM = 0.011
/** Share of that grip used in straight-line braking. */
const BRAKING = 0.9
const BRAKING_FORM = 0.02
/** Deviation of the car from its line, m, and the distance over which it changes, m. */
const STRAY_M = 0.22
const STRAY_KNOT_M = 70
const FORM_KNOT_M = 160
/** Worn tyres lose this share of the grip in the end, most of it within this many laps. */
const WEAR = 0.025
const WEAR_LAPS = 25

/** Noise along the whole drive: continuous over the line, the same for every lap that reads it. Each knot is drawn once for a plan. */
const along = (seed: number, kind: number, knotsPerLap: number): ((place: number) => number) => {
  const drawn = new Map<number, number>()
  const at = (knot: number): number => {
    const known = drawn.get(knot)
    if (known !== undefined) return known
    const value = bell(seed, kind, knot)
    drawn.set(knot, value)
    return value
  }
  return (place) => bSpline(at, place * knotsPerLap)
}

const knots = (circuit: Circuit, spacing: number) => Math.round(circuit.length / spacing)

/** Wear of a tyre after so many laps, 0..1. */
export const shareWorn = (laps: number): number => 1 - Math.exp(-laps / WEAR_LAPS)

/** Share of grip that is left after `laps` (fractional). */
const worn = (laps: number): number => 1 - WEAR * shareWorn(laps)

/** Fuel after `metres`, kg. An endless drive stays on its last tenth and never runs dry. */
export const fuelLeft = (vehicle: Vehicle, metres: number): number =>
  Math.max(vehicle.fuel / 10, vehicle.fuel - (vehicle.burn * metres) / 1000)

/** From LEAD nodes before the lap's line to AHEAD nodes past its end. */
export const planLap = (circuit: Circuit, seed: number, lap: number): Intentions => {
  const size = LEAD + circuit.nodes + AHEAD
  const column = () => new Float64Array(size)
  const plan = {
    offset: column(),
    grip: column(),
    braking: column(),
    cap: column().fill(Number.POSITIVE_INFINITY),
    extraBrake: column(),
    extraSteering: column()
  }
  const formKnots = knots(circuit, FORM_KNOT_M)
  const stray = along(seed, 2, knots(circuit, STRAY_KNOT_M))
  const cornerForm = along(seed, 3, formKnots)
  const brakingForm = along(seed, 4, formKnots)
  const form = [lap - 1, lap, lap + 1, lap + 2].map((at) => bell(seed, 1, at))
  for (let j = 0; j < size; j++) {
    const node = j - LEAD
    const place = lap + node / circuit.nodes
    const round = Math.floor(place)
    const here = node - (round - lap) * circuit.nodes
    plan.offset[j] = circuit.racingLine[here]! + STRAY_M * stray(place)
    plan.grip[j] =
      worn(Math.max(0, place - 1)) *
      (COMMITMENT + FORM * form[round - lap + 1]! + CORNER_FORM * cornerForm(place))
    plan.braking[j] = BRAKING + BRAKING_FORM * brakingForm(place)
  }
  for (const other of [lap, lap + 1]) {
    const mistake = mistakeOf(circuit, seed, other)
    if (mistake !== undefined) make(mistake, plan, LEAD + (other - lap) * circuit.nodes)
  }
  return plan
}
