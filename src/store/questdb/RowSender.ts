/**
 * Rows of points on their way to QuestDB, in order: a request goes out when the one before has been acknowledged, so that
 * of a session what is stored is always a beginning, and no hole is left by what was cut off.
 *
 * Hard case: a request of which some rows are bad is refused whole. It is halved until the bad rows are alone, which
 * are counted and logged.
 */
import { Effect, Fiber, Metric } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { PointBatch } from "../../domain/PointBatch.ts"
import { breathe } from "../../threads/breathe.ts"
import { RowEncoder } from "./RowEncoder.ts"
import type { Sender } from "./Sender.ts"

/** Rows of a request, 13 MB: each is a commit for the server, which took 1.4 times as many rows/s as in 20,000 (measured). */
const ROWS_PER_REQUEST = 50_000
/** Rows that are encoded before the event loop turns: some 4 ms. */
const ROWS_AT_ONCE = 10_000

const refusedRows = Metric.counter("telemetry_questdb_rows_refused_total", {
  description: "Points that QuestDB turned down; the log has the reason",
  incremental: true
})

/** Points that are not kept, for a reason that trying again would not change. */
export const refuse = (rows: number, reason: string) =>
  Effect.zipRight(
    Effect.sync(() => refusedRows.unsafeUpdate(rows, [])),
    Effect.logError(`QuestDB cannot keep ${rows} point${rows === 1 ? "" : "s"}: ${reason}`)
  )

/** Rows `from` to `to` of a batch, for the session's key. */
export interface RowRange {
  readonly key: string
  readonly batch: PointBatch
  readonly from: number
  readonly to: number
}

const rowsOf = (runs: ReadonlyArray<RowRange>) => runs.reduce((sum, { from, to }) => sum + to - from, 0)

/** The first `count` rows, and the rest. */
const splitAt = (
  runs: ReadonlyArray<RowRange>,
  count: number
): readonly [Array<RowRange>, Array<RowRange>] => {
  const before: Array<RowRange> = []
  const after: Array<RowRange> = []
  let room = count
  for (const run of runs) {
    const middle = Math.min(run.to, run.from + room)
    if (middle > run.from) before.push({ ...run, to: middle })
    if (middle < run.to) after.push({ ...run, from: middle })
    room -= middle - run.from
  }
  return [before, after]
}

/** In pieces, between which others have their turn: live subscribers, and the request that is under way. */
const encode = Effect.fn("RowSender.encode")(function* (encoder: RowEncoder, runs: ReadonlyArray<RowRange>) {
  encoder.clear()
  for (let rest = runs; rest.length > 0;) {
    const [now, later] = splitAt(rest, ROWS_AT_ONCE)
    for (const { batch, from, key, to } of now) encoder.add(key, batch, from, to)
    rest = later
    if (rest.length > 0) yield* breathe
  }
})

/** One sender for all sessions; its calls come one after another. */
export const make = (table: string, sender: Sender) => {
  // Two, because the rows of a request are encoded while the server has those of the one before.
  const encoders = [new RowEncoder(table), new RowEncoder(table)] as const

  /** What the encoder has of these runs, all but the rows that the server cannot keep. */
  const sendGood = (
    encoder: RowEncoder,
    runs: ReadonlyArray<RowRange>
  ): Effect.Effect<void, StoreUnavailable> =>
    Effect.catchTag(
      Effect.suspend(() => sender.send(encoder.bytes)),
      "RowsRefused",
      ({ reason }) => {
        const rows = rowsOf(runs)
        if (rows === 1) return refuse(1, reason)
        return Effect.forEach(
          splitAt(runs, rows >> 1),
          (half) => Effect.zipRight(encode(encoder, half), sendGood(encoder, half)),
          { discard: true }
        )
      }
    )

  const send = Effect.fn("RowSender.send")(function* (runs: ReadonlyArray<RowRange>) {
    let rest = runs
    let under: Fiber.Fiber<void, StoreUnavailable> = Fiber.void
    for (let n = 0; rest.length > 0; n++) {
      const [now, later] = splitAt(rest, ROWS_PER_REQUEST)
      const encoder = encoders[n & 1]!
      yield* encode(encoder, now)
      yield* Fiber.join(under)
      under = yield* Effect.fork(sendGood(encoder, now))
      // It begins before the next is encoded.
      yield* breathe
      rest = later
    }
    yield* Fiber.join(under)
  })

  return {
    send,
    /** The session gets no more rows for now. */
    forget: (key: string) => {
      for (const encoder of encoders) encoder.forget(key)
    }
  }
}

export type RowSender = ReturnType<typeof make>
