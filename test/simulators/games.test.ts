/** `games: auto`: connections that the service makes by itself, on ports where any game may send. */
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Layer, TestClock } from "effect"
import { defaultConfiguration } from "../../src/domain/Configuration.ts"
import type { KeptConnection } from "../../src/domain/Connection.ts"
import { SimulatorRefused } from "../../src/domain/errors.ts"
import { UNLIMITED } from "../../src/simulators/connection/connectionsSettings.ts"
import { layer, Simulators } from "../../src/simulators/connection/Simulators.ts"
import { points, range, started } from "../recording/events.ts"
import { settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { withWriter } from "../recording/rig.ts"
import { accepting, type Dialled, drivers, FakeDriver, refusing } from "./fakeDriver.ts"
import { request, states } from "./simulators.ts"

const PORTS = [21, 22]

/** A service with the driver "any" for two ports, and the driver "fake" for clients; both only listen. */
const listening = <A, E>(
  body: (rig: {
    readonly simulators: typeof Simulators.Service
    /** The links of automatic connections. */
    readonly any: FakeDriver
    readonly fake: FakeDriver
    readonly store: MemoryStore
  }) => Effect.Effect<A, E>,
  kept: ReadonlyArray<KeptConnection> = [],
  games: "auto" | "none" = "auto"
) => {
  const store = new MemoryStore()
  store.configuration = { ...defaultConfiguration, games }
  store.connections = kept
  const only = { reliable: false, reaches: false }
  const any = new FakeDriver({ ...only, name: "any", ports: [] })
  const fake = new FakeDriver(only)
  const simulators = layer(Duration.seconds(5), {
    ...UNLIMITED,
    games: { always: false, ports: PORTS }
  }).pipe(Layer.provide(drivers(any.driver, fake.driver)), Layer.provide(withWriter(store)))
  return Effect.flatMap(Simulators, (simulators) =>
    Effect.zipRight(settle, body({ simulators, any, fake, store }))
  ).pipe(Effect.provide(simulators))
}

const ports = (simulators: typeof Simulators.Service) =>
  Effect.map(simulators.status, (status) => status.listening.map(({ port, state }) => [port, state]))

const at = (driver: FakeDriver, port: number): Dialled =>
  driver.dialled.findLast(({ closed, options }) => options.port === port && !closed)!

const waiting = [
  [21, "waiting"],
  [22, "waiting"]
]

describe("games: auto", () => {
  it.effect("listens on every port; silence makes no connection, no session, and no work", () =>
    listening(({ any, simulators, store }) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("3 hours")
        yield* settle
        expect(any.dialled.map(({ options }) => [options.host, options.port])).toEqual([
          ["0.0.0.0", 21],
          ["0.0.0.0", 22]
        ])
        expect(yield* ports(simulators)).toEqual(waiting)
        expect(yield* states(simulators)).toEqual([])
        expect(store.sessions.size).toBe(0)
        expect(yield* simulators.kept).toEqual([])
        expect(yield* simulators.disconnect(undefined)).toBe(0)
        yield* settle
        expect(yield* ports(simulators)).toEqual(waiting)
      })
    )
  )

  it.effect("records a game as soon as it sends, and listens on when it has gone", () =>
    listening(({ any, simulators, store }) =>
      Effect.gen(function* () {
        yield* at(any, 22).accept
        yield* settle
        expect(yield* states(simulators)).toEqual([[22, "connected"]])
        yield* at(any, 22).send(started(), points(range(0, 10)))
        yield* TestClock.adjust("1 second")
        expect(store.timesOf(1)).toEqual(range(1000, 1010))
        expect(yield* ports(simulators)).toEqual([
          [21, "waiting"],
          [22, "connected"]
        ])
        // Its connection is there for as long as its session.
        yield* at(any, 22).lose
        yield* TestClock.adjust("1 minute")
        expect(yield* states(simulators)).toEqual([[22, "reconnecting"]])
        yield* TestClock.adjust("10 minutes")
        expect(yield* states(simulators)).toEqual([])
        expect(yield* ports(simulators)).toEqual(waiting)
        // Nothing of it is kept for the next start.
        expect(store.connections).toEqual([])
        yield* at(any, 22).accept
        yield* settle
        expect(yield* states(simulators)).toEqual([[22, "connected"]])
      })
    )
  )

  it.effect("names a port that another program has, and tries it again", () =>
    listening(({ any, simulators }) =>
      Effect.gen(function* () {
        const address = { host: "0.0.0.0", port: 21 }
        const taken = (dial: Dialled) =>
          dial.options.port === 21
            ? dial.fail(new SimulatorRefused({ address, reason: "EADDRINUSE", localPort: 21 }))
            : Effect.void
        any.answer = taken
        yield* taken(at(any, 21))
        yield* TestClock.adjust("10 minutes")
        expect(yield* ports(simulators)).toEqual([
          [21, "taken"],
          [22, "waiting"]
        ])
        // Not a thousand times a second: two links, and at most one attempt in 0.8 s.
        expect(any.dialled.length).toBeLessThan(2 + (10 * 60) / 0.8)
        any.answer = undefined
        yield* TestClock.adjust("15 seconds")
        expect(yield* ports(simulators)).toEqual(waiting)
      })
    )
  )

  it.effect("yields to a client's connection, and comes back after it", () =>
    listening(({ any, fake, simulators, store }) =>
      Effect.gen(function* () {
        yield* at(any, 21).accept
        yield* settle
        yield* at(any, 21).send(started(), points(range(0, 10)))
        yield* TestClock.adjust("1 second")
        fake.answer = accepting
        const wanted = request({ host: "127.0.0.1", port: 21 })
        yield* simulators.connect(wanted)
        expect(at(any, 21)).toBeUndefined()
        // All of the automatic one is stored.
        expect(store.timesOf(1)).toEqual(range(1000, 1010))
        yield* TestClock.adjust("1 minute")
        expect(yield* states(simulators)).toEqual([[21, "connected"]])
        expect(yield* ports(simulators)).toEqual([[22, "waiting"]])
        yield* simulators.disconnect(wanted)
        yield* settle
        expect(yield* ports(simulators)).toEqual(waiting)
        // The game may still send, and the user wanted it to end.
        expect(at(any, 21).options.afterSilence).toBe(60)
      })
    )
  )

  it.effect("comes back when a client's connect fails", () =>
    listening(({ any, fake, simulators }) =>
      Effect.gen(function* () {
        fake.answer = refusing
        yield* Effect.flip(simulators.connect(request({ host: "127.0.0.1", port: 21 })))
        yield* settle
        expect(yield* ports(simulators)).toEqual(waiting)
        expect(at(any, 21).options.afterSilence).toBeUndefined()
      })
    )
  )

  it.effect("is ended by a disconnect, until its port was silent", () =>
    listening(({ any, simulators, store }) =>
      Effect.gen(function* () {
        yield* at(any, 21).accept
        yield* settle
        yield* at(any, 21).send(started(), points(range(0, 10)))
        yield* TestClock.adjust("1 second")
        expect(yield* simulators.disconnect({ host: "0.0.0.0", port: 21 })).toBe(1)
        yield* settle
        expect(store.timesOf(1)).toEqual(range(1000, 1010))
        expect(yield* ports(simulators)).toEqual(waiting)
        expect(at(any, 21).options.afterSilence).toBe(60)
      })
    )
  )

  it.effect("leaves a port to a kept connection", () =>
    listening(
      ({ simulators }) =>
        Effect.gen(function* () {
          expect(yield* states(simulators)).toEqual([[21, "reconnecting"]])
          expect(yield* ports(simulators)).toEqual([[22, "waiting"]])
        }),
      [{ request: request({ port: 21 }), enabled: true, run: "another" }]
    )
  )

  it.effect("is switched on and off while the service runs", () =>
    listening(
      ({ any, simulators }) =>
        Effect.gen(function* () {
          expect(yield* ports(simulators)).toEqual([])
          yield* simulators.listenFor("auto")
          yield* settle
          expect(yield* ports(simulators)).toEqual(waiting)
          yield* at(any, 21).accept
          yield* settle
          yield* simulators.listenFor("none")
          expect(any.open).toBe(0)
          expect(yield* states(simulators)).toEqual([])
        }),
      [],
      "none"
    )
  )
})
