/**
 * Replays the points that a client missed: the stored points since the last one that it has (`since`), before it gets
 * live ones.
 *
 * A first message announces the replay to the client: `{"type":"replay","session_id","since","from","to","missed"}`,
 * numbers of points. `missed` points are too old to be sent (MAX_REPLAYED); GET /telemetry/range has them. `to` below
 * `since` means that the session has fewer points than the client has: the service was killed before it stored the last
 * ones, and numbering continues after `to`.
 *
 * Guarantees: points come once and in order, also where the live ones begin. With a rate, they are as far apart as live
 * ones would have been, and `left_out` counts the points between.
 *
 * Hard cases. If a client takes nothing, the points read for it stay in memory, and no other client waits for it. If points
 * were published but are not stored yet, the replay waits STORED_WITHIN_MS for them; if they are not stored by then, the
 * numbers of the live points show the gap.
 */
import { Clock, Effect, Option, Stream } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import type { PointBatch } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import { RowStore } from "../../store/RowStore.ts"
import type { ChannelValues } from "../channels/ChannelValues.ts"
import { type RunNumbers, TelemetryRun } from "./frames.ts"
import { LiveHub } from "./LiveHub.ts"
import { FeedClockLimiter } from "./RateLimiter.ts"
import type { WebSocketSubscriber } from "../transports/WebSocketSubscriber.ts"

/** The maximum number of points that a replay sends: 14 minutes at 60 Hz, some 12 MB of text. */
export const MAX_REPLAYED = 50_000

/** Points in one read for one client: two milliseconds. A thousand clients that take nothing cost 140 MB with their text. */
export const READ_POINTS = 256
/**
 * Values in one read, including those of channels beside the points: some 150 KB of text, which takes as long as
 * READ_POINTS without channels.
 */
const READ_VALUES = 8_192

const STORED_WITHIN_MS = 5_000
const LOOK_AGAIN = "50 millis"

/** The factor by which a guessed span is widened if it is too short, because a session's points may be unevenly spread. */
const WIDER = 4

interface ReadPosition {
  /** Epoch seconds. */
  readonly time: number
  /** The number of the session's points before it. */
  readonly before: number
}

/**
 * A time in a session with fewer than `number` points before it, but not many fewer: the point with that number comes
 * soon after.
 */
const placeBefore = Effect.fnUntraced(function* (sessionId: number, number: number, total: number) {
  const points = yield* RowStore
  const bounds = yield* points.bounds({ sessionId, group: POINTS })
  const start: ReadPosition = { time: -Infinity, before: 0 }
  if (Option.isNone(bounds) || number <= 1) return start
  const { first, last } = bounds.value
  const share = (total - number + 1) / total
  for (let span = (last - first) * share; span < last - first; span = Math.max(span * WIDER, 1e-3)) {
    const time = last - span
    const before = yield* points.count({ sessionId, group: POINTS, from: -Infinity, until: time })
    if (before < number) return { time, before }
  }
  return start
})

/** Up to `most` points of a session from that position; none if there are no more. */
const readFrom = Effect.fnUntraced(function* (sessionId: number, { time }: ReadPosition, most: number) {
  const { replays } = yield* LiveHub
  const known = replays.known(sessionId, time, most)
  if (known !== undefined) return Option.some(known)
  const points = yield* RowStore
  const batches = Stream.filter(
    points.read({ sessionId, group: POINTS, from: time, until: Infinity }, pointChannels),
    ({ length }) => length > 0
  )
  return Option.map(yield* Stream.runHead(batches), (page) => {
    replays.keep(sessionId, time, page)
    return page.slice(0, Math.min(page.length, most))
  })
})

interface ChosenPoints {
  readonly points: PointBatch
  readonly numbers: RunNumbers
}

/** The stored channels beside these points, of which there is at least one. */
export type StoredChannels<E, R> = (points: PointBatch) => Effect.Effect<ChannelValues, E, R>

/** Chooses a session's points for messages, in the order of their numbers, at the rate that the client asked for. */
class ReplayMessages {
  readonly #feedClock: FeedClockLimiter
  /** The number of the next point. */
  next: number
  #leftOut = 0
  /** The newest of the points that were left out. */
  #last: PointBatch | undefined

  constructor(next: number, rate: number) {
    this.next = next
    this.#feedClock = new FeedClockLimiter(rate)
  }

