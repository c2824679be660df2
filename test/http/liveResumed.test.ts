/** A live client that counts and comes again, on a whole service with its real store, whichever process answers it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Client } from "../live/support.ts"
import { feedAt, sessionNamed, speaking } from "./feeds.ts"
import { sending, service, type Service } from "./service.ts"
import { everywhere, points, recording, seen, watching } from "./watching.ts"

const telemetryOf = ({ received }: Client) =>
  received.flatMap(({ json }) => (json.type === "telemetry" ? [json] : []))
const lastOf = (client: Client) => telemetryOf(client).at(-1)?.sequence

/** Number and time of each message, which are to be the stored points'. */
const numbered = (client: Client) =>
  telemetryOf(client).map(({ data, sequence }) => [sequence, data["timestamp"]])

const storedOf = ({ json }: Service, id: number) =>
  Effect.map(json(`/api/v1/telemetry/range?session_id=${id}`), ({ body }) =>
    (body as { readonly points: ReadonlyArray<{ readonly timestamp: number }> }).points.map(
      ({ timestamp }, n) => [n + 1, timestamp]
    )
  )

it.scopedLive(
  "numbers are those of the stored points, and what a client missed comes again, in every process",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const simulator = yield* speaking
      const id = yield* recording(running, simulator)
      const query = `?session_id=${id}&sequence=1`
      yield* simulator.say(points(0, 90, 60))
      const clients = yield* everywhere(running, `${query}&since=0`)
      yield* seen(() => clients.every((client) => lastOf(client) === 90))
      for (const { ws } of clients) ws.terminate()
      yield* simulator.say(points(1.5, 40, 60))
      const again = yield* everywhere(running, `${query}&since=90`)
      yield* seen(() => again.every((client) => lastOf(client) === 130))
      yield* simulator.say(points(130 / 60, 5, 60))
      yield* seen(() => again.every((client) => lastOf(client) === 135))
      for (const client of again) {
        // Nothing is there yet for one that came before the points: then all of it is live.
        const told = client.received[0]!.json as { readonly type: string; readonly from?: number | null }
        expect(told).toMatchObject({ type: "replay", missed: 0 })
        expect([91, null]).toContain(told.from)
      }
      // The session goes on in another connection: so do the numbers.
      const disconnect = Effect.map(running.json("/api/v1/disconnect", { method: "POST" }), ({ status }) =>
        expect(status).toBe(200)
      )
      yield* disconnect
      const later = yield* speaking
      const resumed = yield* running.json(
        "/api/v1/connect",
        sending("POST", { ...feedAt(later.port), session_id: id })
      )
      expect(resumed.status).toBe(200)
      yield* later.say(sessionNamed("Anna"))
      yield* later.say(points(10, 5, 60))
      yield* seen(() => again.every((client) => lastOf(client) === 140))
      yield* disconnect
      const stored = yield* storedOf(running, id)
      expect(stored).toHaveLength(140)
      for (const [n, client] of clients.entries())
        expect([...numbered(client), ...numbered(again[n]!)]).toEqual(stored)
      // Nothing is live any more: all of it is there for who comes later.
      const late = yield* watching(running, `${query}&since=100`)
      yield* seen(() => lastOf(late) === 140)
      expect(numbered(late)).toEqual(stored.slice(100))
    })
)
