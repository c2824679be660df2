/** The live telemetry as a subscription: what the WebSocket sends, at the same rates, and the steering. */
import { get, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { tracked } from "@trpc/server"
import { sseStreamProducer } from "@trpc/server/unstable-core-do-not-import"
import { Effect } from "effect"
import { inside, serviceInside } from "../../support/inside.ts"
import { service, type Service } from "../../support/service.ts"
import { storeSession } from "../stored.ts"
import { Client, feed, onePoint } from "../../live/support.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { MAX_SELECTIONS } from "../../../src/live/channels/ChannelSelection.ts"
import { clientOf, failure, subscribed, type TelemetryEvent, until } from "./support.ts"

const webSocket = ({ url }: Service, query: string) =>
  Effect.acquireRelease(
    Effect.promise(() => new Client(`${url.replace("http", "ws")}/api/v1/telemetry/live${query}`).opened()),
    ({ ws }) => Effect.sync(() => ws.terminate())
  )

const lap = (sessionId: number, id: number) => ({
  type: "lap" as const,
  sessionId,
  data: {
    id,
    sessionId,
    lapNumber: id,
    lapTime: 90.5,
    sector1Time: null,
    sector2Time: null,
    sector3Time: null,
    valid: true
  }
})

/** The message as the WebSocket sends it (interface.md, section 6). */
const withoutSteering = (message: TelemetryEvent["data"]) => {
  if (message.type !== "telemetry") return message
  const { steering: _steering, ...data } = message.data
  return { ...message, data }
}

inside("the subscription sends the WebSocket's messages with the steering, in order, with ids", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { hub } = running
    const client = clientOf(running)
    const socket = yield* webSocket(running, "?events=lap,session")
    const all = yield* subscribed<TelemetryEvent>((handlers) =>
      client.live.telemetry.subscribe({ events: ["lap", "session"] }, handlers)
    )
    hub.publish(3, onePoint([1.5, 200, 9000, -1, 1, 0.25, 0.5, 1e21, 5e-324, -2.25]))
    hub.publish(3, feed(2, 12, 60))
    // With more fields than a reader sees.
    hub.announce({ ...lap(3, 5), data: Object.assign({}, lap(3, 5).data, { startTime: 1 }) })
    hub.publish(4, feed(2, 1, 60))
    const session = yield* storeSession(running)
    hub.announce({ type: "session", sessionId: session.id, data: session })
    yield* until(() => socket.received.length === 16 && all.events.length === 16)
    expect(all.events.map(({ data }) => withoutSteering(data))).toEqual(
      socket.received.map(({ json }) => json)
    )
    const [first] = all.events.map(({ data }) => data)
    expect(first).toMatchObject({ type: "telemetry", data: { brake: 0.25, steering: 0.5, position_x: 1e21 } })
    expect(new Set(all.events.map(({ id }) => id)).size).toBe(16)
    expect(all.errors).toEqual([])
  })
)

inside("a subscription has the session and the rate of its input, and events only on request", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { hub } = running
    const client = clientOf(running)
    yield* storeSession(running)
    const one = yield* subscribed<TelemetryEvent>((handlers) =>
      client.live.telemetry.subscribe({ sessionId: 1 }, handlers)
    )
    const slow = yield* subscribed<TelemetryEvent>((handlers) =>
      client.live.telemetry.subscribe({ rate: 0.001 }, handlers)
    )
    const timed = yield* subscribed<TelemetryEvent>((handlers) =>
      client.live.telemetry.subscribe({ sessionId: 1, events: ["lap"] }, handlers)
    )
    hub.publish(1, feed(0, 10, 60))
    hub.publish(2, feed(0, 10, 60))
    hub.announce(lap(2, 1))
    hub.announce(lap(1, 2))
    hub.publish(1, feed(10, 1, 60))
    yield* until(() => one.events.length === 11 && timed.events.length === 12 && slow.events.length === 2)
    expect(one.events.map(({ data }) => data.session_id)).toEqual(Array.from({ length: 11 }, () => 1))
    expect(timed.events.map(({ data }) => data.type).lastIndexOf("lap")).toBe(10)
    expect(slow.events.map(({ data }) => data.session_id)).toEqual([1, 2])
  })
)

