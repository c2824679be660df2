/** Answers that their clients do not read: how much memory they hold, and for how long. */
import { IncomingMessage, ServerResponse } from "node:http"
import { connect, Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Scope, Stream, TestClock } from "effect"
import { rulesOf } from "../../src/api/Access.ts"
import { MAX_WAITING, MAX_WRITE_BYTES, OpenAnswers, STALLED_MS } from "../../src/api/OpenAnswers.ts"
import { HandTurned, until } from "../live/support.ts"
import { inside, serviceInside } from "../support/inside.ts"
import { givenPoints } from "../contracts/givenPoints.ts"
import { drivenPoints, START, storeDrive } from "./stored.ts"

const BATCH = 1000
const BATCHES = 400

/** A service with more points than the system buffers for a socket. */
const longSession = (answers: OpenAnswers) =>
  Effect.gen(function* () {
    const running = yield* serviceInside({
      answers,
      points: (real) => ({
        ...real,
        count: () => Effect.succeed(BATCHES * BATCH),
        read: givenPoints(() =>
          Stream.range(0, BATCHES - 1).pipe(
            Stream.map((index) => drivenPoints(START + index * BATCH, BATCH, 1))
          )
        )
      })
    })
    yield* storeDrive(running, { count: 10 })
    return running
  })

const RANGE = "/api/v1/telemetry/range?session_id=1"

/** Requests a path, and reads nothing. */
const unread = (port: number, path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(port, "127.0.0.1").pause()
      socket.on("error", () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Reads some of what waits for it. */
const readSome = (socket: Socket) =>
  Effect.promise(
    () =>
      new Promise<void>((done) =>
        socket
          .once("data", () => {
            socket.pause()
            done()
          })
          .resume()
      )
  )

const wait = (holds: () => boolean) => Effect.promise(() => until(holds))

inside("open answers are closed when their client has read nothing for long, and not while it reads", () =>
  Effect.gen(function* () {
    const timing = new HandTurned()
    const running = yield* longSession(new OpenAnswers({ most: 8, timing }))
    const socket = yield* unread(running.port, RANGE)
    const stalled = () => running.heldBytes().some((bytes) => bytes > 0)
    yield* wait(stalled)
    // Only this answer is watched, and each piece that the system takes restarts its time limit.
    const untilNext = Effect.gen(function* () {
      let begun = 0
      let changes = 0
      while (changes === 0) {
        timing.advance(STALLED_MS - 1)
        begun = timing.begun
        yield* wait(stalled)
        // At most as much as the system buffers.
        for (let reads = 0; timing.begun === begun && reads < 1000; reads++) yield* readSome(socket)
        changes = timing.begun - begun
      }
    })
    yield* untilNext
    yield* untilNext
    expect(socket.destroyed).toBe(false)
    yield* wait(stalled)
    timing.advance(STALLED_MS)
    yield* wait(() => running.heldBytes().every((bytes) => bytes === 0))
    socket.resume()
    yield* wait(() => socket.destroyed)
    expect(timing.alarms).toBe(0)
  })
)

inside(
  "open answers that the platform writes, such as files, are closed as well, and only when their client reads nothing",
  () =>
    Effect.gen(function* () {
      const timing = new HandTurned()
      const answers = new OpenAnswers({ most: 1, timing })
      const response = new ServerResponse(new IncomingMessage(new Socket()))
      answers.piped(response)
      timing.advance(STALLED_MS - 1)
      response.emit("drain")
      timing.advance(STALLED_MS - 1)
      expect(response.destroyed).toBe(false)
      timing.advance(1)
      expect(response.destroyed).toBe(true)
      response.emit("close")
      expect(timing.alarms).toBe(0)
      // Every answer of a file is watched, until it has gone out.
      const running = yield* serviceInside({ answers })
      const begun = timing.begun
      const page = yield* running.fetch("/favicon.svg")
      expect(page.status).toBe(200)
      yield* Effect.promise(() => page.text())
      expect(timing.begun).toBeGreaterThan(begun)
      yield* wait(() => timing.alarms === 0)
    })
)

inside("open answers hold one piece each, up to a limit: others wait, and are then sent or refused", () =>
  Effect.gen(function* () {
    const timing = new HandTurned()
    const most = 3
    const running = yield* longSession(new OpenAnswers({ most, timing }))
    const sockets = yield* Effect.all(Array.from({ length: most }, () => unread(running.port, RANGE)))
    yield* wait(() => running.heldBytes().filter((bytes) => bytes > 0).length === most)
    // Small pieces before it do not wait for the socket.
    expect(Math.max(...running.heldBytes())).toBeLessThan(2 * MAX_WRITE_BYTES)
    const refused = yield* running.fetch(RANGE)
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true])
    expect(yield* Effect.promise(() => refused.json())).toEqual({
      detail: expect.stringMatching(/^3 large answers are being sent/)
    })
    const call = `/trpc/telemetry.range?input=${encodeURIComponent('{"sessionId":1}')}`
    const ofTrpc = yield* running.fetch(call)
    expect([ofTrpc.status, ofTrpc.headers.has("retry-after")]).toEqual([503, true])
    yield* Effect.promise(() => ofTrpc.text())
    // A small answer does not wait.
    expect((yield* running.fetch("/api/v1/sessions")).status).toBe(200)
    const waiting = yield* unread(running.port, RANGE)
    sockets[0]!.destroy()
    yield* readSome(waiting)
    expect(waiting.destroyed).toBe(false)
  })
)

it.effect("open answers are refused at once if too many wait", () =>
  Effect.gen(function* () {
    const answers = new OpenAnswers({ most: 1, timing: new HandTurned() })
    yield* answers.room
    yield* Effect.forEach(Array.from({ length: MAX_WAITING }), () => Effect.forkScoped(answers.room))
    yield* TestClock.adjust("1 second")
    const next = yield* Effect.forkScoped(Effect.flip(answers.room))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.poll(next)).toMatchObject({ value: { value: { _tag: "TooManyAnswers" } } })
  }).pipe(Effect.scoped)
)

inside("open answers that are large and complete wait like streamed ones, and are sent whole", () =>
  Effect.gen(function* () {
    const timing = new HandTurned()
    const answers = new OpenAnswers({ most: 1, timing })
    const running = yield* serviceInside({
      answers,
      access: rulesOf({
        host: "127.0.0.1",
        allowOrigin: "*",
        allowHost: new Set(),
        token: Redacted.make("secret"),
        readOnly: false
      })
    })
    const ask = Effect.flatMap(
      running.fetch("/openapi.json", { headers: { "accept-encoding": "identity" } }),
      (answer) => Effect.promise(async () => ({ status: answer.status, text: await answer.text() }))
    )
    // With the token of each operation it is large.
    const { status, text } = yield* ask
    expect([status, text.length > MAX_WRITE_BYTES]).toEqual([200, true])
    expect(JSON.parse(text)).toHaveProperty("openapi")
    yield* wait(() => timing.alarms === 0)
    const scope = yield* Scope.make()
    yield* Scope.extend(answers.room, scope)
    expect((yield* ask).status).toBe(503)
    yield* Scope.close(scope, Exit.void)
    expect((yield* ask).status).toBe(200)
  })
)
