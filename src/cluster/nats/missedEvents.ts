/**
 * Events of other nodes that the bus has lost, from the catalog: once the bus is back, laps and sessions stored meanwhile are announced to
 * this node's clients, except those that were announced already.
 *
 * A bus that went away shows it only seconds later. So the catalog's newest numbers are noted while all is well, and those from before
 * the last note count.
 */
import { Effect, Option, Queue, Schedule, type Scope } from "effect"
import type { LiveEvent } from "../../live/hub/messages.ts"
import { Changes } from "../../store/Changes.ts"
import type { RelayService, Update } from "../Relay.ts"
import type { Bus } from "./Bus.ts"

/** Longer than a connection that was cut takes to show it. */
const NOTE_EVERY = "5 seconds"
/** Laps and sessions that are announced at once; more are in the lists, where clients read them after such a time. */
const MOST = 1000

/** What was announced: a lap, and a session's begin or its end, by whether it has a duration. */
const keyOf = (event: LiveEvent, isRecorded?: boolean): string =>
  event.type === "session"
    ? `session ${event.sessionId} ${(isRecorded ?? event.data.duration === 0) ? "begun" : "ended"}`
    : `${event.type} ${event.type === "lap" ? event.data.id : ""}`

/** `announce`: to the clients of this node. */
export const make = Effect.fn("missedEvents.make")(function* (
  bus: Bus,
  { subscribe }: Pick<RelayService, "subscribe">,
  announce: (update: Update) => void
): Effect.fn.Return<void, never, Changes | Scope.Scope> {
  const { lapsAfter, newest, sessionsAfter } = yield* Changes
  let noted = yield* Effect.option(newest)
  let before = noted
  /** Announced since `noted`, and between `before` and it. */
  let announced = new Set<string>()
  let earlier = new Set<string>()
  yield* subscribe((update) => {
    if (update.type === "event" && update.event.type !== "on_air") announced.add(keyOf(update.event))
  })

  const note = Effect.gen(function* () {
    if (!bus.isUp()) return
    const now = yield* newest
    before = noted
    earlier = announced
    noted = Option.some(now)
    announced = new Set()
  })

  const makeUpFor = (event: LiveEvent, key: string) => {
    if (!announced.has(key) && !earlier.has(key)) announce({ type: "event", event })
  }
  const makeUp = Effect.gen(function* () {
    if (Option.isNone(before)) return
    const { change, lapId } = before.value
    const sessions = yield* sessionsAfter(change, MOST)
    const laps = yield* lapsAfter(lapId, { sessionId: undefined, most: MOST })
    for (const data of laps) {
      const event: LiveEvent = { type: "lap", sessionId: data.sessionId, data }
      makeUpFor(event, keyOf(event))
    }
    for (const { isRecorded, session: data } of sessions) {
      const event: LiveEvent = { type: "session", sessionId: data.id, data }
      makeUpFor(event, keyOf(event, isRecorded))
    }
  })

  const back = yield* Queue.sliding<void>(1)
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.onChange((isUp) => isUp && void back.unsafeOffer(undefined))),
    (stop) => Effect.sync(stop)
  )
  const ignoring = Effect.catchAll(({ cause }: { readonly cause: unknown }) =>
    Effect.logDebug("The catalog cannot be asked for events that the bus has lost", cause)
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(back), ignoring(makeUp))))
  yield* Effect.forkScoped(Effect.repeat(Effect.delay(ignoring(note), NOTE_EVERY), Schedule.forever))
})
