/**
 * Packets of real games through a whole service: datagrams over UDP in, sessions, laps and points over HTTP out, against the
 * facts of ../shared/data/captures/README.md and the circuits' centre lines. One service for all of them.
 */
import type { RemoteInfo } from "node:dgram"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeAnswer } from "../../simulator/emulators/assetto-corsa/encode.ts"
import { encrypt } from "../../simulator/emulators/gt7/packets.ts"
import { until } from "../live/support.ts"
import { readCapture } from "../simulators/captures/captures.ts"
import { expectOnCircuit, rangeOf, steeredOf } from "../simulators/captures/oracle.ts"
import { freePort } from "../simulators/udp/udp.ts"
import {
  bound,
  connect,
  connectListening,
  consoleSocket,
  countsOf,
  HOST,
  pointsOf,
  pour,
  recorded,
  sessionPoints,
  timesOf
} from "./playing.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { capturesHere } from "../support/sharedData.ts"

/** Longer than any machine takes to answer, s; waited for once, if no answer can come. */
const CONNECT_TIMEOUT_S = 20

/** A service that lives as long as the suite. */
const running = () => {
  let scope: Scope.CloseableScope
  const started = { service: undefined as unknown as Box.Running }
  beforeAll(
    () =>
      Effect.runPromise(
        Effect.gen(function* () {
          scope = yield* Scope.make()
          const folder = yield* Scope.extend(Box.folder, scope)
          const flags = ["--connect-timeout", String(CONNECT_TIMEOUT_S)]
          started.service = yield* Scope.extend(Box.startService(folder, ...flags), scope)
        })
      ),
    120_000
  )
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), 120_000)
  return started
}

const bytesOf = (name: string) => readCapture(name).map(({ bytes }) => bytes)

/** Of Gran Turismo 7's capture. */
const SPA_POINTS = 6914

const HANDSHAKE = 0
const SUBSCRIBE = 1

type Case = readonly [
  name: string,
  expectRecorded: (service: Box.Running) => Effect.Effect<void, never, Scope.Scope>
]

