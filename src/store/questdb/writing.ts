/**
 * Writes batches as rows. Of a session the key and the last time written are remembered, so that a retry skips what is
 * stored; after a failure both are asked for again.
 */
import { Effect, Option } from "effect"
import { lowerBound } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { SessionPoints } from "../PointStore.ts"
import { isStorable } from "./RowEncoder.ts"
import * as RowSender from "./RowSender.ts"
import type { SessionKeys } from "./sessionKeys.ts"

export const make = (rows: RowSender.RowSender, { boundsOf, keyOf }: SessionKeys) => {
  const tails = new Map<string, number>()
  /** Keys of the sessions that this process writes; a removal elsewhere cannot meet a session being recorded. */
  const writing = new Map<number, string>()

  const tailOf = Effect.fnUntraced(function* (key: string) {
    const known = tails.get(key)
    if (known !== undefined) return known
    const bounds = yield* boundsOf(key)
    const last = Option.match(bounds, { onNone: () => -Infinity, onSome: ({ last }) => last })
    tails.set(key, last)
    return last
  })

  const write = Effect.fn("QuestdbPointStore.write")(function* (batches: ReadonlyArray<SessionPoints>) {
    const runs: Array<RowSender.RowRange> = []
    const last = new Map<string, number>()
    const keys = new Map<number, string>()
    for (const { batch, sessionId } of batches) {
      const key = keys.get(sessionId) ?? (yield* keyFor(sessionId))
      keys.set(sessionId, key)
      const tail = last.get(key) ?? (yield* tailOf(key))
      const times = batch.timestamps
      const from = lowerBound(times, justAfter(tail))
      // Times increase, so that what cannot be kept is at the ends.
      const first = Math.max(from, lowerBound(times, 0))
      let to = times.length
      while (to > first && !isStorable(times[to - 1]!)) to--
      if (first > from || to < times.length) {
        yield* RowSender.refuse(
          first - from + times.length - to,
          "its time is not within the years 1970 to 2261"
        )
      }
      if (to > first) {
        runs.push({ key, batch, from: first, to })
        last.set(key, times[to - 1]!)
      }
    }
    yield* rows.send(runs)
    for (const [key, time] of last) tails.set(key, time)
  })

  const keyFor = Effect.fnUntraced(function* (sessionId: number) {
    const key = writing.get(sessionId) ?? (yield* keyOf(sessionId))
    writing.set(sessionId, key)
    return key
  })

  const forget = (sessionId: number) => {
    const key = writing.get(sessionId)
    writing.delete(sessionId)
    if (key === undefined) return
    tails.delete(key)
    rows.forget(key)
  }

  /** What was stored of a write that failed midway, and where, is found out from the server. */
  const doubt = () => {
    tails.clear()
    writing.clear()
  }

  return { write, forget, doubt }
}