  /** Takes stored points, the first of which has this number. Returns those that are new and that the rate allows. */
  of(points: PointBatch, first: number): ChosenPoints | undefined {
    const fresh = points.slice(Math.min(points.length, Math.max(0, this.next - first)), points.length)
    if (fresh.length === 0) return undefined
    const numbers = {
      first: this.next,
      chosen: this.#feedClock.choose(fresh.timestamps),
      leftOut: this.#leftOut
    }
    this.next += fresh.length
    const last = numbers.chosen.at(-1)
    this.#leftOut = last === undefined ? this.#leftOut + fresh.length : fresh.length - 1 - last
    this.#last = this.#leftOut === 0 ? undefined : fresh.slice(fresh.length - 1, fresh.length)
    if (last === undefined) return undefined
    return { points: fresh.pick(numbers.chosen), numbers }
  }

  /** The last point, if the rate left it out: the live points begin after it. */
  get end(): ChosenPoints | undefined {
    if (this.#last === undefined) return undefined
    const numbers = { first: this.next - 1, chosen: [0], leftOut: this.#leftOut - 1 }
    return { points: this.#last, numbers }
  }
}

/**
 * Sends a client the points that it missed; then it gets live messages. `beside` gives the channels beside the points.
 */
export const replay = <E = never, R = never>(
  subscriber: WebSocketSubscriber,
  sessionId: number,
  since: number,
  beside?: StoredChannels<E, R>
) =>
  Effect.gen(function* () {
    const points = yield* RowStore
    const hub = yield* LiveHub
    const { inTurn } = hub.replays
    /** The number of channels beside a point. Until a read shows it, READ_VALUES is assumed. */
    let channels = beside === undefined ? 0 : READ_VALUES
    /**
     * Writes the text of some points. It succeeds with an Effect that waits, outside of any turn, until the client
     * takes more.
     */
    const send = Effect.fnUntraced(function* (chosen: ChosenPoints | undefined) {
      if (chosen === undefined) return Effect.void
      const { numbers, points } = chosen
      const values = beside && (yield* beside(points))
      channels = values?.names.length ?? 0
      const { numbered } = new TelemetryRun(sessionId, points, numbers, values)
      const taken = subscriber.replay(numbered)
      return Effect.promise(() => taken)
    })
    /** The number of the last point before the live ones. */
    const target = () =>
      subscriber.firstWaiting === undefined ? (hub.newestOf(sessionId) ?? 0) : subscriber.firstWaiting - 1
    const total = yield* inTurn(points.count({ sessionId, group: POINTS, from: -Infinity, until: Infinity }))
    const to = subscriber.firstWaiting === undefined ? Math.max(total, target()) : target()
    const from = Math.max(Math.min(since, to) + 1, to - MAX_REPLAYED + 1)
    const announced = {
      type: "replay",
      session_id: sessionId,
      since,
      from: from <= to ? from : null,
      to,
      missed: Math.max(0, from - since - 1)
    }
    yield* Effect.promise(() => subscriber.sendObject(announced))

    const messages = new ReplayMessages(from, hub.rateOf(subscriber.options))
    let place = yield* inTurn(placeBefore(sessionId, from, Math.max(total, from)))
    let progress = yield* Clock.currentTimeMillis
    /** Reads and sends the next points. */
    const advance = Effect.gen(function* () {
      const most = Math.max(1, Math.min(READ_POINTS, Math.floor(READ_VALUES / (1 + channels))))
      const read = yield* readFrom(sessionId, place, most)
      if (Option.isNone(read)) return undefined
      const batch = read.value
      const taken = yield* send(messages.of(batch, place.before + 1))
      place = { time: justAfter(batch.timestamps.at(-1)!), before: place.before + batch.length }
      return taken
    })
    // A client that reads more slowly than points come would never become live.
    const enough = from + 2 * MAX_REPLAYED
    while (subscriber.isOpen && messages.next <= Math.max(to, target()) && messages.next < enough) {
      const taken = yield* inTurn(advance)
      if (taken !== undefined) {
        yield* taken
        progress = yield* Clock.currentTimeMillis
      } else if ((yield* Clock.currentTimeMillis) - progress > STORED_WITHIN_MS) break
      else yield* Effect.sleep(LOOK_AGAIN)
    }
    if (!subscriber.isOpen) return
    yield* Effect.flatten(inTurn(send(messages.end)))
    subscriber.goLive(messages.next - 1)
  }).pipe(
    Effect.catchAll((error) =>
      Effect.zipRight(
        Effect.logWarning("Messages that a live client missed cannot be read", error),
        Effect.sync(() => subscriber.fail())
      )
    ),
    Effect.withSpan("live.replay", { attributes: { session_id: sessionId, since } })
  )
