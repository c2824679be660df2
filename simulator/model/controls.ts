/** The driver's inputs that make the car move as the speed profile requires. */
import { gripAt, resistanceAt, thrustAt } from "./forces.ts"
import type { Intentions } from "./mistakes.ts"
import type { Path } from "./path.ts"
import type { Vehicle } from "./vehicles.ts"

/** Columns over nodes; throttle and brake 0..1, steering -1 (left)..1 (right). */
export interface Controls {
  readonly throttle: Float64Array
  readonly brake: Float64Array
  readonly steering: Float64Array
  readonly gear: Int8Array
}

/** The gear at a node, and the time since the last change, s. */
export interface GearState {
  readonly gear: number
  readonly since: number
}

/** Least time between two changes of gear, s. */
const BETWEEN_SHIFTS_S = 0.14
/** The driver changes down when the lower gear would turn this share of the change-up speed: well apart from 1. */
const SHIFT_DOWN = 0.88

/** Engine speed in `gear` at `speed` (m/s), 1/min; the clutch keeps the engine above idling. */
export const rpmAt = (vehicle: Vehicle, gear: number, speed: number): number =>
  Math.max(
    vehicle.idle,
    ((speed / vehicle.wheelRadius) * vehicle.ratios[Math.max(1, gear) - 1]! * 60) / (2 * Math.PI)
  )

const between = (low: number, high: number, value: number) => Math.min(high, Math.max(low, value))

/** Pedals and wheel at the nodes `from` to `to` (exclusive), which have a neighbour on either side. */
export const pedalsAndWheel = (
  vehicle: Vehicle,
  mass: number,
  path: Path,
  plan: Intentions,
  speed: Float64Array,
  from: number,
  to: number
): Omit<Controls, "gear"> => {
  const throttle = new Float64Array(path.x.length)
  const brake = new Float64Array(path.x.length)
  const steering = new Float64Array(path.x.length)
  for (let j = from; j < to; j++) {
    const v = speed[j]!
    const rise = speed[j + 1]! ** 2 - speed[j - 1]! ** 2
    const wanted =
      rise / (2 * (path.step[j - 1]! + path.step[j]!)) + resistanceAt(vehicle, mass, v, path.slope[j]!)
    throttle[j] = between(0, 1, wanted / thrustAt(vehicle, mass, v))
    const brakes = (-wanted - vehicle.engineBraking) / gripAt(vehicle, mass, 1, v)
    brake[j] = between(0, 1, Math.max(brakes, plan.extraBrake[j]!))
    if (brake[j]! > 0) throttle[j] = 0
    const bend = path.curvature[j]!
    const wheels = Math.atan(vehicle.wheelbase * bend) + vehicle.understeer * v * v * bend
    const turn = (-wheels * vehicle.steeringRatio) / vehicle.steeringLock
    steering[j] = between(-1, 1, turn + plan.extraSteering[j]!)
  }
  return { throttle, brake, steering }
}

/** Gears at the nodes `from` to `to` (inclusive), one step at a time, after `state`. */
export const shift = (
  vehicle: Vehicle,
  speed: Float64Array,
  time: Float64Array,
  state: GearState,
  from: number,
  to: number
): { readonly gear: Int8Array; readonly state: GearState } => {
  const gears = new Int8Array(speed.length)
  let { gear } = state
  let changed = time[from]! - state.since
  for (let j = from; j <= to; j++) {
    const v = speed[j]!
    if (time[j]! - changed >= BETWEEN_SHIFTS_S) {
      const up = gear < vehicle.ratios.length && rpmAt(vehicle, gear, v) >= vehicle.shiftUp
      const down = gear > 1 && rpmAt(vehicle, gear - 1, v) < SHIFT_DOWN * vehicle.shiftUp
      if (up || down) {
        gear += up ? 1 : -1
        changed = time[j]!
      }
    }
    gears[j] = gear
  }
  return { gear: gears, state: { gear, since: time[to]! - changed } }
}

/** The gear for a speed, if there is none before. */
export const gearFor = (vehicle: Vehicle, speed: number): number => {
  const found = vehicle.ratios.findIndex(
    (_, index) => rpmAt(vehicle, index + 1, speed) < 0.9 * vehicle.shiftUp
  )
  return found < 0 ? vehicle.ratios.length : found + 1
}
