/** Connections persist until a client ends them: across restarts of the service and of the recording process. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import type { KeptConnection } from "../../src/domain/Connection.ts"
import { AlreadyConnected } from "../../src/domain/errors.ts"
import { run } from "../../src/platform/processes.ts"
import { type ConnectionsSettings, UNLIMITED } from "../../src/simulators/connection/connectionsSettings.ts"
import { Simulators } from "../../src/simulators/connection/Simulators.ts"
import { points, range, started } from "../recording/events.ts"
import { settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { accepting, FakeDriver, refusing } from "./fakeDriver.ts"
import { connecting, request, simulatorsLayer, states } from "./simulators.ts"

const kept = (port: number, more: Partial<KeptConnection> = {}): KeptConnection => ({
  request: request({ port, options: { password: "secret" } }),
  enabled: true,
  run: "another",
  ...more
})

const into = (port: number, ofRun: string) =>
  kept(port, { request: request({ port, sessionId: 1 }), run: ofRun })

/** A service that starts with these connections in its catalog. */
const starting = <A, E>(
  connections: ReadonlyArray<KeptConnection>,
  body: (rig: {
    readonly simulators: typeof Simulators.Service
    readonly fake: FakeDriver
    readonly store: MemoryStore
  }) => Effect.Effect<A, E>,
  {
    answer,
    restores = "all"
  }: Partial<Pick<FakeDriver, "answer"> & Pick<ConnectionsSettings, "restores">> = {}
) => {
  const store = new MemoryStore()
  store.connections = connections
  const fake = new FakeDriver()
  fake.answer = answer
  const layer = simulatorsLayer(fake, store, { ...UNLIMITED, restores })
  return Effect.flatMap(Simulators, (simulators) => body({ simulators, fake, store })).pipe(
    Effect.provide(layer)
  )
}

describe("the connections that are kept", () => {
  connecting("are those whose handshake has succeeded, until they are ended", ({ fake, simulators, store }) =>
    Effect.gen(function* () {
      const wanted = [1, 2].map((port) => request({ port, circuit: "Spa", options: { password: "secret" } }))
      yield* Effect.forEach(wanted, (one) => Effect.fork(simulators.connect(one)))
      yield* settle
      expect(store.connections).toEqual([])
      for (const dial of fake.dialled) yield* dial.accept
      yield* settle
      expect(store.connections).toEqual(wanted.map((one) => ({ request: one, enabled: true, run })))
      // Also while the simulator's link is lost.
      fake.answer = refusing
      yield* fake.dialled[0]!.lose
      yield* settle
      const listed = yield* simulators.kept
      expect(listed).toMatchObject([
        { port: 1, enabled: true, state: "reconnecting" },
        { port: 2, enabled: true, state: "connected" }
      ])
      expect(JSON.stringify(listed)).not.toContain("secret")
      yield* simulators.disconnect({ host: "RIG", port: 1 })
      expect(store.connections.map(({ request: { port } }) => port)).toEqual([2])
      yield* simulators.disconnect(undefined)
      expect(store.connections).toEqual([])
    })
  )

  connecting("do not include one that failed, and a full disk ends none", ({ fake, simulators, store }) =>
    Effect.gen(function* () {
      fake.answer = refusing
      yield* Effect.flip(simulators.connect(request({ port: 1 })))
      expect(store.connections).toEqual([])
      fake.answer = accepting
      store.fail("keepConnection", 1)
      yield* simulators.connect(request({ port: 2 }))
      expect(yield* states(simulators)).toEqual([[2, "connected"]])
      expect(store.connections).toEqual([])
    })
  )

  connecting(
    "are what is open after a connect and a disconnect that overlap",
    ({ fake, simulators, store }) =>
      Effect.gen(function* () {
        fake.answer = accepting
        const gate = store.hold("keepConnection")
        const connect = yield* Effect.fork(simulators.connect(request()))
        yield* settle
        const disconnect = yield* Effect.fork(simulators.disconnect({ host: "rig", port: 9 }))
        yield* settle
        yield* gate.open
        yield* Fiber.join(connect)
        yield* Fiber.join(disconnect)
        expect(yield* states(simulators)).toEqual([])
        expect(store.connections).toEqual([])
      })
  )

  connecting("can be turned off and on", ({ fake, simulators, store }) =>
    Effect.gen(function* () {
      fake.answer = accepting
      yield* simulators.connect(request())
      const address = { host: "Rig", port: 9 }
      expect(yield* simulators.enable({ ...address, enabled: false })).toBe(true)
      expect(fake.open).toBe(0)
      expect(yield* simulators.kept).toMatchObject([{ port: 9, enabled: false, state: "off" }])
      // On, it is tried until the simulator is there.
      fake.answer = refusing
      expect(yield* simulators.enable({ ...address, enabled: true })).toBe(true)
      yield* settle
      expect(yield* simulators.kept).toMatchObject([{ port: 9, enabled: true, state: "reconnecting" }])
      fake.answer = accepting
      yield* TestClock.adjust("40 seconds")
      expect(yield* states(simulators)).toEqual([[9, "connected"]])
      expect(store.connections).toEqual([{ request: request(), enabled: true, run }])
      expect(yield* simulators.enable({ host: "rig", port: 10, enabled: true })).toBe(false)
      // A connection that is off can be forgotten.
      yield* simulators.enable({ ...address, enabled: false })
      expect(yield* simulators.disconnect(address)).toBe(0)
      expect(yield* simulators.kept).toEqual([])
    })
  )
})

