/** Effects of a lap on the car: heat in tyres, brakes and engine, wear of tyres, and fuel. At each node. */
import { type Chassis, isFront, type OfWheels, ofWheels } from "./chassis.ts"
import { gripAt } from "./forces.ts"
import type { LapTrace } from "./lap.ts"
import { fuelLeft, LEAD } from "./plan.ts"
import type { Vehicle } from "./vehicles.ts"

/** °C: a summer's day. A lap behind the safety car has made the tyres lukewarm. */
export const AIR = 22
const LUKEWARM = 38
/** Heat capacity of the tread and the carcass of one tyre, and of a brake's disc, J/K. */
const TREAD_HEAT = 2200
const CARCASS_HEAT = 16_000
const DISC_HEAT = 5400
/** The tyre's share of the heat of sliding; the road takes the rest. */
const INTO_TYRE = 0.75
/** Heat that a tread gives to the carcass, and to the air, standing and per m/s, W/K; a carcass gives little. */
const INTO_CARCASS = 150
const TREAD_COOLING = 18
const TREAD_COOLING_AT_SPEED = 1.1
const CARCASS_COOLING = 4
const DISC_COOLING = 15
const DISC_COOLING_AT_SPEED = 2.2
/** Share of the load that flexing takes as the carcass rolls. */
const FLEXING = 0.004
/** Share of the front brakes. */
export const BRAKE_BIAS = 0.62
/** °C of water and oil with the engine idling, the rise by full power, and the time that they need to follow, s. */
const WATER = { idle: 78, full: 16, slow: 40 }
const OIL = { idle: 84, full: 34, slow: 90 }
/** Consumption of an engine with the throttle closed, share of full power. */
const IDLING = 0.02

/** The state that a lap hands to the next. */
export interface Condition {
  /** °C of each wheel. */
  readonly tread: OfWheels<number>
  readonly carcass: OfWheels<number>
  readonly disc: OfWheels<number>
  /** Laps of wear that each tyre has had: as many as the car has driven, on average. */
  readonly worn: OfWheels<number>
  /** °C. */
  readonly water: number
  readonly oil: number
}

const all = (value: number) => ofWheels(() => value)

/** The car at its rolling start. */
export const freshCar: Condition = {
  tread: all(LUKEWARM),
  carcass: all(LUKEWARM),
  disc: all(120),
  worn: all(0),
  water: WATER.idle,
  oil: OIL.idle
}

/** Columns over nodes, in the indexes of a LapTrace, from LEAD to LEAD + nodes. */
export interface Wear {
  readonly tread: OfWheels<Float64Array>
  readonly carcass: OfWheels<Float64Array>
  readonly disc: OfWheels<Float64Array>
  /** Laps of wear. */
  readonly worn: OfWheels<Float64Array>
  readonly water: Float64Array
  readonly oil: Float64Array
  /** kg in the tank. */
  readonly fuel: Float64Array
  readonly next: Condition
}

/** Heat of a tyre that slides over the road, W: its friction times the speed of sliding. */
const slidingHeat = (chassis: Chassis, wheel: number, j: number, v: number, friction: number): number => {
  const slipAngle = isFront(wheel) ? chassis.frontSlip[j]! : chassis.rearSlip[j]!
  const sliding = Math.hypot(Math.sin(slipAngle), chassis.slipRatio[wheel]![j]!)
  return chassis.load[wheel]![j]! * friction * sliding * v
}

/** Approaches `target` for `time`, with the time constant `slow`. */
const approach = (value: number, target: number, time: number, slow: number) =>
  target + (value - target) * Math.exp(-time / slow)

/** A lap of `trace`, from the car's state at its start: heat by explicit steps from node to node, a metre or some hundredths of a second each. */
export const wearOn = (
  vehicle: Vehicle,
  length: number,
  trace: LapTrace,
  chassis: Chassis,
  from: Condition
): Wear => {
  const { controls, lap, mass, nodes, speed, time } = trace
  const column = () => new Float64Array(trace.path.x.length)
  const columns = () => ofWheels(column)
  const [tread, carcass, disc, worn] = [columns(), columns(), columns(), columns()]
  const [water, oil, fuel] = [column(), column(), column()]
  const [first, last] = [LEAD, LEAD + nodes]
  for (const wheel of [0, 1, 2, 3] as const) {
    tread[wheel][first] = from.tread[wheel]
    carcass[wheel][first] = from.carcass[wheel]
    disc[wheel][first] = from.disc[wheel]
  }
  water[first] = from.water
  oil[first] = from.oil
  for (let j = first; j < last; j++) {
    const v = speed[j]!
    const step = time[j + 1]! - time[j]!
    const braking = controls.brake[j]! * gripAt(vehicle, mass, 1, v) * mass * v
    const used = Math.hypot(chassis.forward[j]!, chassis.right[j]!) / gripAt(vehicle, mass, 1, v)
    for (const wheel of [0, 1, 2, 3] as const) {
      const sliding = slidingHeat(chassis, wheel, j, v, vehicle.grip * Math.min(1, used))
      const [hot, core] = [tread[wheel][j]!, carcass[wheel][j]!]
      const through = INTO_CARCASS * (hot - core)
      const lost = (TREAD_COOLING + TREAD_COOLING_AT_SPEED * v) * (hot - AIR)
      const flexing = FLEXING * chassis.load[wheel][j]! * v
      tread[wheel][j + 1] = hot + ((INTO_TYRE * sliding - through - lost) * step) / TREAD_HEAT
      carcass[wheel][j + 1] =
        core + ((through + flexing - CARCASS_COOLING * (core - AIR)) * step) / CARCASS_HEAT
      worn[wheel][j + 1] = worn[wheel][j]! + sliding * step
      const share = (isFront(wheel) ? BRAKE_BIAS : 1 - BRAKE_BIAS) / 2
      const cooled = (DISC_COOLING + DISC_COOLING_AT_SPEED * v) * (disc[wheel][j]! - AIR)
      disc[wheel][j + 1] = disc[wheel][j]! + ((share * braking - cooled) * step) / DISC_HEAT
    }
    const power = controls.throttle[j]!
    water[j + 1] = approach(water[j]!, WATER.idle + WATER.full * power, step, WATER.slow)
    oil[j + 1] = approach(oil[j]!, OIL.idle + OIL.full * power, step, OIL.slow)
    fuel[j + 1] = fuel[j]! + (IDLING + power) * step
  }
  // The model's wear and fuel of a lap, which its speeds follow, are distributed by the energy of each moment.
  const slid = worn.reduce((sum, wheel) => sum + wheel[last]!, 0) / 4
  const burnt = fuel[last]!
  const full = fuelLeft(vehicle, (lap.lapNumber - 1) * length)
  const left = fuelLeft(vehicle, lap.lapNumber * length)
  for (let j = first; j <= last; j++) {
    for (const wheel of [0, 1, 2, 3] as const) worn[wheel][j] = from.worn[wheel] + worn[wheel][j]! / slid
    fuel[j] = full - ((full - left) * fuel[j]!) / burnt
  }
  const atEnd = (columns: OfWheels<Float64Array>) => ofWheels((wheel) => columns[wheel]![last]!)
  return {
    tread,
    carcass,
    disc,
    worn,
    water,
    oil,
    fuel,
    next: {
      tread: atEnd(tread),
      carcass: atEnd(carcass),
      disc: atEnd(disc),
      worn: atEnd(worn),
      water: water[last]!,
      oil: oil[last]!
    }
  }
}
