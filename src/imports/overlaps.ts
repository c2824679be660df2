/** Finds the sessions that were recorded live of the same drive as an imported one (formats.md, section 5). */
import { Chunk, Effect, Option, Stream } from "effect"
import { POINTS } from "../domain/Dictionary.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import type { Session } from "../domain/Session.ts"
import { RowStore, type TimeBounds } from "../store/RowStore.ts"
import { Sessions } from "../store/Sessions.ts"
import { Correlation } from "./tables/Correlation.ts"

/** So much of the shorter session is also in the other. */
const MIN_COMMON = 0.8
const MIN_CORRELATION = 0.99
/** Points of each session that are compared, about. */
const COMPARED = 5000
/** A point of the other session that is farther away, s, is not of the same time. */
const MAX_APART_S = 0.5
/** The newest sessions of the driver in the vehicle that are looked at. */
const MAX_SESSIONS = 1000

const commonOf = (a: TimeBounds, b: TimeBounds) => ({
  first: Math.max(a.first, b.first),
  last: Math.min(a.last, b.last)
})

const isMostly = (a: TimeBounds, b: TimeBounds): boolean => {
  const { first, last } = commonOf(a, b)
  const shorter = Math.min(a.last - a.first, b.last - b.first)
  return shorter > 0 && (last - first) / shorter > MIN_COMMON
}

/** The speed of a session in a time, thinned evenly. */
const speedOf = Effect.fnUntraced(function* (sessionId: number, { first, last }: TimeBounds) {
  const { count, readEvery } = yield* RowStore
  const range = { sessionId, group: POINTS, from: first, until: last }
  const every = Math.max(1, Math.ceil((yield* count(range)) / COMPARED))
  const batches = yield* Stream.runCollect(readEvery(range, ["timestamp", "speed"], every))
  return RowBatch.concat(Chunk.toReadonlyArray(batches))
})

type Speeds = Effect.Effect.Success<ReturnType<typeof speedOf>>

/** How well the speeds agree, -1 to 1: the first session's rows with the other's, interpolated between the two beside each. */
export const agreement = (
  one: Pick<Speeds, "length" | "column">,
  other: Pick<Speeds, "length" | "column">
): number => {
  const [times, speeds] = [one.column("timestamp"), one.column("speed")]
  const [otherTimes, otherSpeeds] = [other.column("timestamp"), other.column("speed")]
  const correlation = new Correlation()
  let n = 0
  for (let i = 0; i < one.length; i++) {
    const time = times[i]!
    while (n + 1 < other.length && otherTimes[n + 1]! <= time) n++
    const [before, after] = [otherTimes[n]!, otherTimes[n + 1]!]
    // Not at the last row, and not within a gap.
    if (!(before <= time && after - before <= 2 * MAX_APART_S)) continue
    const share = (time - before) / (after - before)
    const speed = otherSpeeds[n]! + share * (otherSpeeds[n + 1]! - otherSpeeds[n]!)
    if (!Number.isNaN(speeds[i]! + speed)) correlation.add(speeds[i]!, speed)
  }
  return correlation.r
}

const isSameDrive = Effect.fnUntraced(function* (imported: number, bounds: TimeBounds, live: Session) {
  // A session's own dates are enough to leave out most.
  const spans = { first: live.datetime - 1, last: live.datetime + live.duration + 1 }
  if (live.source !== "live" || !(commonOf(bounds, spans).last > commonOf(bounds, spans).first)) return false
  const { bounds: boundsOf } = yield* RowStore
  const own = yield* boundsOf({ sessionId: live.id, group: POINTS })
  if (Option.isNone(own) || !isMostly(bounds, own.value)) return false
  const common = commonOf(bounds, own.value)
  const [one, other] = [yield* speedOf(imported, common), yield* speedOf(live.id, common)]
  return agreement(one, other) > MIN_CORRELATION
})

/** The ids of the live sessions of the same driver and vehicle, ignoring case, that have the same speeds at the same times. */
export const overlapsOf = Effect.fn("imports.overlapsOf")(function* (sessionId: number) {
  const { session, sessions } = yield* Sessions
  const { driver, vehicle } = yield* session(sessionId)
  const bounds = yield* (yield* RowStore).bounds({ sessionId, group: POINTS })
  if (Option.isNone(bounds)) return []
  const { items } = yield* sessions({ driver, vehicle, limit: MAX_SESSIONS, offset: 0 })
  const same = yield* Effect.filter(items, (live) => isSameDrive(sessionId, bounds.value, live))
  return same.map(({ id }) => id)
})
