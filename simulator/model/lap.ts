/** One driven lap: its columns over nodes, and its times. */
import type { Circuit } from "./Circuit.ts"
import { gearFor, pedalsAndWheel, shift, type Controls, type GearState } from "./controls.ts"
import { mistakeOf, type MistakeKind } from "./mistakes.ts"
import { drawPath, type Path } from "./path.ts"
import { fuelLeft, LEAD, planLap } from "./plan.ts"
import { speedProfile } from "./speedProfile.ts"
import type { Vehicle } from "./vehicles.ts"

/** A lap's times, exact at the line and at one and two thirds of the distance; s since the drive began. */
export interface DrivenLap {
  readonly lapNumber: number
  readonly start: number
  readonly end: number
  readonly lapTime: number
  readonly sectors: readonly [number, number, number]
  readonly valid: boolean
  readonly mistake: MistakeKind | undefined
}

/** The state at the start of a lap: small, so that all can be kept and any lap can be computed again. */
export interface LapStart {
  readonly lap: number
  readonly time: number
  /** Squares of speed (m^2/s^2) at the LEAD nodes before the line and at the line. */
  readonly tail: Float64Array
  readonly gear: GearState
}

/** A lap with its columns over nodes; node n of the circuit is index LEAD + n. */
export interface LapTrace {
  readonly lap: DrivenLap
  /** Of the circuit: the lap ends at the index LEAD + nodes. */
  readonly nodes: number
  /** Mass of the car with its fuel at the start of the lap, kg. */
  readonly mass: number
  readonly path: Path
  /** m/s; the acceleration is constant from node to node. */
  readonly speed: Float64Array
  /** Seconds since the lap began. */
  readonly time: Float64Array
  readonly controls: Controls
  readonly next: LapStart
}

export interface DriveOptions {
  readonly circuit: Circuit
  readonly vehicle: Vehicle
  readonly seed: number
}

/** The drive begins rolling over the line, m/s: 80 km/h, as behind a safety car. */
const ROLLING_START_MS = 80 / 3.6

export const rollingStart = (vehicle: Vehicle): LapStart => ({
  lap: 1,
  time: 0,
  tail: new Float64Array(LEAD + 1).fill(ROLLING_START_MS ** 2),
  gear: { gear: gearFor(vehicle, ROLLING_START_MS), since: 1 }
})

export const driveLap = ({ circuit, seed, vehicle }: DriveOptions, from: LapStart): LapTrace => {
  const { nodes } = circuit
  const first = LEAD
  const last = LEAD + nodes
  const mass = vehicle.mass + fuelLeft(vehicle, (from.lap - 1) * circuit.length)
  const plan = planLap(circuit, seed, from.lap)
  const path = drawPath(circuit, plan.offset)
  const { sharp, speed } = speedProfile(vehicle, mass, path, plan, from.tail)
  const time = new Float64Array(speed.length)
  for (let j = first; j <= last; j++) {
    time[j + 1] = time[j]! + (2 * path.step[j]!) / (speed[j]! + speed[j + 1]!)
  }
  const gears = shift(vehicle, speed, time, from.gear, first, last)
  const mistake = mistakeOf(circuit, seed, from.lap)
  const lapTime = time[last]!
  const one = time[first + nodes / 3]!
  const two = time[first + (2 * nodes) / 3]!
  return {
    lap: {
      lapNumber: from.lap,
      start: from.time,
      end: from.time + lapTime,
      lapTime,
      sectors: [one, two - one, lapTime - two],
      valid: mistake?.kind !== "cut",
      mistake: mistake?.kind
    },
    nodes,
    mass,
    path,
    speed,
    time,
    controls: {
      ...pedalsAndWheel(vehicle, mass, path, plan, speed, first, last + 1),
      gear: gears.gear
    },
    next: {
      lap: from.lap + 1,
      time: from.time + lapTime,
      tail: sharp.slice(nodes, last + 1),
      gear: gears.state
    }
  }
}
