/** Live clients of a feed, whichever process they are connected to. The hub itself has its tests in test/live. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { speaking } from "./feeds.ts"
import { rawRequest } from "./rawRequest.ts"
import { sending, service } from "../support/service.ts"
import { START } from "./stored.ts"
import { ascending, eventsOf, everywhere, PATH, points, recording, seen, timesOf } from "./watching.ts"

it.scopedLive("two sessions at once are distinguished, in order, and a client may watch one of them", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const [anna, ben] = [yield* speaking, yield* speaking]
    const first = yield* recording(running, anna)
    const second = yield* recording(running, ben, "Ben")
    const both = yield* everywhere(running)
    const one = yield* everywhere(running, `?session_id=${second}&unknown=1`)
    for (let n = 0; n < 10; n++) {
      yield* anna.say(points(n / 10, 6, 60))
      yield* ben.say(points(100 + n / 10, 6, 60))
    }
    const [lastOfFirst, lastOfSecond] = [START + 9 / 10 + 5 / 60, START + 100 + 9 / 10 + 5 / 60]
    yield* seen(() => both.every((client) => timesOf(client, first).at(-1) === lastOfFirst))
    yield* seen(() => [...both, ...one].every((client) => timesOf(client, second).at(-1) === lastOfSecond))
    for (const client of both) {
      for (const id of [first, second]) expect(timesOf(client, id)).toSatisfy(ascending)
      expect(client.received.every(({ json }) => [first, second].includes(json.session_id))).toBe(true)
    }
    for (const client of one) {
      expect(timesOf(client, second)).toSatisfy(ascending)
      expect(new Set(client.received.map(({ json }) => json.session_id))).toEqual(new Set([second]))
    }
  })
)

it.scopedLive("a change of the configured rate reaches the clients of every process", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const simulator = yield* speaking
    const configuration = (yield* running.json("/api/v1/config")).body as object
    const id = yield* recording(running, simulator)
    const clients = yield* everywhere(running)
    yield* running.json("/api/v1/config", sending("PUT", { ...configuration, telemetry_rate: 2 }))
    // The rate reaches each process at its own time. The last point due in a second of the feed is always sent.
    for (let from = 0; ; from += 10) {
      yield* simulator.say(points(from, 200, 200))
      yield* seen(() => clients.every((client) => timesOf(client, id).at(-1) === START + from + 199 / 200))
      const counts = clients.map(
        (client) => timesOf(client, id).filter((time) => time >= START + from).length
      )
      if (counts.every((count) => count <= 4)) break
    }
  })
)

it.scopedLive("events of laps and sessions go to the clients that requested them, with REST's fields", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const simulator = yield* speaking
    const eventful = yield* everywhere(running, "?events=lap,session")
    const plain = yield* everywhere(running)
    const id = yield* recording(running, simulator)
    const lap = {
      type: "lap",
      lap_number: 1,
      lap_time: 1,
      sector1_time: 0.25,
      sector2_time: 0.25,
      sector3_time: 0.5,
      valid: true,
      start_time: 0,
      end_time: 1
    }
    yield* simulator.say(points(0, 60, 60), JSON.stringify(lap), points(1, 2, 60))
    yield* seen(() => eventful.every(({ received }) => received.some(({ json }) => json.type === "lap")))
    yield* simulator.say(JSON.stringify({ type: "session_end" }))
    yield* seen(() => eventful.every((client) => eventsOf(client).at(-1)?.json.type === "session"))
    yield* seen(() => eventful.every((client) => eventsOf(client).length >= 4))
    const laps = (yield* running.json(`/api/v1/${id}/laps`)).body as ReadonlyArray<object>
    const session = yield* running.json(`/api/v1/sessions/${id}`)
    const textOf = (type: string, data: unknown) => JSON.stringify({ type, data, session_id: id })
    for (const client of eventful) {
      const texts = eventsOf(client).map(({ text }) => text)
      expect(JSON.parse(texts[0]!)).toMatchObject({
        type: "session",
        data: { id, total_laps: 0, driver: "Anna" }
      })
      expect(texts.slice(1)).toEqual([
        ...laps.map((one) => textOf("lap", one)),
        textOf("session", session.body)
      ])
    }
    yield* seen(() => plain.every((client) => timesOf(client, id).at(-1) === START + (1 + 1 / 60)))
    for (const client of plain) {
      expect(eventsOf(client)).toEqual([])
    }
  })
)

it.scopedLive("an invalid query is answered before the upgrade", () =>
  Effect.gen(function* () {
    const { port } = yield* service()
    const answer = yield* rawRequest(
      port,
      `GET ${PATH}?rate=fast HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    expect(JSON.parse(answer.body)).toEqual({ detail: "rate must be a number of Hz above 0, got fast" })
    // A client that reuses connections must not reuse this one.
    expect([answer.status, answer.headers["connection"]]).toEqual([422, "close"])
  })
)