it.scopedLive("a subscription ends with an error if its input is invalid or names no session", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { live } = clientOf(running)
    const ends = (input: { readonly sessionId?: number; readonly rate?: number }) =>
      failure(
        () =>
          new Promise((_resolve, onError) => {
            live.telemetry.subscribe(input, { onError })
          })
      )
    expect(yield* ends({ sessionId: 77 })).toMatchObject({ code: "NOT_FOUND", status: 404 })
    expect(yield* ends({ rate: 0 })).toMatchObject({ code: "UNPROCESSABLE_CONTENT", status: 422 })
    expect(yield* running.subscribers).toBe(0)
  })
)

inside("a subscription ends with its client, however the client disconnects", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { hub } = running
    const { live } = clientOf(running)
    const telemetry = yield* Effect.forEach([1, 2, 3], () =>
      subscribed<TelemetryEvent>((handlers) => live.telemetry.subscribe({ rate: 5 }, handlers))
    )
    const laps = yield* subscribed((handlers) => live.laps.subscribe({}, handlers))
    const sessions = yield* subscribed((handlers) => live.sessions.subscribe({}, handlers))
    yield* until(() => hub.stats().subscribers === 5)
    hub.publish(1, feed(0, 5, 60))
    yield* until(() => telemetry.every(({ events }) => events.length > 0))
    expect(hub.samplers).toBe(1)
    for (const { end } of [...telemetry, laps, sessions]) end()
    yield* until(() => hub.stats().subscribers === 0)
    expect(hub.samplers).toBe(0)

    // A client that resets its connection instead of sending a request.
    const reset = yield* Effect.async<IncomingMessage>((resume) => {
      get(`${running.url}/trpc/live.telemetry`, (response) => resume(Effect.succeed(response)))
    })
    yield* until(() => hub.stats().subscribers === 1)
    reset.on("error", () => undefined)
    reset.socket.resetAndDestroy()
    yield* until(() => hub.stats().subscribers === 0)
    expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
  })
)

/** An event with an id, by the library itself. */
const writtenByTrpc = async (value: unknown, id: string): Promise<string> => {
  const data = (async function* () {
    yield tracked(id, value)
  })()
  const text = await new Response(sseStreamProducer({ data })).text()
  return text.slice(text.indexOf("data: ", text.indexOf("\n\n")), text.indexOf("event: return"))
}

const timeOf = (event: TelemetryEvent | undefined) =>
  event?.data.type === "telemetry" ? event.data.data.timestamp : undefined

inside("a subscriber that does not read costs little, delays no other, and then gets the newest", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { hub } = running
    // Faster than any machine runs the loop below, so that the rate leaves nothing out.
    hub.setRate(10_000_000)
    const quick = yield* subscribed<TelemetryEvent>((handlers) =>
      clientOf(running).live.telemetry.subscribe({}, handlers)
    )
    const slow = yield* Effect.async<IncomingMessage>((resume) => {
      get(`${running.url}/trpc/live.telemetry`, (response) => resume(Effect.succeed(response)))
    })
    yield* until(() => hub.stats().subscribers === 2)
    slow.pause()
    let seconds = 0
    const newest = () => timeOf(quick.events.at(-1))
    // The kernel buffers some megabytes before the service notices.
    while (hub.stats().skipped < 5000) {
      const points = feed(seconds, 200, 1000)
      seconds += 0.2
      hub.publish(1, points)
      yield* until(() => newest() === points.timestamps[199])
    }
    expect(quick.events).toHaveLength(Math.round(seconds * 1000))
    let text = ""
    slow.on("data", (data: Buffer) => {
      text += data.toString()
    })
    slow.resume()
    const last = `"timestamp":${newest()},`
    yield* until(() => text.includes(last))
    const times = [...text.matchAll(/"timestamp":([\d.]+)/g)].map(([, time]) => Number(time))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.length).toBeLessThan(quick.events.length)
    slow.destroy()
    quick.end()
    yield* until(() => hub.stats().subscribers === 0)
    const { sent, skipped } = hub.stats()
    expect(sent + skipped).toBe(2 * quick.events.length)
  })
)

