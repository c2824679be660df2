/**
 * Laps made from a driven one by changing its speed in one place: their losses, and the causes, are known exactly.
 */
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { LEAD } from "../../simulator/model/plan.ts"

export interface Profile {
  /** At nodes 0 to `nodes` of the circuit: m, m, m to the next, and m/s. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly step: Float64Array
  readonly speed: Float64Array
}

export const profileOf = (drive: SimulatedDrive, lap: number): Profile => {
  const { path, speed } = drive.trace(lap)
  const cut = (column: Float64Array) => column.slice(LEAD, LEAD + drive.options.circuit.nodes + 1)
  return { x: cut(path.x), y: cut(path.y), step: cut(path.step), speed: cut(speed) }
}

/** Seconds at the nodes: the acceleration is constant from node to node. */
export const timesOf = ({ speed, step }: Profile): Float64Array => {
  const time = new Float64Array(speed.length)
  for (let j = 0; j + 1 < time.length; j++)
    time[j + 1] = time[j]! + (2 * step[j]!) / (speed[j]! + speed[j + 1]!)
  return time
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

/** The lap of a profile at `rate` Hz; pedals are those that its acceleration needs. */
export const lapOf = (profile: Profile, id: number, rate = 60, start = 5000): LapData => {
  const { speed, step, x, y } = profile
  const time = timesOf(profile)
  const duration = time.at(-1)!
  const points = RowBatch.allocate(Math.floor(duration * rate), channels)
  for (let i = 0, j = 0; i < points.length; i++) {
    const when = (i + 0.5) / rate
    while (j < time.length - 2 && time[j + 1]! <= when) j++
    const a = (speed[j + 1]! - speed[j]!) / (time[j + 1]! - time[j]!)
    const v = speed[j]! + a * (when - time[j]!)
    const f = (((speed[j]! + v) / 2) * (when - time[j]!)) / step[j]!
    points.column("timestamp")[i] = start + when
    points.column("speed")[i] = v * 3.6
    points.column("rpm")[i] = 6000
    points.column("gear")[i] = 4
    points.column("brake")[i] = clamp((-a - 1) / 12)
    points.column("throttle")[i] = clamp((a + 1) / 5)
    points.column("position_x")[i] = x[j]! + f * (x[j + 1]! - x[j]!)
    points.column("position_y")[i] = y[j]! + f * (y[j + 1]! - y[j]!)
  }
  return {
    lap: {
      id,
      sessionId: 1,
      lapNumber: id,
      lapTime: duration,
      sector1Time: null,
      sector2Time: null,
      sector3Time: null,
      valid: true,
      startTime: start,
      endTime: start + duration
    },
    points
  }
}

export interface Braking {
  /** Nodes: where the braking begins, and the slowest one. */
  readonly begin: number
  readonly slowest: number
}

/** The places where the car slows by more than 60 km/h. */
export const brakingsOf = ({ speed }: Profile): ReadonlyArray<Braking> => {
  const found: Array<Braking> = []
  let begin = 0
  for (let j = 1; j + 1 < speed.length; j++) {
    if (speed[j]! >= speed[j - 1]! && speed[j]! > speed[j + 1]!) begin = j
    if (speed[j]! < speed[j - 1]! && speed[j]! <= speed[j + 1]! && speed[begin]! - speed[j]! > 60 / 3.6) {
      found.push({ begin, slowest: j })
    }
  }
  return found
}

/** The brakes `early` nodes (about a metre each) sooner, then on at the corner's slowest speed. */
export const brakedEarly = (profile: Profile, { begin, slowest }: Braking, early: number): Profile => {
  const speed = profile.speed.slice()
  for (let j = begin - early; j <= slowest; j++) {
    speed[j] = Math.min(speed[j]!, profile.speed[Math.min(slowest, j + early)]!)
  }
  return { ...profile, speed }
}

/** The corner `slower` m/s slower at its slowest place, with the same braking and acceleration as before. */
export const carriedLess = (profile: Profile, { begin, slowest }: Braking, slower: number): Profile => {
  const { speed: old, step } = profile
  const speed = old.slice()
  const square = (old[slowest]! - slower) ** 2
  const rise = (a: number, b: number) =>
    Math.abs(old[a]! ** 2 - old[b]! ** 2) /
    step.subarray(Math.min(a, b), Math.max(a, b)).reduce((p, q) => p + q, 0)
  const braking = rise(begin, slowest)
  const leaving = rise(slowest, Math.min(old.length - 1, slowest + 80))
  for (let j = slowest, way = 0; j > 0 && way < 400; j--) {
    speed[j] = Math.min(old[j]!, Math.sqrt(square + braking * way))
    way += step[j - 1]!
  }
  for (let j = slowest, way = 0; j < old.length && way < 150; j++) {
    speed[j] = Math.min(old[j]!, Math.sqrt(square + leaving * way))
    way += step[j]!
  }
  return { ...profile, speed }
}

/**
 * The profile with the acceleration `a`, m/s^2, from one node to another, at whose begin it drops by `drop`, m/s; then with its own
 * acceleration again. It does not brake before it is as fast as the profile.
 */
export const driven = (
  { speed: old, ...rest }: Profile,
  from: number,
  to: number,
  a: number,
  drop = 0
): Profile => {
  const speed = old.slice()
  for (let j = from; j + 1 < speed.length; j++) {
    const own = Math.max(0, old[j + 1]! ** 2 - old[j]! ** 2)
    const square = speed[j]! ** 2 + (j < to ? 2 * a * rest.step[j]! : own)
    const next = Math.sqrt(Math.max(25, square)) - (j === from ? drop : 0)
    speed[j + 1] = Math.min(old[j + 1]!, next)
  }
  return { ...rest, speed }
}
