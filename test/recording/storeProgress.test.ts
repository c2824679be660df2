/** How long something has waited to be stored, as the service reports it. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { Attempts, stalledHere, StoreAttempts } from "../../src/recording/intake/StoreProgress.ts"
import { untilStored } from "../../src/recording/intake/untilStored.ts"

const own = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.provideService(effect, StoreAttempts, new Attempts())

it.effect("a store that does not return is reported after 2 s, until it does", () =>
  own(
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      expect(yield* stalledHere).toBe(null)
      const storing = yield* Effect.fork(untilStored("write points", Deferred.await(done)))
      yield* TestClock.adjust("1999 millis")
      expect(yield* stalledHere).toBe(null)
      yield* TestClock.adjust("1 millis")
      expect(yield* stalledHere).toEqual({ what: "write points", seconds: 2, reason: null })
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(storing)
      expect(yield* stalledHere).toBe(null)
    })
  )
)

it.effect("a store that fails again and again is reported with the reason, even if others succeed", () =>
  own(
    Effect.gen(function* () {
      let isFull = true
      const full = new StoreUnavailable({ store: "sqlite", cause: new Error("the disk is full\nat a place") })
      const write = Effect.suspend(() => (isFull ? Effect.fail(full) : Effect.void))
      const storing = yield* Effect.fork(untilStored("write points", write))
      yield* TestClock.adjust("1 second")
      yield* untilStored("extend a session", Effect.void)
      yield* TestClock.adjust("2 seconds")
      expect(yield* stalledHere).toEqual({ what: "write points", seconds: 3, reason: "the disk is full" })
      isFull = false
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(storing)
      expect(yield* stalledHere).toBe(null)
    })
  )
)

it.effect("a write that is given up is no longer reported", () =>
  own(
    Effect.gen(function* () {
      const storing = yield* Effect.fork(untilStored("write points", Effect.never))
      yield* TestClock.adjust("5 seconds")
      expect(yield* stalledHere).not.toBe(null)
      yield* Fiber.interrupt(storing)
      expect(yield* stalledHere).toBe(null)
    })
  )
)
