import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { EventParser, FetchEventSource } from "../../../src/api/trpc/FetchEventSource.ts"
import { until } from "./support.ts"

const stream = [
  ": a comment\n",
  "event: connected\ndata: {}\n\n",
  "data: first\ndata\ndata:  third\nid: 1\n\n",
  // An event without data only sets the id.
  "id: 2\n\n",
  "event: ignored for want of data\n\n",
  "data: no id of its own\nunknown: field\n\n",
  "id: with\0nul\nretry: 50\nretry: 1.5\ndata: x\n\n",
  "id\ndata: id cleared\n\n",
  "data: never completed"
].join("")

const expected = [
  { type: "connected", data: "{}", lastEventId: "" },
  { type: "message", data: "first\n\n third", lastEventId: "1" },
  { type: "message", data: "no id of its own", lastEventId: "2" },
  { type: "message", data: "x", lastEventId: "2" },
  { type: "message", data: "id cleared", lastEventId: "" }
]

describe("EventParser", () => {
  it("reads events by the standard, with any line end and cut anywhere", () => {
    const cuts = FastCheck.array(FastCheck.nat(stream.length + 40), { maxLength: 12 })
    const end = FastCheck.constantFrom("\n", "\r\n", "\r")
    FastCheck.assert(
      FastCheck.property(cuts, end, (places, eol) => {
        const text = stream.replaceAll("\n", eol)
        const bounds = [0, ...places.toSorted((a, b) => a - b), text.length]
        const parser = new EventParser()
        const events = bounds.flatMap((from, index) =>
          parser.read(text.slice(from, bounds[index + 1] ?? from))
        )
        expect(events).toEqual(expected)
        expect(parser.retry).toBe(50)
      })
    )
  })

  it("drops an incomplete event when it begins again, and keeps the id", () => {
    const parser = new EventParser()
    parser.read("id: 7\ndata: a\n\nid: 8\ndata: lost")
    parser.restart()
    expect(parser.read("data: b\n\n")).toEqual([{ type: "message", data: "b", lastEventId: "7" }])
  })
})

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
}

/** Keeps requests for the test to answer. */
const server = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly requests: Array<Received>; readonly close: () => void }>(
    (resume) => {
      const requests: Array<Received> = []
      const http = createServer((request, response) => {
        requests.push({ headers: request.headers, response })
      })
      const close = () => {
        http.closeAllConnections()
        http.close()
      }
      http.listen(0, "127.0.0.1", () => {
        const { port } = http.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, requests, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

const open = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const source = new FetchEventSource(url)
      const events: Array<string> = []
      for (const type of ["open", "error"]) source.addEventListener(type, () => events.push(type))
      source.addEventListener("message", (event) => {
        const { data, lastEventId } = event as MessageEvent
        events.push(`${lastEventId}: ${data}`)
      })
      return { source, events }
    }),
    ({ source }) => Effect.sync(() => source.close())
  )

const eventStream = { "content-type": "text/event-stream; charset=utf-8" }

it.scopedLive("FetchEventSource reconnects where it was, after the pause that the server requests", () =>
  Effect.gen(function* () {
    const { requests, url } = yield* server
    const { events, source } = yield* open(url)
    expect(source.readyState).toBe(source.CONNECTING)
    yield* until(() => requests.length === 1)
    expect(requests[0]!.headers).toMatchObject({ accept: "text/event-stream" })
    expect(requests[0]!.headers).not.toHaveProperty("last-event-id")
    requests[0]!.response.writeHead(200, eventStream).write("retry: 1\nid: 41\ndata: a\n\n")
    yield* until(() => events.length === 2)
    expect(source.readyState).toBe(source.OPEN)
    requests[0]!.response.end("id: 42\ndata: b\n\nid: 43\ndata: half")
    yield* until(() => requests.length === 2)
    expect(requests[1]!.headers).toMatchObject({ "last-event-id": "42" })
    // Closed before the answer.
    requests[1]!.response.destroy()
    yield* until(() => requests.length === 3)
    requests[2]!.response.writeHead(200, eventStream).write("data: c\n\n")
    yield* until(() => events.length === 7)
    expect(events).toEqual(["open", "41: a", "42: b", "error", "error", "open", "42: c"])
    source.close()
    expect(source.readyState).toBe(source.CLOSED)
    yield* until(() => requests[2]!.response.destroyed)
    expect(requests).toHaveLength(3)
  })
)

it.scopedLive("FetchEventSource gives up if the answer is not an event stream", () =>
  Effect.gen(function* () {
    const { requests, url } = yield* server
    for (const [status, headers] of [
      [404, eventStream],
      [204, {}],
      [200, { "content-type": "application/json" }]
    ] as const) {
      const { events, source } = yield* open(url)
      yield* until(() => requests.length === 1)
      requests.pop()!.response.writeHead(status, headers).end()
      yield* until(() => events.length === 1)
      expect([status, events, source.readyState]).toEqual([status, ["error"], source.CLOSED])
    }
    expect(requests).toEqual([])
  })
)

it.scopedLive("FetchEventSource does not reconnect when closed while it waits", () =>
  Effect.gen(function* () {
    const { requests, url } = yield* server
    const { events, source } = yield* open(url)
    yield* until(() => requests.length === 1)
    requests[0]!.response.destroy()
    yield* until(() => events.length === 1)
    source.close()
    const other = yield* open(url)
    yield* until(() => requests.length === 2)
    requests[1]!.response.writeHead(200, eventStream).write("data: later\n\n")
    yield* until(() => other.events.length === 2)
    expect(events).toEqual(["error"])
  })
)