const cases: ReadonlyArray<Case> = [
  [
    "of Assetto Corsa: a lap of Monza",
    (service) =>
      Effect.gen(function* () {
        const socket = yield* Effect.orDie(bound())
        const { port } = socket.address()
        const names = {
          carName: "ks_audi_r8_lms",
          driverName: "Ana Monza",
          trackName: "monza",
          trackConfig: ""
        }
        let client: RemoteInfo | undefined
        socket.on("message", (request, from) => {
          const operation = request.readInt32LE(8)
          if (operation === HANDSHAKE) socket.send(encodeAnswer(names), from.port, from.address)
          if (operation === SUBSCRIBE) client = from
        })
        expect((yield* connect(service, port, { simulator: "assetto-corsa" })).status).toBe(200)
        yield* Effect.promise(() => until(() => client !== undefined))
        yield* pour(service, bytesOf("assetto-corsa-monza"), (bytes) =>
          socket.send(bytes, client!.port, HOST)
        )
        expect(yield* countsOf(service, port)).toMatchObject({ messages_refused: 0, points_dropped: 0 })
        yield* Box.ask(service, "POST", "/disconnect", { host: HOST, port })
        const [only, ...more] = yield* recorded(service, names.driverName)
        expect(more).toEqual([])
        const { laps, session } = only!
        expect(session).toMatchObject({ circuit: "monza", vehicle: "ks_audi_r8_lms", driver: "Ana Monza" })
        // The lap that was joined at 212 s, so it does not count, and the part of the next one.
        expect(timesOf(laps)).toEqual([
          [1, 344.684, false],
          [2, null, false]
        ])
        const whole = yield* sessionPoints(service, session)
        expect(rangeOf(whole, "speed")[1]).toBeCloseTo(252.2, 1)
        expect(rangeOf(whole, "rpm")).toEqual([expect.closeTo(1700, -1), expect.closeTo(7959, 0)])
        expect(rangeOf(whole, "gear")).toEqual([0, 5])
        const lap = yield* pointsOf(service, `/${laps[0]!.id}/telemetry`)
        expectOnCircuit(lap, "Monza")
        expect(steeredOf(lap).share).toBeGreaterThan(0.95)
      })
  ],

  [
    "of Gran Turismo 7: a lap of Spa, a replay",
    (service) =>
      Effect.gen(function* () {
        const socket = yield* consoleSocket
        const { port } = socket.address()
        const [first, ...rest] = bytesOf("gt7-spa-format-c-plain").map((plain) => encrypt(plain, "C"))
        let client: RemoteInfo | undefined
        socket.on("message", (_heartbeat, from) => {
          if (client === undefined) socket.send(first!, from.port, from.address)
          client = from
        })
        const more = { simulator: "gt7", replays: true, circuit: "Spa", driver: "Ana Spa" }
        expect((yield* connect(service, port, more)).status).toBe(200)
        yield* pour(service, rest, (bytes) => socket.send(bytes, client!.port, HOST))
        // Points are passed on up to some milliseconds after they were read.
        const counts = yield* Box.until(
          countsOf(service, port),
          ({ points_missing, points_received }) => points_received + points_missing >= SPA_POINTS
        )
        expect(counts).toMatchObject({
          messages_refused: 0,
          points_dropped: 0,
          points_missing: 0,
          points_rejected: 0,
          points_received: SPA_POINTS
        })
        yield* Box.ask(service, "POST", "/disconnect", { host: HOST, port })
        const [only, ...others] = yield* recorded(service, "Ana Spa")
        expect(others).toEqual([])
        const { laps, session } = only!
        expect(session).toMatchObject({ circuit: "Spa", vehicle: "GT7 car 3582" })
        expect(laps.map(({ lap_number, lap_time }) => [lap_number, lap_time])).toEqual([
          [1, 115.244],
          [2, null]
        ])
        const whole = yield* sessionPoints(service, session)
        expect(rangeOf(whole, "speed")).toEqual([expect.closeTo(65, 0), expect.closeTo(318, 0)])
        const lap = yield* pointsOf(service, `/${laps[0]!.id}/telemetry`)
        expectOnCircuit(lap, "Spa")
        expect(steeredOf(lap).share).toBeGreaterThan(0.95)
      })
  ],

  [
    "of DiRT Rally 2.0: a run three times, after the first of which nothing comes for a while",
    (service) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const socket = yield* Effect.orDie(bound())
        const [first, ...rest] = bytesOf("dirt-rally-2-noorinbee")
        const send = (bytes: Buffer) => socket.send(bytes, port, HOST)
        const names = { circuit: "Noorinbee Ridge Descent", vehicle: "A car", driver: "Ana Noorinbee" }
        // Recognized by its bytes alone, as on port 20777.
        const more = { simulator: "codemasters", ...names }
        const answer = yield* connectListening(service, port, first!, socket, more)
        expect(answer).toMatchObject({ status: 200, body: { simulator: "dirt-rally-2" } })
        yield* pour(service, rest, send)
        // Nothing follows, and the run is still complete.
        yield* Box.until(recorded(service, names.driver), ([only]) => only?.laps.length === 1)
        const zeros = Buffer.alloc(264)
        yield* pour(service, [zeros, first!, ...rest, zeros, zeros, first!, ...rest], send)
        expect(yield* countsOf(service, port)).toMatchObject({ messages_refused: 0, points_dropped: 0 })
        yield* Box.ask(service, "POST", "/disconnect", { host: HOST, port })
        const [only, ...others] = yield* recorded(service, names.driver)
        expect(others).toEqual([])
        const { laps, session } = only!
        expect(session).toMatchObject({ ...names, total_laps: 3 })
        expect(timesOf(laps)).toEqual([1, 2, 3].map((number) => [number, 202.209, true]))
        for (const { sector1_time, sector2_time, sector3_time } of laps) {
          expect([sector1_time, sector2_time, sector3_time]).toEqual([
            expect.closeTo(52.234, 3),
            expect.closeTo(55.633, 3),
            expect.closeTo(94.342, 3)
          ])
        }
        expect((yield* sessionPoints(service, session)).length).toBeGreaterThan(3 * 12_100)
      })
  ],

  [
    "of DiRT Rally (2015): a part of a stage, which is no lap",
    (service) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const socket = yield* Effect.orDie(bound())
        const [first, ...rest] = bytesOf("dirt-rally-1-stage")
        const more = { simulator: "dirt-rally-2", circuit: "A stage", vehicle: "A car", driver: "Ana Stage" }
        expect((yield* connectListening(service, port, first!, socket, more)).status).toBe(200)
        yield* pour(service, rest, (bytes) => socket.send(bytes, port, HOST))
        yield* Box.ask(service, "POST", "/disconnect", { host: HOST, port })
        const [only, ...others] = yield* recorded(service, "Ana Stage")
        expect(others).toEqual([])
        expect(timesOf(only!.laps)).toEqual([[1, null, false]])
        const whole = yield* sessionPoints(service, only!.session)
        expect(whole.length).toBe(2627)
        expect(rangeOf(whole, "speed")).toEqual([expect.closeTo(0, 0), expect.closeTo(181.5, 1)])
        expect(rangeOf(whole, "rpm")[1]).toBeCloseTo(8000, 0)
      })
  ],

  ...[2023, 2024, 2025].map((year): Case => [
    `of F1 ${year}: single datagrams, each of a known form`,
    (service) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const socket = yield* Effect.orDie(bound())
        const all = bytesOf(`f1-${year}-datagrams`)
        const more = { simulator: "codemasters", driver: `Ana ${year}` }
        const answer = yield* connectListening(service, port, all[0]!, socket, more)
        expect(answer).toMatchObject({ status: 200, body: { simulator: "f1" } })
        yield* pour(service, all, (bytes) => socket.send(bytes, port, HOST))
        expect(yield* countsOf(service, port)).toMatchObject({ messages_refused: 0, points_stored: 0 })
        yield* Box.ask(service, "POST", "/disconnect", { host: HOST, port })
      })
  ]),

  [
    "of Project CARS 1: named, with what to set",
    (service) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const socket = yield* Effect.orDie(bound())
        const [first] = bytesOf("project-cars-1-telemetry")
        const { body, status } = yield* connectListening(service, port, first!, socket, {
          simulator: "project-cars-2"
        })
        expect(status).toBe(504)
        expect(body.detail).toMatch(
          /^The simulator at 127\.0\.0\.1:\d+ did not answer within 20 s; \d+ datagrams of 1367 bytes arrived that are not this simulator's, but Project CARS 1's: choose Project CARS 2 as the UDP protocol version in the game's options/
        )
      })
  ]
]

describe("real packets", needing(capturesHere), () => {
  const started = running()

  it.for(cases)("%s", { timeout: 300_000 }, async ([, expectRecorded], { signal }) => {
    const { service } = started
    await Effect.runPromise(Effect.scoped(expectRecorded(service)), { signal })
    expect(service.child.exitCode).toBeNull()
  })
})
