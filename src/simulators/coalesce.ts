import { PointBatch, sameChannels } from "../domain/PointBatch.ts"
import { SimulatorEvent } from "../domain/SimulatorEvent.ts"

type Points = Extract<SimulatorEvent, { readonly _tag: "Points" }>
type Samples = Extract<SimulatorEvent, { readonly _tag: "Samples" }>

const joined = (columns: ReadonlyArray<Float64Array | undefined>, length: number) => {
  if (columns[0] === undefined) return undefined
  const whole = new Float64Array(length)
  let at = 0
  for (const column of columns) {
    if (column === undefined) continue
    whole.set(column, at)
    at += column.length
  }
  return whole
}

const mergedPoints = (run: ReadonlyArray<Points>): Points => {
  const batch = PointBatch.concat(run.map((points) => points.batch))
  return SimulatorEvent.Points({
    batch,
    told: run[0]!.told,
    lapNumber: joined(
      run.map((points) => points.lapNumber),
      batch.length
    ),
    lapDistance: joined(
      run.map((points) => points.lapDistance),
      batch.length
    ),
    missing: run[0]!.missing
  })
}

const mergedSamples = (run: ReadonlyArray<Samples>): Samples =>
  SimulatorEvent.Samples({ ...run[0]!, batch: PointBatch.concat(run.map((samples) => samples.batch)) })

/** Points that tell the same channels and carry the same columns, with nothing lost between them, are as good as one batch. */
const pointsContinue = (before: Points, after: Points) =>
  after.missing === 0 &&
  before.told === after.told &&
  (before.lapNumber === undefined) === (after.lapNumber === undefined) &&
  (before.lapDistance === undefined) === (after.lapDistance === undefined)

/** So are samples of one group that have the same columns. */
const samplesContinue = (before: Samples, after: Samples) =>
  after.missing === 0 &&
  before.group === after.group &&
  sameChannels(before.batch.channels, after.batch.channels)

/**
 * Joins runs of Points events, and of Samples of one group, into one each. What arrives while the service is busy is then
 * handled at the cost of one batch: small batches when idle, large ones under load.
 */
export const coalesce = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<SimulatorEvent> => {
  if (events.length <= 1) return events
  const out: Array<SimulatorEvent> = []
  let points: Array<Points> = []
  let samples: Array<Samples> = []
  const flush = () => {
    if (points.length > 0) out.push(points.length === 1 ? points[0]! : mergedPoints(points))
    if (samples.length > 0) out.push(samples.length === 1 ? samples[0]! : mergedSamples(samples))
    points = []
    samples = []
  }
  for (const event of events) {
    if (event._tag === "Points") {
      if (!(points.length > 0 && pointsContinue(points[0]!, event))) flush()
      points.push(event)
    } else if (event._tag === "Samples") {
      if (!(samples.length > 0 && samplesContinue(samples[0]!, event))) flush()
      samples.push(event)
    } else {
      flush()
      out.push(event)
    }
  }
  flush()
  return out
}
