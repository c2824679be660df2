/** Movement and lean of a car on a lap, and the loads and slip of its wheels: at each node. */
import { GRAVITY, gripAt, thrustAt } from "./forces.ts"
import type { LapTrace } from "./lap.ts"
import { LEAD } from "./plan.ts"
import type { Vehicle } from "./vehicles.ts"

/** In the order of channels' names: front left, front right, rear left, rear right. */
export const wheels = ["fl", "fr", "rl", "rr"] as const

/** A value of each wheel, in that order. */
export type OfWheels<Value> = readonly [Value, Value, Value, Value]

export const ofWheels = <Value>(make: (wheel: number) => Value): OfWheels<Value> => [
  make(0),
  make(1),
  make(2),
  make(3)
]

export const isFront = (wheel: number) => wheel < 2
/** 1 on the right, -1 on the left. */
export const sideOf = (wheel: number) => (wheel % 2 === 1 ? 1 : -1)

/** Height of the centre of mass above the road, and track width, m. */
const HEIGHT_M = 0.42
export const TRACK_M = 1.62
/** Slip angle of the rear tyres at their limit, rad: 3.4 degrees. */
const REAR_SLIP = 0.06
/** Lean of the body, rad per m/s^2: 1.5 degrees per g sideways, half a degree along. */
const ROLL = 0.0027
const PITCH = 0.0009
/** Slip of the tyres with full thrust, and at the pedal's stop. */
const DRIVE_SLIP = 0.05
const BRAKE_SLIP = 0.07
/** Above this pedal, the front wheels lock. */
const LOCKING = 0.95
const LOCKED_SLIP = 0.6

/** Columns over nodes, in the indexes of a LapTrace, from LEAD to LEAD + nodes. */
export interface Chassis {
  /** Accelerations along the car's axes without gravity, m/s^2: forward, right, up. */
  readonly forward: Float64Array
  readonly right: Float64Array
  readonly up: Float64Array
  /** rad, not wrapped: clockwise from +y; nose up; right side down. And their rates, rad/s. */
  readonly yaw: Float64Array
  readonly pitch: Float64Array
  readonly roll: Float64Array
  readonly yawRate: Float64Array
  readonly pitchRate: Float64Array
  readonly rollRate: Float64Array
  /** Direction of movement relative to the car's axis, to the right and up, rad. */
  readonly sideslip: Float64Array
  readonly squat: Float64Array
  /** Load of each wheel, N. */
  readonly load: OfWheels<Float64Array>
  /** Slip angles, rad, positive if the wheel moves to the right of its direction; of the front wheels, and of the rear ones. */
  readonly frontSlip: Float64Array
  readonly rearSlip: Float64Array
  /** -1 locked, above 0 driving. */
  readonly slipRatio: OfWheels<Float64Array>
}

/** The angle equal to `angle`, up to full turns, that is nearest to `last`, rad. */
const unwrapped = (angle: number, last: number) =>
  angle + 2 * Math.PI * Math.round((last - angle) / (2 * Math.PI))

/** The rate of a column from node to node, per second. */
const rateOf = (column: Float64Array, { path, speed }: LapTrace, from: number, to: number): Float64Array => {
  const rate = new Float64Array(column.length)
  for (let j = from; j <= to; j++) {
    const time =
      (2 * path.step[j - 1]!) / (speed[j - 1]! + speed[j]!) +
      (2 * path.step[j]!) / (speed[j]! + speed[j + 1]!)
    rate[j] = (column[j + 1]! - column[j - 1]!) / time
  }
  return rate
}

export const chassisOn = (vehicle: Vehicle, trace: LapTrace): Chassis => {
  const { controls, mass, nodes, path, speed } = trace
  const size = path.x.length
  const column = () => new Float64Array(size)
  const [forward, right, up] = [column(), column(), column()]
  const [yaw, pitch, roll] = [column(), column(), column()]
  const [sideslip, squat, frontSlip, rearSlip] = [column(), column(), column(), column()]
  const load = ofWheels(column)
  const slipRatio = ofWheels(column)
  const [first, last] = [LEAD, LEAD + nodes]
  let heading = 0
  for (let j = first - 1; j <= last + 1; j++) {
    const v = speed[j]!
    const way = path.step[j - 1]! + path.step[j]!
    const bend = path.curvature[j]!
    forward[j] = (speed[j + 1]! ** 2 - speed[j - 1]! ** 2) / (2 * way)
    right[j] = -v * v * bend
    up[j] = (v * v * (path.slope[j]! - path.slope[j - 1]!)) / (way / 2)
    heading = unwrapped(Math.atan2(path.x[j + 1]! - path.x[j - 1]!, path.y[j + 1]! - path.y[j - 1]!), heading)
    rearSlip[j] = (-REAR_SLIP * right[j]!) / gripAt(vehicle, mass, 1, v)
    frontSlip[j] = rearSlip[j]! - vehicle.understeer * right[j]!
    // The rear wheels move along the car except for their slip; the centre is ahead of them, and moves into the bend.
    sideslip[j] = rearSlip[j]! - vehicle.wheelbase * vehicle.frontShare * bend
    yaw[j] = heading - sideslip[j]!
    squat[j] = -PITCH * forward[j]!
    pitch[j] = Math.atan(path.slope[j]!) - squat[j]!
    roll[j] = -ROLL * right[j]!
  }
  for (let j = first; j <= last; j++) {
    const v = speed[j]!
    const down = mass * (GRAVITY + up[j]!) + vehicle.downforce * v * v
    const along = (mass * forward[j]! * HEIGHT_M) / vehicle.wheelbase
    const across = (mass * right[j]! * HEIGHT_M) / TRACK_M
    const drive = (controls.throttle[j]! * thrustAt(vehicle, mass, v)) / gripAt(vehicle, mass, 1, v)
    const locked = Math.max(0, controls.brake[j]! - LOCKING) / (1 - LOCKING)
    for (const wheel of [0, 1, 2, 3] as const) {
      const front = isFront(wheel)
      const share = front ? vehicle.frontShare : 1 - vehicle.frontShare
      const shifted = (front ? -along : along) / 2 - sideOf(wheel) * share * across
      load[wheel][j] = Math.max(0, (share * down) / 2 + shifted)
      const isDriven = front === (vehicle.driven === "front")
      slipRatio[wheel][j] =
        (isDriven ? DRIVE_SLIP * Math.min(1, drive) : 0) -
        BRAKE_SLIP * controls.brake[j]! -
        (front ? LOCKED_SLIP * locked : 0)
    }
  }
  const rate = (column: Float64Array) => rateOf(column, trace, first, last)
  return {
    forward,
    right,
    up,
    yaw,
    pitch,
    roll,
    yawRate: rate(yaw),
    pitchRate: rate(pitch),
    rollRate: rate(roll),
    sideslip,
    squat,
    load,
    frontSlip,
    rearSlip,
    slipRatio
  }
}
