/** A live client that counts points and reconnects, on a whole service with its real store, whichever process answers it. */
import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { Client } from "../live/support.ts"
import { feedAt, sessionNamed, speaking } from "./feeds.ts"
import { sending, service, type Service } from "../support/service.ts"
import { everywhere, points, recording, seen, watching } from "./watching.ts"

const telemetryOf = ({ received }: Client) =>
  received.flatMap(({ json }) => (json.type === "telemetry" ? [json] : []))
const channelsOf = (client: Client) =>
  telemetryOf(client).map((message) => (message as { readonly channels?: object }).channels)
const lastOf = (client: Client) => telemetryOf(client).at(-1)?.sequence

/** Number and time of each message, which must equal the stored points'. */
const numbered = (client: Client) =>
  telemetryOf(client).map(({ data, sequence }) => [sequence, data["timestamp"]])

const storedOf = ({ json }: Service, id: number) =>
  Effect.map(json(`/api/v1/telemetry/range?session_id=${id}`), ({ body }) =>
    (body as { readonly points: ReadonlyArray<{ readonly timestamp: number }> }).points.map(
      ({ timestamp }, n) => [n + 1, timestamp]
    )
  )

/** Waits until so many points are stored: a client that connects earlier gets them live, and so thinned. */
const untilStored = (running: Service, id: number, count: number) =>
  Effect.repeat(storedOf(running, id), {
    until: (rows) => rows.length === count,
    schedule: Schedule.spaced("20 millis")
  })

it.scopedLive(
  "live points have the stored points' numbers, and every process sends missed points again",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const simulator = yield* speaking
      const id = yield* recording(running, simulator)
      const query = `?session_id=${id}&sequence=1`
      yield* simulator.say(points(0, 90, 60))
      yield* untilStored(running, id, 90)
      const clients = yield* everywhere(running, `${query}&since=0`)
      yield* seen(() => clients.every((client) => lastOf(client) === 90))
      for (const { ws } of clients) ws.terminate()
      yield* simulator.say(points(1.5, 40, 60))
      yield* untilStored(running, id, 130)
      const again = yield* everywhere(running, `${query}&since=90`)
      yield* seen(() => again.every((client) => lastOf(client) === 130))
      yield* simulator.say(points(130 / 60, 5, 60))
      yield* seen(() => again.every((client) => lastOf(client) === 135))
      for (const client of again) {
        expect(client.received[0]!.json).toMatchObject({ type: "replay", from: 91, to: 130, missed: 0 })
      }
      // The session goes on over another connection, and so do the numbers.
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
      // Nothing is live any more, but a later client still gets all of it.
      const late = yield* watching(running, `${query}&since=100`)
      yield* seen(() => lastOf(late) === 140)
      expect(numbered(late)).toEqual(stored.slice(100))
    })
)

it.scopedLive("channels beside the points are the same live and sent again, in every process", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const simulator = yield* speaking
    const id = yield* recording(running, simulator)
    const query = `?session_id=${id}&sequence=1&channels=tyre_*,fuel,steering`
    const early = yield* everywhere(running, query)
    const tyres = [{ name: "tyres", channels: [{ name: "tyre_temperature_fl" }] }]
    yield* simulator.say(JSON.stringify({ type: "channels", groups: tyres }))
    const send = Effect.fnUntraced(function* (n: number, tyre_temperature_fl: number | null) {
      const rows = [{ timestamp: n, tyre_temperature_fl }]
      yield* simulator.say(JSON.stringify({ type: "points", group: "tyres", sequence: n, points: rows }))
      yield* simulator.say(points(n, 2, 2))
      yield* seen(() => early.every((client) => lastOf(client) === 2 * n + 2))
    })
    for (const [n, temperature] of [80, null, 82].entries()) yield* send(n, temperature)
    const last = { tyre_temperature_fl: 82, fuel: null, steering: 0 }
    // Another process learns which channels are watched while the first points are already on their way.
    let sent = 3
    while (!early.every((client) => (channelsOf(client).at(-1) as typeof last).tyre_temperature_fl === 82))
      yield* send(sent++, 82)
    for (const client of early) expect(channelsOf(client).at(-1)).toEqual(last)
    yield* running.json("/api/v1/disconnect", { method: "POST" })
    const again = yield* everywhere(running, `${query}&since=0`)
    yield* seen(() => again.every((client) => lastOf(client) === 2 * sent))
    const expected = [80, 80, null, null, 82, 82].map((temperature) => ({
      ...last,
      tyre_temperature_fl: temperature
    }))
    for (const client of again) expect(channelsOf(client).slice(0, 6)).toEqual(expected)
  })
)
