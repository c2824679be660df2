import { RowBatch, sameChannels } from "../../domain/RowBatch.ts"
import { type Rows, SimulatorEvent } from "../../domain/SimulatorEvent.ts"

const merged = (run: ReadonlyArray<Rows>): Rows => {
  const first = run[0]!
  if (run.length === 1) return first
  const batch = RowBatch.concat(run.map((rows) => rows.batch))
  const lap = first.lap && RowBatch.concat(run.map((rows) => rows.lap!))
  return SimulatorEvent.Rows({ ...first, batch, lap })
}

/**
 * Whether two events can be one batch: rows of one group with the same columns and declarations, and no loss between
 * them.
 */
const joins = (before: SimulatorEvent | undefined, after: SimulatorEvent): boolean =>
  before?._tag === "Rows" &&
  after._tag === "Rows" &&
  after.missing === 0 &&
  before.group === after.group &&
  before.declared === after.declared &&
  before.declaredBySome === after.declaredBySome &&
  (before.lap === undefined) === (after.lap === undefined) &&
  before.lapGroup === after.lapGroup &&
  sameChannels(before.batch.channels, after.batch.channels)

/**
 * Joins runs of rows of one group into one event each. Rows that arrive while the service is busy then cost as much as
 * one batch: batches are small when idle, and large under load.
 */
export const coalesce = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<SimulatorEvent> => {
  // A single datagram gives one batch for each group, which leaves nothing to join.
  if (!events.some((event, i) => joins(events[i - 1], event))) return events
  const out: Array<SimulatorEvent> = []
  let run: Array<Rows> = []
  const flush = () => {
    if (run.length > 0) out.push(merged(run))
    run = []
  }
  for (const event of events) {
    if (event._tag !== "Rows") {
      flush()
      out.push(event)
      continue
    }
    if (!joins(run[0], event)) flush()
    run.push(event)
  }
  flush()
  return out
}
