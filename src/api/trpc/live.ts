/** Events as subscriptions: server-sent events with ids, from which a client that was away goes on. */
import { tracked } from "@trpc/server"
import { Effect } from "effect"
import { type EventMessage, lapMessage, type LiveMessage, sessionMessage } from "../../live/hub/messages.ts"
import { Changes } from "../../store/Changes.ts"
import { Sessions } from "../../store/Sessions.ts"
import { connectionChanges } from "./connectionChanges.ts"
import * as Inputs from "./inputs.ts"
import { PAGE, positionOf, readingOn, type StoredEvent } from "./readingOn.ts"
import { sharedTelemetry } from "./sharedTelemetry.ts"
import { procedure, router, subscription } from "./trpc.ts"

interface Watched {
  readonly sessionId?: number | undefined
  readonly lastEventId?: string | undefined
}

/** Laps by id, when they are stored, and again when they are changed. */
const laps = Effect.fnUntraced(function* ({ lastEventId, sessionId }: Watched) {
  const { lapsAfter, newest } = yield* Changes
  if (sessionId !== undefined) yield* (yield* Sessions).session(sessionId)
  return yield* readingOn<EventMessage<"lap">>({
    from: positionOf(
      lastEventId,
      Effect.map(newest, ({ lapId }) => lapId)
    ),
    concerns: (event) => event.type === "lap" && (sessionId === undefined || sessionId === event.sessionId),
    again: (event) =>
      event.type === "lap" && event.changed !== undefined
        ? { key: event.data.id, message: lapMessage(event.data, event.changed) }
        : undefined,
    after: (id) =>
      Effect.map(lapsAfter(id, { sessionId, most: PAGE }), (page) =>
        page.map((lap) => ({
          position: lap.id,
          message: lapMessage(lap)
        }))
      )
  })
})

/**
 * Sessions by the number of the change, when they begin and when they end. Each is sent in its state at the change, or
 * in its present state.
 */
const sessions = Effect.fnUntraced(function* ({ lastEventId }: Watched) {
  const { newest, sessionsAfter } = yield* Changes
  return yield* readingOn<EventMessage<"session">>({
    from: positionOf(
      lastEventId,
      Effect.map(newest, ({ change }) => change)
    ),
    concerns: ({ type }) => type === "session",
    after: (position) =>
      Effect.map(sessionsAfter(position, PAGE), (page) =>
        page.map(({ change, session }) => ({
          position: change,
          message: sessionMessage(session)
        }))
      )
  })
})

const storedEvent = <A>({ message, position }: StoredEvent<A>) => tracked(String(position), message)

/** Gives the type of the events that the hub writes directly; `sharedTelemetry` itself never sends one. */
const sharedEvent = (message: never) => tracked<LiveMessage>("", message)

export const live = router({
  telemetry: procedure
    .input(Inputs.liveTelemetry)
    .subscription(
      subscription(
        ({ channels, events, rate, sessionId }, stream) =>
          sharedTelemetry({ sessionId, rate, channels, events: new Set(events) }, stream),
        sharedEvent
      )
    ),
  laps: procedure.input(Inputs.watchedSession).subscription(subscription(laps, storedEvent)),
  sessions: procedure.input(Inputs.resumed).subscription(subscription(sessions, storedEvent)),
  connections: procedure.input(Inputs.resumed).subscription(
    subscription(
      () => connectionChanges,
      ([state, index]) => tracked(String(index), state)
    )
  )
})
