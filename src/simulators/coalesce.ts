import { PointBatch } from "../domain/PointBatch.ts"
import { SimulatorEvent } from "../domain/SimulatorEvent.ts"

type Points = Extract<SimulatorEvent, { readonly _tag: "Points" }>

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

const merge = (run: ReadonlyArray<Points>): Points => {
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

/** Points that tell the same channels and carry the same columns, with nothing lost between them, are as good as one batch. */
const continues = (before: Points, after: Points) =>
  after.missing === 0 &&
  before.told === after.told &&
  (before.lapNumber === undefined) === (after.lapNumber === undefined) &&
  (before.lapDistance === undefined) === (after.lapDistance === undefined)

/**
 * Joins runs of Points events into one each. What arrives while the service is busy is then handled at the
 * cost of one batch: small batches when idle, large ones under load.
 */
export const coalesce = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<SimulatorEvent> => {
  if (events.length <= 1) return events
  const out: Array<SimulatorEvent> = []
  let run: Array<Points> = []
  const flush = () => {
    if (run.length > 0) out.push(run.length === 1 ? run[0]! : merge(run))
    run = []
  }
  for (const event of events) {
    if (event._tag !== "Points") {
      flush()
      out.push(event)
      continue
    }
    if (run.length > 0 && !continues(run[0]!, event)) flush()
    run.push(event)
  }
  flush()
  return out
}
