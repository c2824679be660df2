import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, ExecutionStrategy, Exit, Layer, Option, Scope, Stream } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import { type ClientOptions, WebSocket } from "ws"
import { givenPoints } from "../contracts/givenPoints.ts"
import { SessionNotFound } from "../../src/domain/errors.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { lowerBound, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import type { Session } from "../../src/domain/Session.ts"
import { guardUpgrades } from "../../src/api/guard/guardUpgrades.ts"
import type { Hub } from "../../src/live/hub/Hub.ts"
import { LiveHub } from "../../src/live/hub/LiveHub.ts"
import { Timing, type TimingService } from "../../src/platform/Timing.ts"
import { upgrade } from "../../src/api/live/upgrade.ts"
import { inputInQuery } from "../../src/api/rest/decoding.ts"
import { telemetry } from "../../src/operations/live.ts"
import { Dictionaries } from "../../src/store/Dictionaries.ts"
import { type RowRange, RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"

/** A clock that stands until the test advances it. */
export class HandTurned implements TimingService {
  #now = 1000
  #alarms: Array<{ readonly at: number; readonly run: () => void }> = []
  #soon: Array<() => void> = []
  /** The number of timers started so far. */
  begun = 0
  readonly now = () => this.#now
  readonly after = (millis: number, run: () => void) => {
    this.begun++
    const alarm = { at: this.#now + millis, run }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
    }
  }

  /** Runs at the end of a turn, which comes before time advances, or by itself. */
  readonly soon = (run: () => void) => {
    this.#soon.push(run)
    setImmediate(this.endTurns)
  }

  readonly endTurn = () => {
    for (const run of this.#soon.splice(0)) run()
  }

  /** Runs the ends of turns until no more work is left. */
  readonly endTurns = () => {
    while (this.#soon.length > 0) this.endTurn()
  }

  /** The running code takes so long. */
  spend(millis: number): void {
    this.#now += millis
  }

  advance(millis: number): void {
    this.endTurns()
    const end = this.#now + millis
    for (;;) {
      const next = this.#alarms.filter((alarm) => alarm.at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
      this.endTurns()
    }
    this.#now = Math.max(this.#now, end)
  }

  get alarms(): number {
    return this.#alarms.length
  }
}

/** Points whose timestamps are these; the speed of each is its index, the other channels are 0. */
export const pointsAt = (timestamps: ReadonlyArray<number>): PointBatch => {
  const batch = RowBatch.allocate(timestamps.length, channels)
  batch.column("timestamp").set(timestamps)
  batch.column("speed").set(timestamps.map((_, i) => i % 5000))
  return batch
}

/** A batch of one point with these values, in the order of `channels`. */
export const onePoint = (values: ReadonlyArray<number>): PointBatch =>
  new RowBatch(1, Float64Array.from(values), channels)

/** `count` points from `start` (s), `hz` apart. */
export const feed = (start: number, count: number, hz: number): PointBatch =>
  pointsAt(Array.from({ length: count }, (_, i) => start + i / hz))

export const session: Session = {
  id: 1,
  circuit: "Monza",
  vehicle: "GT3",
  driver: "A",
  datetime: Date.parse("2026-02-13T09:30:00Z") / 1000,
  duration: 0,
  totalLaps: 0,
  bestLapTime: null,
  pinned: false,
  source: "live"
}

const problem = (status: number, error: object, headers: Record<string, string> = {}) =>
  HttpServerResponse.unsafeJson({ detail: JSON.stringify(error) }, { status, headers })

const { read } = inputInQuery(telemetry.input)

/** The route as the HTTP layer serves it, with errors by their tag. */
const router = HttpRouter.empty.pipe(
  HttpRouter.get(
    "/live",
    Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => upgrade(read(query)))
  ),
  HttpRouter.catchTags({
    UpgradeRequired: (e) =>
      Effect.succeed(problem(426, e, { upgrade: e.protocol, "sec-websocket-version": String(e.version) })),
    InvalidValue: (e) => Effect.succeed(problem(422, e)),
    RequestMisfit: ({ sentence }) => Effect.succeed(problem(422, { name: sentence.split(" ")[0] })),
    SessionNotFound: (e) => Effect.succeed(problem(404, e)),
    TooManyOfClient: (e) => Effect.succeed(problem(429, e)),
    TooManyReplays: (e) => Effect.succeed(problem(503, e)),
    TooManySelections: (e) => Effect.succeed(problem(503, e)),
    StoreUnavailable: (e) => Effect.succeed(problem(503, e))
  }),
  // Every answer has a body, also that to an interrupted request: none of it may reach a WebSocket.
  (app) => Effect.catchAllCause(app, (cause) => Effect.succeed(problem(503, cause)))
)

const sessions = Layer.mock(Sessions, {
  session: (id) => (id <= 2 ? Effect.succeed({ ...session, id }) : new SessionNotFound({ sessionId: id }))
})

/** Points that are stored, by session. */
export class StoredPoints {
  readonly #sessions = new Map<number, PointBatch>()
  /** The number of reads so far, and an effect to run before each. */
  reads = 0
  beforeRead: (reads: number) => void = () => {}

  store(sessionId: number, batch: PointBatch): void {
    const stored = this.#sessions.get(sessionId)
    this.#sessions.set(sessionId, stored === undefined ? batch : RowBatch.concat([stored, batch]))
  }

  of(sessionId: number): PointBatch {
    return this.#sessions.get(sessionId) ?? RowBatch.allocate(0, channels)
  }

  readonly layer = Layer.mock(RowStore, {
    count: (range) => Effect.sync(() => this.#within(range).length),
    bounds: ({ sessionId }) =>
      Effect.sync(() => {
        const { timestamps } = this.of(sessionId)
        return timestamps.length === 0
          ? Option.none()
          : Option.some({ first: timestamps[0]!, last: timestamps.at(-1)! })
      }),
    read: givenPoints((range) =>
      Stream.suspend(() => {
        this.beforeRead(++this.reads)
        const { timestamps } = this.of(range.sessionId)
        const end = lowerBound(timestamps, range.until)
        const piece = timestamps.length < 1000 ? 7 : 1000
        return Stream.unfold(lowerBound(timestamps, range.from), (from) =>
          from < end
            ? Option.some([
                this.of(range.sessionId).slice(from, Math.min(end, from + piece)),
                from + piece
              ] as const)
            : Option.none()
        )
      })
    )
  })

  #within({ from, sessionId, until }: RowRange): PointBatch {
    const all = this.of(sessionId)
    return all.slice(lowerBound(all.timestamps, from), lowerBound(all.timestamps, until))
  }
}

/** A message as it was received, and as JSON. */
export interface Received {
  readonly text: string
  readonly json: {
    readonly type: string
    readonly data: Record<string, number>
    readonly session_id: number
    readonly sequence?: number
    readonly left_out?: number
  }
}

/** A client that keeps what it receives. Tests wait for messages, never for time. */
export class Client {
  readonly ws: WebSocket
  readonly received: Array<Received> = []
  /** The number of messages so far, including those that a test has taken out of `received`. */
  total = 0
  readonly closed: Promise<number>

  constructor(url: string, options: ClientOptions = {}) {
    this.ws = new WebSocket(url, { perMessageDeflate: false, ...options })
    this.ws.on("message", (data) => {
      const text = String(data)
      this.total++
      this.received.push({ text, json: JSON.parse(text) })
    })
    this.closed = new Promise((done) => this.ws.once("close", done))
  }

  async opened(): Promise<this> {
    await once(this.ws, "open")
    return this
  }

  /** Messages are in order, so once the event of session 999 is here, all before it are. */
  async upToFence(): Promise<ReadonlyArray<Received>> {
    for (;;) {
      const at = this.received.findIndex(({ json }) => json.session_id === FENCE)
      if (at >= 0) {
        return this.received.splice(0, at + 1).slice(0, -1)
      }
      await once(this.ws, "message")
    }
  }
}

const FENCE = 999

export interface Live {
  readonly hub: Hub
  readonly points: StoredPoints
  readonly timing: HandTurned
  readonly port: number
  readonly url: string
  readonly connect: (query?: string) => Promise<Client>
  readonly fence: () => void
  readonly openConnections: () => Promise<number>
  /** Bytes that wait here for each connected client, beyond those that the kernel has taken. */
  readonly heldBytes: () => ReadonlyArray<number>
  /** Stops the server, as a shutdown does. */
  readonly stop: () => Promise<void>
}

/** A real server on a free port, its live side on a clock turned by hand; it stops with the scope. */
const liveServer = Effect.gen(function* () {
  const timing = new HandTurned()
  const points = new StoredPoints()
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const server = guardUpgrades(createServer())
  const sockets: Array<Socket> = []
  server.on("connection", (socket: Socket) => sockets.push(socket))
  const context = yield* HttpServer.serve(router).pipe(
    Layer.provideMerge(LiveHub.layer.pipe(Layer.provide(Layer.succeed(Timing, timing)))),
    Layer.provide([sessions, Layer.mock(Dictionaries, {})]),
    Layer.provide(points.layer),
    Layer.provideMerge(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
    Layer.buildWithScope(scope)
  )
  const hub = Context.get(context, LiveHub)
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = address._tag === "TcpAddress" ? address.port : 0
  const url = `ws://127.0.0.1:${port}/live`
  const live: Live = {
    hub,
    points,
    timing,
    port,
    url,
    connect: (query = "") => new Client(url + query).opened(),
    fence: () => hub.announce({ type: "session", sessionId: FENCE, data: { ...session, id: FENCE } }),
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
      ),
    heldBytes: () => sockets.map(({ writableLength }) => writableLength),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return live
})

export const withServer = (test: (live: Live) => Promise<void>): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(liveServer, (live) => Effect.promise(() => test(live)))))

/** Waits for a condition that the event loop must bring about; otherwise the test's time-out ends it. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 2))
}
