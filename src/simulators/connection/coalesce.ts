import { PointBatch, sameChannels } from "../../domain/PointBatch.ts"
import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"

type Points = Extract<SimulatorEvent, { readonly _tag: "Points" }>
type Samples = Extract<SimulatorEvent, { readonly _tag: "Samples" }>

const mergedPoints = (run: ReadonlyArray<Points>): Points =>
  SimulatorEvent.Points({
    ...run[0]!,
    batch: PointBatch.concat(run.map(({ batch }) => batch)),
    lap: run[0]!.lap && PointBatch.concat(run.map(({ lap }) => lap!))
  })

const mergedSamples = (run: ReadonlyArray<Samples>): Samples =>
  SimulatorEvent.Samples({ ...run[0]!, batch: PointBatch.concat(run.map((samples) => samples.batch)) })

/** Points that tell the same channels, all with their laps or all without, with nothing lost between them, can be one batch. */
const pointsContinue = (before: Points, after: Points) =>
  after.missing === 0 &&
  before.told === after.told &&
  before.toldBySome === after.toldBySome &&
  (before.lap === undefined) === (after.lap === undefined)

/** So can samples of one group that have the same columns. */
const samplesContinue = (before: Samples, after: Samples) =>
  after.missing === 0 &&
  before.group === after.group &&
  sameChannels(before.batch.channels, after.batch.channels)

const joins = (before: SimulatorEvent, after: SimulatorEvent): boolean =>
  before._tag === "Points"
    ? after._tag === "Points" && pointsContinue(before, after)
    : before._tag === "Samples" && after._tag === "Samples" && samplesContinue(before, after)

/**
 * Joins runs of Points events, and of Samples of one group, into one each. What arrives while the service is busy is then
 * handled at the cost of one batch: small batches when idle, large ones under load.
 */
export const coalesce = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<SimulatorEvent> => {
  // A single datagram gives one batch for each group, which leaves nothing to join.
  if (!events.some((event, i) => i > 0 && joins(events[i - 1]!, event))) return events
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
