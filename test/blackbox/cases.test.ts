/**
 * The smallest inputs that went wrong, once each through a service as users run it: played in real time by the bundled simulator, and
 * read from the data folder after the service has ended. The expected results are those of `test/simulators/cases`, except for what
 * depends on when a datagram arrives.
 */
import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import { catalogLayer, pointsLayer } from "../../src/store/sqlite/SqliteStore.ts"
import { needing } from "../support/needing.ts"
import { casesHere } from "../support/sharedData.ts"
import { freePort } from "../simulators/udp/udp.ts"
import { readCases } from "../simulators/cases/cases.ts"
import { faultsOf, type Right } from "../simulators/cases/judge.ts"
import type { RecordedSession } from "../simulators/cases/recorded.ts"
import * as Box from "../support/processes.ts"

const HOST = "127.0.0.1"
/** Games that send nothing until they get a request. */
const ASKED: ReadonlySet<string> = new Set(["acc", "assetto-corsa", "gt7", "lfs"])
/** Cases at a time: each is a service and a game. */
const AT_ONCE = 12

/** Whether a program uses this UDP port. */
const hasUdp = (port: number) =>
  Effect.async<boolean>((resume) => {
    const socket = createSocket("udp4")
    socket.once("error", () => socket.close(() => resume(Effect.succeed(true))))
    socket.bind(port, HOST, () => socket.close(() => resume(Effect.succeed(false))))
  })

/** Whether a program uses this TCP port; for port 0, a free port. */
const tcp = (port: number) =>
  Effect.async<{ readonly isTaken: boolean; readonly port: number }>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed({ isTaken: true, port })))
    server.listen(port, HOST, () => {
      const address = server.address()
      const own = typeof address === "object" && address !== null ? address.port : port
      server.close(() => resume(Effect.succeed({ isTaken: false, port: own })))
    })
  })

/** Gran Turismo 7 answers to the port after its own, which no other case may use. */
const freePair = Effect.map(
  Effect.repeat(Effect.all([freePort, freePort], { concurrency: 2 }), {
    until: ([one, next]) => next === one + 1
  }),
  ([one]) => one
)

const recordedIn = (folder: string) =>
  Effect.gen(function* () {
    const laps = yield* Laps
    const sessions = yield* Sessions
    const points = yield* RowStore
    return yield* Effect.forEach(yield* sessions.sessionIds, (id) =>
      Effect.map(
        Effect.all([
          sessions.session(id),
          laps.laps(id),
          Stream.runCollect(
            points.read({ sessionId: id, group: POINTS, from: -Infinity, until: Infinity }, channels)
          )
        ]),
        ([session, laps, batches]): RecordedSession => ({
          session,
          laps,
          times: [...batches].flatMap(({ timestamps }) => [...timestamps]),
          valuesOf: () => []
        })
      )
    )
  }).pipe(Effect.provide(Layer.merge(catalogLayer(folder), pointsLayer(folder))))

const played = ({ connect, simulator }: Right, file: string) =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const service = yield* Box.startService(folder)
    const isTcp = simulator === "lfs"
    const port = isTcp ? (yield* tcp(0)).port : yield* freePair
    const isTaken = isTcp ? Effect.map(tcp(port), (answer) => answer.isTaken) : hasUdp(port)
    const play = Effect.fork(
      Box.run("simulator/main.js", ["--capture", file, "--port", String(port), "--once"])
    )
    const connecting = Box.ask(service, "POST", "/connect", {
      host: HOST,
      port,
      app_name: "case",
      simulator,
      ...connect
    })
    // A port that was free may be another program's by now. A game without a request would wait for ever, and so would this.
    const refused = Effect.flatMap(connecting, ({ body, status }) =>
      status === 200 ? Effect.never : Effect.fail(`${file}: ${JSON.stringify(body)}`)
    )
    const listening = Box.until(isTaken, (taken) => taken)
    if (ASKED.has(simulator)) {
      const playing = yield* play
      yield* listening
      yield* Effect.raceFirst(Fiber.join(playing), refused)
    } else yield* Effect.raceFirst(Effect.zipRight(listening, Effect.flatMap(play, Fiber.join)), refused)
    // The service answers once it has read all earlier datagrams.
    yield* Box.get(service, "/health")
    yield* Box.ask(service, "POST", "/disconnect")
    yield* service.signal("SIGTERM")
    return yield* recordedIn(folder)
  }).pipe(Effect.scoped, Effect.retry({ times: 3 }), Effect.orDie)

/** Values that depend on when a datagram arrives are compared with the run on the test clock. */
const withoutArrivals = (right: Right): Right =>
  Object.fromEntries(
    Object.entries(right).filter(([name]) => name !== "channel" && name !== "no_point_after")
  ) as unknown as Right

describe("the smallest inputs that went wrong", needing(casesHere), () => {
  it.live("give the expected results through a started service", () =>
    Effect.gen(function* () {
      const wrong: Record<string, unknown> = {}
      yield* Effect.forEach(
        readCases().filter(([, { simulator }]) => simulator !== "native"),
        ([name, right, file]) =>
          Effect.map(played(right, file), (recorded) => {
            const faults = faultsOf(withoutArrivals(right), recorded)
            if (faults.length > 0) wrong[name] = faults
          }),
        { concurrency: AT_ONCE }
      )
      expect(wrong).toEqual({})
    })
  )
})