describe("when the service starts, a kept connection", () => {
  it.effect("is tried until its simulator is there, and then records; one that is off is not", () =>
    starting(
      [kept(9), kept(10), kept(11, { enabled: false })],
      ({ fake, simulators, store }) =>
        Effect.gen(function* () {
          expect(yield* states(simulators)).toEqual([
            [9, "reconnecting"],
            [10, "reconnecting"]
          ])
          for (let i = 0; i < 10; i++) yield* TestClock.adjust("30 seconds")
          expect(fake.dialled.length).toBeGreaterThan(10)
          expect(fake.last.options.options).toEqual({ password: "secret" })
          expect(store.sessions.size).toBe(0)
          fake.answer = accepting
          yield* TestClock.adjust("40 seconds")
          expect(yield* states(simulators)).toEqual([
            [9, "connected"],
            [10, "connected"]
          ])
          yield* fake.last.send(started(), points(range(0, 10)))
          yield* TestClock.adjust("1 second")
          expect(store.timesOf(1)).toEqual(range(1000, 1010))
        }),
      { answer: refusing }
    )
  )

  it.effect(
    "is joined by a connect with the same settings, refuses others, and is ended by a disconnect",
    () =>
      starting([kept(9, { request: request() })], ({ fake, simulators, store }) =>
        Effect.gen(function* () {
          // The simulator is silent, so another connect is tried.
          yield* TestClock.adjust("6 seconds")
          expect(yield* simulators.connect(request())).toMatchObject({ port: 9, sessionId: null })
          const others = yield* Effect.flip(simulators.connect(request({ circuit: "Spa" })))
          expect(others).toBeInstanceOf(AlreadyConnected)
          expect(yield* simulators.disconnect(undefined)).toBe(1)
          expect(fake.open).toBe(0)
          expect(yield* states(simulators)).toEqual([])
          expect(store.connections).toEqual([])
        })
      )
  )

  it.effect(
    "goes on in the session into which it recorded if the same run was recording it, and else in none",
    () => {
      return starting(
        [into(9, run), into(10, "another")],
        ({ fake, simulators, store }) =>
          Effect.gen(function* () {
            yield* settle
            // The session of this run does not exist any more: the connection ends.
            expect(yield* states(simulators)).toEqual([[10, "connected"]])
            yield* fake.last.send(started(), points(range(0, 10)))
            yield* TestClock.adjust("1 second")
            expect(store.sessions.size).toBe(1)
          }),
        { answer: accepting }
      )
    }
  )

  it.effect("stays away and listed with --no-restore, unless a client asked for it in this run", () =>
    starting(
      [kept(9), kept(10, { run })],
      ({ simulators, store }) =>
        Effect.gen(function* () {
          yield* settle
          expect(yield* states(simulators)).toEqual([[10, "connected"]])
          expect(yield* simulators.kept).toMatchObject([
            { port: 9, enabled: true, state: "off" },
            { port: 10, enabled: true, state: "connected" }
          ])
          expect(store.connections).toHaveLength(2)
          yield* simulators.enable({ host: "rig", port: 9, enabled: true })
          yield* settle
          expect(store.connections.map(({ run: ofRun }) => ofRun === run)).toEqual([true, true])
        }),
      { answer: accepting, restores: "of this run" }
    )
  )

  it.effect("waits for a catalog that is not available, and the service does not", () => {
    const store = new MemoryStore()
    store.connections = [kept(9)]
    store.fail("keptConnections", 3)
    const fake = new FakeDriver()
    fake.answer = accepting
    return Effect.gen(function* () {
      const simulators = yield* Simulators
      expect(yield* states(simulators)).toEqual([])
      yield* TestClock.adjust("1500 millis")
      expect(fake.dialled).toHaveLength(0)
      yield* TestClock.adjust("1 second")
      expect(yield* states(simulators)).toEqual([[9, "connected"]])
    }).pipe(Effect.provide(simulatorsLayer(fake, store)))
  })
})