inside("equal subscriptions get the same bytes, as tRPC writes them, between tRPC's own events", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { hub } = running
    hub.setRate(10_000_000)
    const listen = (httpVersion: "1.0" | "1.1") =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const received = { text: "" }
          const socket = connect(running.port, "127.0.0.1")
          socket.setEncoding("utf8").on("data", (data: string) => (received.text += data))
          socket.write(`GET /trpc/live.telemetry HTTP/${httpVersion}\r\nHost: localhost\r\n\r\n`)
          return { received, socket }
        }),
        ({ socket }) => Effect.sync(() => socket.destroy())
      )
    const listeners = yield* Effect.forEach(["1.1", "1.1", "1.0"] as const, listen)
    yield* until(() => hub.stats().subscribers === 3)
    yield* until(() => listeners.every(({ received }) => received.text.includes("event: connected")))
    // The first turns after it carry no promise.
    let time = 0
    const point = (timestamp: number) =>
      hub.publish(7, onePoint([timestamp, 200, 9000, 3, 1, 0, 0.5, 1, 2, 3]))
    const receivedByAll = (id: string) => listeners.every(({ received }) => received.text.includes(`${id}\n`))
    yield* until(() => {
      point(++time)
      return listeners.every(({ received }) => received.text.includes("telemetry:7:"))
    })
    yield* until(() => receivedByAll(`telemetry:7:${time}`))
    const [first, second, old] = listeners.map(({ received }) => received)
    const value = {
      type: "telemetry",
      data: { ...JSON.parse('{"timestamp":1000000,"speed":200,"rpm":9000,"gear":3,"throttle":1}') },
      session_id: 7
    }
    Object.assign(value.data, { brake: 0, steering: 0.5, position_x: 1, position_y: 2, position_z: 3 })
    point(1_000_000)
    const written = yield* Effect.promise(() => writtenByTrpc(value, "telemetry:7:1000000"))
    const chunk = `${Buffer.byteLength(written).toString(16)}\r\n${written}\r\n`
    yield* until(() => [first!, second!].every(({ text }) => text.endsWith(chunk)))
    yield* until(() => old!.text.endsWith(written))
    expect(old!.text).not.toContain(chunk)
  })
)

inside(
  "a subscription has the values of the channels that it selects; invalid and too many are refused",
  () =>
    Effect.gen(function* () {
      const running = yield* serviceInside()
      const client = clientOf(running)
      const watching = (...channels: Array<string>) =>
        subscribed<TelemetryEvent>((handlers) => client.live.telemetry.subscribe({ channels }, handlers))
      const malformed = yield* watching("fuel", "Fuel")
      const many = yield* watching(...Array.from({ length: 513 }, (_, n) => `c${n}`))
      for (const { errors, events } of [malformed, many]) {
        yield* until(() => errors.length > 0)
        expect(events).toEqual([])
        expect(errors[0]).toMatchObject({ data: { code: "UNPROCESSABLE_CONTENT", httpStatus: 422 } })
      }

      const other = yield* watching("other")
      yield* until(() => running.hub.stats().subscribers === 1)
      const batch: RowBatch = RowBatch.allocate(1, ["timestamp", "other"])
      batch.data.set([1, 7])
      running.hub.addSamples(3, [{ group: "own", batch }])
      running.hub.publish(3, feed(2, 1, 60))
      yield* until(() => other.events.length === 1)
      expect(other.events[0]!.data).toMatchObject({ channels: { other: 7 } })

      for (let n = 1; n < MAX_SELECTIONS; n++) running.hub.selections.take([`c${n}`], `another ${n}`)
      const input = encodeURIComponent(JSON.stringify({ channels: ["one_more"] }))
      const refused = yield* running.fetch(`/trpc/live.telemetry?input=${input}`)
      expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true])
    })
)
