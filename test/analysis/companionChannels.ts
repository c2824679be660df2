/** Laps with channels beyond points, for tests of how the analysis uses them. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { ABSENT, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import type { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { driveGroups, samplesOf } from "../../simulator/model/channelGroups.ts"
import { DrivenCar } from "../../simulator/model/DrivenCar.ts"
import { drivenLap } from "./lapData.ts"

/** Samples of some channels; `values` by channel. */
export const samples = (
  times: Float64Array,
  values: Readonly<Record<string, ArrayLike<number>>>
): RowBatch => {
  const batch: RowBatch = RowBatch.allocate(times.length, ["timestamp", ...Object.keys(values)])
  batch.timestamps.set(times)
  for (const [name, column] of Object.entries(values)) batch.column(name).set(column)
  return batch
}

export const withRows = (data: LapData, ...batches: ReadonlyArray<RowBatch>): LapData => ({
  ...data,
  around: [
    ...(data.around ?? []),
    ...batches.map((batch) => ({ batch, kinds: batch.channels.slice(1).map(() => "continuous" as const) }))
  ]
})

export const withDistance = (
  data: LapData,
  values: ArrayLike<number>,
  times = data.points.timestamps
): LapData => withRows(data, samples(times, { lap_distance: values }))

/** The distance as the bundled simulator sends it, with each point. */
export const reportedLap = (
  from: SimulatedDrive,
  lapNumber: number,
  rate = 60,
  margin = 2,
  epoch = 1000
): LapData => {
  const data = drivenLap(from, lapNumber, rate, margin, epoch)
  const { lap } = data
  const { lapDistance } = from.between(
    Math.max(0, lap.startTime - epoch - margin),
    lap.endTime - epoch + margin,
    rate
  )
  return withDistance(data, lapDistance)
}

/** The distance driven since the line, by the speed, as some simulators send it. */
export const drivenSince = ({ lap: { endTime, startTime }, points }: LapData): Float64Array => {
  const t = points.timestamps
  const speed = points.column("speed")
  const own = new Float64Array(t.length)
  for (let i = 1; i < t.length; i++) {
    own[i] = own[i - 1]! + ((speed[i]! + speed[i - 1]!) / 7.2) * (t[i]! - t[i - 1]!)
  }
  const at = (time: number) => {
    let i = 1
    while (i < t.length - 1 && t[i]! < time) i++
    return own[i - 1]! + ((time - t[i - 1]!) / (t[i]! - t[i - 1]!)) * (own[i]! - own[i - 1]!)
  }
  const [begin, end] = [at(startTime), at(endTime)]
  return own.map((way, i) =>
    t[i]! < startTime ? end - begin + way - begin : t[i]! < endTime ? way - begin : way - end
  )
}

/** The same points without positions. */
export const withoutPositions = (data: LapData): LapData => {
  const points: PointBatch = data.points.pick([...data.points.timestamps.keys()])
  points.column("position_x").fill(ABSENT)
  points.column("position_y").fill(ABSENT)
  return { ...data, points }
}

const WHEELS = driveGroups.find(({ name }) => name === "wheels")!

/** With the bundled simulator's wheels; `epoch`: of the drive's begin. */
export const withWheels = (
  data: LapData,
  from: SimulatedDrive,
  epoch: number,
  kind = "wheel_speed"
): LapData => {
  const { endTime, startTime } = data.lap
  const first = Math.max(0, Math.ceil((startTime - epoch - 2) * WHEELS.rate))
  const count = Math.floor((endTime - epoch + 2) * WHEELS.rate) - first
  const channels = WHEELS.channels.filter(({ name }) => name.startsWith(`${kind}_`))
  const { data: columns } = samplesOf(new DrivenCar(from), { ...WHEELS, channels }, first, count)
  const batch: RowBatch = new RowBatch(count, columns, ["timestamp", ...channels.map(({ name }) => name)])
  const t = batch.timestamps
  for (let i = 0; i < count; i++) t[i] = t[i]! + epoch
  return withRows(data, batch)
}
