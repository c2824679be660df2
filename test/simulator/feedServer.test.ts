// The rule does not know @effect/vitest's it.effect and it.scopedLive for tests.
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { driveFeed } from "../../simulator/feed/driveFeed.ts"
import { FeedBroken, type Feed } from "../../simulator/feed/Feed.ts"
import { serveFeed } from "../../simulator/feed/FeedServer.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { connect, refusal } from "./feedReader.ts"

const drive = () =>
  driveFeed({
    circuit: circuitNamed("Port Averno")!,
    vehicle: vehicles[0]!,
    driver: "A Driver",
    laps: 0,
    seed: 1,
    rate: 200,
    packed: false,
    pointsOnly: false
  })

const serve = (feed: Feed) => serveFeed({ host: "127.0.0.1", port: 0, simulator: "test 1", feed })

it.scopedLive("a feed server answers hello with welcome, then a session and points", () =>
  Effect.gen(function* () {
    const port = yield* serve(drive())
    const reader = yield* connect(port)
    const log = yield* reader.until((log) => log.points.length >= 20)
    expect(reader.socket.protocol).toBe("telemetry-feed.v1")
    expect(log.messages.slice(0, 3).map((message) => message.type)).toEqual(["welcome", "session", "points"])
    expect(log.messages[0]).toEqual({ type: "welcome", simulator: "test 1" })
    expect(log.points.map((point) => point["timestamp"]).slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, i) => i / 200)
    )
  })
)

it.scopedLive("a feed server refuses a client that does not offer the subprotocol", () =>
  Effect.gen(function* () {
    const port = yield* serve(drive())
    expect(yield* refusal(port, [])).toBe(400)
    expect(yield* refusal(port, ["telemetry-feed.v2"])).toBe(400)
    expect(yield* refusal(port, ["other", "telemetry-feed.v1"])).toBeUndefined()
  })
)

it.scopedLive("a feed server closes on a first message that is not hello, and goes on serving others", () =>
  Effect.gen(function* () {
    const port = yield* serve(drive())
    const rude = yield* connect(port, { type: "goodbye" })
    expect(yield* rude.closed).toBe(1002)
    expect(rude.log.messages).toEqual([])
    const polite = yield* connect(port)
    yield* polite.until((log) => log.points.length > 0)
  })
)

it.scopedLive("a feed server closes with 1011 when a feed breaks, and with 1001 when it ends itself", () =>
  Effect.gen(function* () {
    const broken = yield* serve({ serve: () => new FeedBroken({ reason: "for the test" }) })
    expect(yield* (yield* connect(broken)).closed).toBe(1011)

    const scope = yield* Scope.make()
    const port = yield* serve(drive()).pipe(Scope.extend(scope))
    const reader = yield* connect(port)
    yield* reader.until((log) => log.points.length > 0)
    yield* Scope.close(scope, Exit.void)
    expect(yield* reader.closed).toBe(1001)
  })
)

it.scopedLive("a feed server ends a feed with its connection", () =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<void>()
    const port = yield* serve({
      serve: () => Effect.never.pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined)))
    })
    const reader = yield* connect(port)
    yield* reader.until((log) => log.of("welcome").length === 1)
    reader.socket.close()
    yield* Deferred.await(ended)
  })
)

it.scopedLive("a feed server makes a feed wait for a reader that does not read, and loses nothing", () =>
  Effect.gen(function* () {
    const MESSAGES = 3000
    const filler = "x".repeat(64 * 1024)
    const stuck = yield* Deferred.make<number>()
    const port = yield* serve({
      serve: (client) =>
        Effect.gen(function* () {
          for (let i = 0; i < MESSAGES; i++) {
            if (client.offer(JSON.stringify({ type: "numbered", i, filler }))) continue
            // The kernel takes some megabytes first; only a longer wait is for the reader.
            const waiting = yield* Effect.fork(client.drained)
            const late = yield* Fiber.join(waiting).pipe(Effect.timeoutOption("300 millis"))
            if (late._tag === "Some") continue
            yield* Deferred.succeed(stuck, i)
            yield* client.drained
          }
          client.offer(JSON.stringify({ type: "session_end" }))
          return yield* Effect.never
        })
    })
    const reader = yield* connect(port)
    yield* reader.until((log) => log.messages.length > 0)
    reader.socket.pause()
    // Of 190 MB offered, only the marks and the kernel's buffers are taken.
    expect(yield* Deferred.await(stuck)).toBeLessThan(MESSAGES / 3)
    reader.socket.resume()
    const log = yield* reader.until((log) => log.messages.at(-1)?.type === "session_end")
    expect(log.of("numbered").map((message) => message["i"])).toEqual([...Array(MESSAGES).keys()])
  })
)

it.scopedLive("a feed server fails with a reason if it cannot listen", () =>
  Effect.gen(function* () {
    const port = yield* serve(drive())
    const error = yield* Effect.flip(serveFeed({ host: "127.0.0.1", port, simulator: "", feed: drive() }))
    expect(error).toMatchObject({ _tag: "CannotListen", cause: { code: "EADDRINUSE" }, port })
  })
)
