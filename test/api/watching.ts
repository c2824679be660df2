/** Live clients of a whole service, and a simulator whose points they should receive. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { Client, until } from "../live/support.ts"
import { feedAt, pointsMessage, sessionNamed, type Speaking } from "./feeds.ts"
import { sending, type Service } from "../support/service.ts"

export const PATH = "/api/v1/telemetry/live"

/** The highest number of workers. Connections go to each in turn, so every worker gets one. */
export const EVERYWHERE = 4

export const watching = ({ port }: { readonly port: number }, query = "") =>
  Effect.acquireRelease(
    Effect.promise(() => new Client(`ws://127.0.0.1:${port}${PATH}${query}`).opened()),
    ({ ws }) => Effect.sync(() => ws.terminate())
  )

export const everywhere = (running: Service, query = "") =>
  Effect.all(Array.from({ length: EVERYWHERE }, () => watching(running, query)))

/** Returns when the condition holds; the test's own time limit bounds it. */
export const seen = (holds: () => boolean) => Effect.promise(() => until(holds))

/** Connects to a simulator that begins a session; the session's id. */
export const recording = Effect.fn(function* ({ json }: Service, { port, say }: Speaking, driver = "Anna") {
  expect((yield* json("/api/v1/connect", sending("POST", feedAt(port)))).status).toBe(200)
  yield* say(sessionNamed(driver))
  const status = yield* Effect.repeat(json("/api/v1/status"), {
    until: ({ body }) => idOf(body, port) !== null
  })
  return idOf(status.body, port)!
})

const idOf = (status: unknown, port: number): number | null =>
  (
    status as { readonly connections: ReadonlyArray<{ readonly port: number; readonly session_id: number }> }
  ).connections.find((connection) => connection.port === port)?.session_id ?? null

const still = Object.fromEntries(channels.map((channel) => [channel, 0]))

/** `count` points from `from` (s on the feed's clock), `hz` apart. */
export const points = (from: number, count: number, hz: number) =>
  pointsMessage(Array.from({ length: count }, (_, i) => ({ ...still, timestamp: from + i / hz })))

export const timesOf = ({ received }: Client, sessionId: number) =>
  received
    .filter(({ json }) => json.type === "telemetry" && json.session_id === sessionId)
    .map(({ json }) => json.data["timestamp"]!)

export const eventsOf = ({ received }: Client) => received.filter(({ json }) => json.type !== "telemetry")

export const ascending = (times: ReadonlyArray<number>) =>
  times.every((time, i) => i === 0 || time > times[i - 1]!)
