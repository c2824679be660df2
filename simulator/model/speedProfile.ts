/** The greatest speeds along a path. */
import { alongOf, cornerSpeed, gripAt, resistanceAt, thrustAt } from "./forces.ts"
import type { Intentions } from "./mistakes.ts"
import type { Path } from "./path.ts"
import { LEAD } from "./plan.ts"
import type { Vehicle } from "./vehicles.ts"

/** Nodes to each side of one of two running means: at speed, a pedal needs about a tenth of a second. */
const SOFTEN = 3

export interface SpeedProfile {
  /** m/s at each node. */
  readonly speed: Float64Array
  /** The squares of speed before smoothing: the next lap begins with them. */
  readonly sharp: Float64Array
}

/**
 * Speeds at the nodes of a path: the limit in each bend, back from it as late as the brakes allow, forward as
 * hard as grip and power allow (the quasi-steady-state lap simulation of Siegler, Deakin and Crolla, SAE
 * 2000-01-3563). `tail` holds the squares of speed at the LEAD nodes before the line and at the line.
 */
export const speedProfile = (
  vehicle: Vehicle,
  mass: number,
  path: Path,
  plan: Intentions,
  tail: Float64Array
): SpeedProfile => {
  const size = path.x.length
  const limit = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    limit[j] = Math.min(cornerSpeed(vehicle, mass, plan.grip[j]!, path.curvature[j]!), plan.cap[j]!) ** 2
  }
  for (let j = size - 2; j >= LEAD; j--) {
    const square = limit[j + 1]!
    const speed = Math.sqrt(square)
    const grip = gripAt(vehicle, mass, plan.grip[j]!, speed)
    const brakes = plan.braking[j]! * alongOf(grip, square * Math.abs(path.curvature[j + 1]!))
    const slowing = brakes + resistanceAt(vehicle, mass, speed, path.slope[j]!)
    limit[j] = Math.min(limit[j]!, square + 2 * slowing * path.step[j]!)
  }
  const sharp = new Float64Array(size)
  sharp.set(tail)
  for (let j = LEAD; j + 1 < size; j++) {
    const square = sharp[j]!
    const speed = Math.sqrt(square)
    const grip = gripAt(vehicle, mass, plan.grip[j]!, speed)
    const tyres = vehicle.traction * alongOf(grip, square * Math.abs(path.curvature[j]!))
    const forward =
      Math.min(tyres, thrustAt(vehicle, mass, speed)) - resistanceAt(vehicle, mass, speed, path.slope[j]!)
    sharp[j + 1] = Math.min(limit[j + 1]!, square + 2 * forward * path.step[j]!)
  }
  return { sharp, speed: softened(softened(sharp)).map(Math.sqrt) }
}

/** A running mean over the squares of speed: acceleration, their slope over the distance, has no jumps. */
const softened = (squares: Float64Array): Float64Array => {
  const result = squares.slice()
  for (let j = SOFTEN; j + SOFTEN < squares.length; j++) {
    let sum = 0
    for (let k = -SOFTEN; k <= SOFTEN; k++) sum += squares[j + k]!
    result[j] = sum / (2 * SOFTEN + 1)
  }
  return result
}
