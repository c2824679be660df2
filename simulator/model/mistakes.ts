/** Occasional mistakes, so that an analysis has something to find: about one lap in six. */
import type { Circuit } from "./Circuit.ts"
import type { Corner } from "./corners.ts"
import { uniform } from "./random.ts"

export type MistakeKind = "lock-up" | "wide" | "spin" | "cut"

export interface Mistake {
  readonly kind: MistakeKind
  readonly corner: Corner
}

/** The driver's plan at each node of a stretch of road; a mistake changes it. */
export interface Intentions {
  /** Metres left of the centre line. */
  readonly offset: Float64Array
  /** Share of the vehicle's grip that the driver uses. */
  readonly grip: Float64Array
  /** Share of that grip used for braking. */
  readonly braking: Float64Array
  /** Limit of the speed, m/s. */
  readonly cap: Float64Array
  /** Added to the brake and the steering that the motion itself needs, -1..1. */
  readonly extraBrake: Float64Array
  readonly extraSteering: Float64Array
}

const RATE = 1 / 6
/** Mistakes keep this distance from the line, so that each lies within one lap, m. */
const CLEAR_BEFORE_M = 120
const CLEAR_AFTER_M = 260
/** Only in corners with enough braking for a mistake, m of radius. */
const TIGHT_M = 110
const KINDS: ReadonlyArray<readonly [MistakeKind, number]> = [
  ["lock-up", 0.36],
  ["wide", 0.3],
  ["cut", 0.2],
  ["spin", 0.14]
]

/** The mistake of a lap, if it has one. Never on the first. */
export const mistakeOf = (circuit: Circuit, seed: number, lap: number): Mistake | undefined => {
  if (lap <= 1 || uniform(seed, lap, 101) >= RATE) return undefined
  const tempting = circuit.corners.filter(
    (corner) =>
      Math.abs(corner.curvature) > 1 / TIGHT_M &&
      corner.entry * circuit.step > CLEAR_BEFORE_M &&
      (circuit.nodes - corner.exit) * circuit.step > CLEAR_AFTER_M
  )
  const corner = tempting[Math.floor(uniform(seed, lap, 102) * tempting.length)]
  if (corner === undefined) return undefined
  let left = uniform(seed, lap, 103)
  const kind = KINDS.find(([, share]) => (left -= share) < 0)?.[0] ?? "lock-up"
  return { kind, corner }
}

/** Adds a smooth hump of `height` to `values` between two nodes; its curvature begins and ends at zero. */
const hump = (values: Float64Array, from: number, to: number, height: number): void => {
  for (let i = Math.max(0, from); i < Math.min(values.length, to); i++) {
    values[i] = values[i]! + height * Math.sin((Math.PI * (i - from)) / (to - from)) ** 3
  }
}

const scale = (values: Float64Array, from: number, to: number, factor: number): void => {
  for (let i = Math.max(0, from); i < Math.min(values.length, to); i++) values[i] = values[i]! * factor
}

/** Changes `plan`, whose index `origin` is the start line of the mistake's lap. Nodes are about a metre. */
export const make = (mistake: Mistake, plan: Intentions, origin: number): void => {
  const { corner, kind } = mistake
  const entry = origin + corner.entry
  const apex = origin + corner.apex
  const exit = origin + corner.exit
  const inside = Math.sign(corner.curvature)
  switch (kind) {
    case "lock-up":
      // The pedal is at its stop and the car slows less than it could, then slides past the apex.
      scale(plan.braking, entry - 70, apex, 0.8)
      hump(plan.extraBrake, entry - 60, apex, 1.25)
      hump(plan.offset, entry - 30, exit + 90, -inside * 1.3)
      scale(plan.grip, entry, exit, 0.9)
      break
    case "wide":
      // Braked too late, so harder, and then off the road at the exit, where there is less grip.
      scale(plan.braking, entry - 200, apex, 1.12)
      hump(plan.offset, apex - 20, exit + 160, -inside * 3.6)
      scale(plan.grip, apex, exit + 70, 0.6)
      break
    case "spin":
      plan.cap.fill(1.5, Math.max(0, exit + 10), exit + 20)
      hump(plan.extraSteering, apex, exit + 25, inside * 1.4)
      break
    case "cut":
      hump(plan.offset, entry - 45, exit + 45, inside * 4.6)
      break
  }
}
