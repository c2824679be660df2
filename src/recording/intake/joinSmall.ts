import { RowBatch } from "../../domain/RowBatch.ts"
import type { SessionRows } from "../../store/RowStore.ts"

/** Batches of fewer rows are joined. Copying so few rows costs far less than the store's work for each batch. */
const MAX_SMALL_ROWS = 32

/** Consecutive batches of one session and group. */
interface Run {
  readonly rows: SessionRows
  readonly batches: Array<SessionRows["batch"]>
}

const continues = ({ rows }: Run, { batch }: SessionRows) =>
  batch.length < MAX_SMALL_ROWS &&
  rows.batch.length < MAX_SMALL_ROWS &&
  batch.channels === rows.batch.channels

/**
 * Joins batches of few rows. A car at 60 Hz brings one row per datagram and group, each in a batch of its own: some
 * hundred batches in a commit. The store would send each of them separately to its thread, or to a server. The rows of
 * a group keep their order; rows of different groups need none.
 */
export const joinSmall = (all: ReadonlyArray<SessionRows>): ReadonlyArray<SessionRows> => {
  const runs: Array<Run> = []
  const open = new Map<number, Map<string, Run>>()
  for (const rows of all) {
    let groups = open.get(rows.sessionId)
    if (groups === undefined) open.set(rows.sessionId, (groups = new Map()))
    const run = groups.get(rows.group)
    if (run !== undefined && continues(run, rows)) {
      run.batches.push(rows.batch)
      continue
    }
    const begun: Run = { rows, batches: [rows.batch] }
    groups.set(rows.group, begun)
    runs.push(begun)
  }
  return runs.map(({ batches, rows }) =>
    batches.length === 1 ? rows : { ...rows, batch: RowBatch.concat(batches) }
  )
}
