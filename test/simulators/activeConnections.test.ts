import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { AlreadyConnected } from "../../src/domain/errors.ts"
import { points, range, started } from "../recording/events.ts"
import { settle } from "../recording/fibers.ts"
import { accepting, refusing } from "./fakeDriver.ts"
import { answering, connecting, request, states } from "./simulators.ts"

describe("active connections", () => {
  connecting(
    "are those whose handshake has succeeded, until they are ended",
    ({ fake, activeConnections, simulators }) =>
      Effect.gen(function* () {
        const wanted = [1, 2].map((port) =>
          request({ port, circuit: "Spa", options: { password: "secret" } })
        )
        yield* Effect.forEach(wanted, (one) => Effect.fork(simulators.connect(one)))
        yield* settle
        expect(yield* activeConnections.active).toEqual([])
        for (const dial of fake.dialled) yield* dial.accept
        yield* settle
        expect(yield* activeConnections.active).toEqual(wanted)
        // Also while the simulator's link is lost.
        fake.answer = refusing
        yield* fake.dialled[0]!.lose
        yield* settle
        expect(yield* states(simulators)).toEqual([
          [1, "reconnecting"],
          [2, "connected"]
        ])
        expect(yield* activeConnections.active).toEqual(wanted)
        yield* simulators.disconnect({ host: "rig", port: 1 })
        expect(yield* activeConnections.active).toEqual([wanted[1]])
        yield* simulators.disconnect(undefined)
        expect(yield* activeConnections.active).toEqual([])
      })
  )
})

describe("a connection that is taken up", () => {
  connecting(
    "is tried until its simulator is there, and then records",
    ({ fake, activeConnections, simulators, store }) =>
      Effect.gen(function* () {
        yield* activeConnections.restore([request(), request({ port: 10 })])
        yield* settle
        expect(yield* states(simulators)).toEqual([
          [9, "reconnecting"],
          [10, "reconnecting"]
        ])
        expect(yield* activeConnections.active).toEqual([request(), request({ port: 10 })])
        for (let i = 0; i < 10; i++) yield* TestClock.adjust("30 seconds")
        expect(fake.dialled.length).toBeGreaterThan(10)
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
    answering(refusing)
  )

  connecting(
    "joins a connect with the same settings, refuses others, and is ended by a disconnect, like any other",
    (rig) =>
      Effect.gen(function* () {
        const { fake, activeConnections, simulators } = rig
        yield* activeConnections.restore([request()])
        // The simulator is silent, so another connect is tried.
        yield* TestClock.adjust("6 seconds")
        expect(yield* simulators.connect(request())).toMatchObject({ port: 9, sessionId: null })
        const others = yield* Effect.flip(simulators.connect(request({ circuit: "Spa" })))
        expect(others).toBeInstanceOf(AlreadyConnected)
        expect(yield* simulators.disconnect(undefined)).toBe(1)
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
      })
  )

  connecting(
    "goes on in the session into which it recorded, and ends if that session no longer exists",
    (rig) =>
      Effect.gen(function* () {
        const { fake, activeConnections, simulators, store } = rig
        fake.answer = accepting
        const id = store.add()
        yield* activeConnections.restore([request({ sessionId: id }), request({ port: 10, sessionId: 77 })])
        yield* settle
        expect(yield* states(simulators)).toEqual([[9, "connected"]])
        yield* fake.last.send(started(), points(range(0, 10)))
        yield* TestClock.adjust("1 second")
        expect(store.timesOf(id)).toHaveLength(10)
        expect(store.sessions.size).toBe(1)
      })
  )

  connecting("waits for a store that is not available", (rig) =>
    Effect.gen(function* () {
      const { fake, activeConnections, simulators, store } = rig
      fake.answer = accepting
      store.fail("configuration", 3)
      const taken = yield* Effect.fork(activeConnections.restore([request()]))
      yield* TestClock.adjust("2 seconds")
      expect(fake.dialled).toHaveLength(0)
      yield* TestClock.adjust("1 second")
      yield* taken.await
      expect(yield* states(simulators)).toEqual([[9, "connected"]])
    })
  )
})
