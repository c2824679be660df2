/** The session for measurements of reading: the bundled simulator's drive at 60 Hz, in laps of as many points each. */
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"

export interface DrivenSession {
  readonly points: number
  readonly lapPoints: number
  /** Every channel but the time as a float of 32 bits, as most simulators send them; else decimals of 4 to 6 places. */
  readonly floats: boolean
}

/** Hz. */
export const RATE = 60
/** Epoch seconds of the feed's zero. */
export const START = 1_700_000_000

/** The points with timestamps on the feed's clock, which begins at 0. */
export const drive = ({ floats, points }: DrivenSession): PointBatch => {
  const { data } = new SimulatedDrive({
    circuit: circuitNamed("Hollin Moor")!,
    vehicle: vehicles[0]!,
    seed: 1
  }).points(0, points, RATE).batch
  const whole = new RowBatch(points, data, channels)
  if (floats) whole.data.set(Float32Array.from(whole.data.subarray(points)), points)
  return whole
}

export type Point = Readonly<Record<(typeof channels)[number], number>>

/** The points as they are recorded, one object each. */
export const recordedPoints = (session: DrivenSession): ReadonlyArray<Point> => {
  const batch = drive(session)
  const [timestamp, speed, rpm, gear, throttle, brake, steering, x, y, z] = channels.map((channel) =>
    batch.column(channel)
  ) as Array<Float64Array> & { readonly length: 10 }
  return Array.from({ length: batch.length }, (_, i) => ({
    timestamp: START + timestamp![i]!,
    speed: speed![i]!,
    rpm: rpm![i]!,
    gear: gear![i]!,
    throttle: throttle![i]!,
    brake: brake![i]!,
    steering: steering![i]!,
    position_x: x![i]!,
    position_y: y![i]!,
    position_z: z![i]!
  }))
}
