/**
 * Sends rows to QuestDB in order: a request goes out when the server has acknowledged the one before. So the stored
 * rows of a session have no hole in any table, even after an interrupted request. A request has rows of one table,
 * which are one commit of the server.
 *
 * Hard case: the server refuses a whole request if some of its rows are bad. The sender halves it until the bad rows are
 * alone, and then counts and logs them.
 */
import { Effect, Fiber, Metric } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { SessionRows } from "../RowStore.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import { RowEncoder } from "./RowEncoder.ts"
import type { RowLayout } from "./RowLayout.ts"
import type { Sender } from "./Sender.ts"

/**
 * Rows of a request, 13 MB. Each request is a commit for the server, which took 1.4 times as many rows/s as in requests of
 * 20,000 (measured).
 */
const ROWS_PER_REQUEST = 50_000
/** Rows of points that are encoded before the event loop turns: some 4 ms. */
const ROWS_AT_ONCE = 10_000
/** The limit for rows with more columns or longer names. */
const MAX_REQUEST_BYTES = 16 << 20
const MAX_BYTES_AT_ONCE = MAX_REQUEST_BYTES / 5

const refusedRows = Metric.counter("telemetry_questdb_rows_refused_total", {
  description:
    "Points and samples that QuestDB did not keep, or not with all their channels; the log has the reason",
  incremental: true
})

export const countRefused = (rows: number) => Effect.sync(() => refusedRows.unsafeUpdate(rows, []))

/** Counts and logs points, or samples of a group, that are not kept for a reason that a retry would not change. */
export const refuse = (rows: number, group: string, reason: string) => {
  const what = group === POINTS ? "point" : `sample of ${group}`
  return Effect.zipRight(
    countRefused(rows),
    Effect.logError(
      `QuestDB cannot keep ${rows} ${rows === 1 ? what : what.replace(/^\w+/, "$&s")}: ${reason}`
    )
  )
}

/** Rows `from` to `to` of a batch, under the session's key. */
export interface RowRange {
  readonly layout: RowLayout
  readonly key: string
  readonly group: string
  readonly batch: SessionRows["batch"]
  readonly from: number
  readonly to: number
}

interface Most {
  readonly rows: number
  readonly bytes: number
}

const rowsOf = (runs: ReadonlyArray<RowRange>) => runs.reduce((sum, { from, to }) => sum + to - from, 0)

/** Splits off the first rows: rows of one table, as many as a request may have and at least one. Returns them and the rest. */
const splitAt = (
  runs: ReadonlyArray<RowRange>,
  most: Most
): readonly [Array<RowRange>, ReadonlyArray<RowRange>] => {
  const before: Array<RowRange> = []
  let { bytes, rows } = most
  for (const [n, run] of runs.entries()) {
    const size = run.layout.rowBytes(run.key)
    const room = Math.max(Math.min(rows, Math.floor(bytes / size)), n === 0 ? 1 : 0)
    if (room === 0 || run.layout.table !== runs[0]!.layout.table) return [before, runs.slice(n)]
    const middle = Math.min(run.to, run.from + room)
    before.push({ ...run, to: middle })
    if (middle < run.to) return [before, [{ ...run, from: middle }, ...runs.slice(n + 1)]]
    rows -= middle - run.from
    bytes -= (middle - run.from) * size
  }
  return [before, []]
}

/** Encodes in pieces, between which other work runs: live subscribers, and the request that is under way. */
const encode = Effect.fn("RowSender.encode")(function* (encoder: RowEncoder, runs: ReadonlyArray<RowRange>) {
  encoder.clear()
  for (let rest = runs; rest.length > 0;) {
    const [now, later] = splitAt(rest, { rows: ROWS_AT_ONCE, bytes: MAX_BYTES_AT_ONCE })
    for (const { batch, from, key, layout, to } of now) encoder.add(layout, key, batch, from, to)
    rest = later
    if (rest.length > 0) yield* breathe
  }
})

/** One sender for all sessions and tables; its calls come one after another. */
export const make = (sender: Sender) => {
  // Two, because the rows of a request are encoded while the server handles the request before.
  const encoders = [new RowEncoder(), new RowEncoder()] as const

  /** Sends the encoder's rows of these runs, except for those that the server cannot keep. */
  const sendGood = (
    encoder: RowEncoder,
    runs: ReadonlyArray<RowRange>
  ): Effect.Effect<void, StoreUnavailable> =>
    Effect.catchTag(
      Effect.suspend(() => sender.send(encoder.bytes)),
      "RowsRefused",
      ({ reason }) => {
        const rows = rowsOf(runs)
        if (rows === 1) return refuse(1, runs[0]!.group, reason)
        return Effect.forEach(
          splitAt(runs, { rows: rows >> 1, bytes: Infinity }),
          (half) => Effect.zipRight(encode(encoder, half), sendGood(encoder, half)),
          { discard: true }
        )
      }
    )

  const send = Effect.fn("RowSender.send")(function* (runs: ReadonlyArray<RowRange>) {
    let rest = runs
    let under: Fiber.Fiber<void, StoreUnavailable> = Fiber.void
    for (let n = 0; rest.length > 0; n++) {
      const [now, later] = splitAt(rest, { rows: ROWS_PER_REQUEST, bytes: MAX_REQUEST_BYTES })
      const encoder = encoders[n & 1]!
      yield* encode(encoder, now)
      yield* Fiber.join(under)
      under = yield* Effect.fork(sendGood(encoder, now))
      // Lets the request begin before the next one is encoded.
      yield* breathe
      rest = later
    }
    yield* Fiber.join(under)
  })

  return { send }
}

export type RowSender = ReturnType<typeof make>
