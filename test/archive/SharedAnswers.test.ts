import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import * as SharedAnswers from "../../src/archive/SharedAnswers.ts"

/** A computation that ends when the test releases it, with a count of its runs. */
const computing = Effect.map(Deferred.make<string, string>(), (done) => {
  const counts = { begun: 0, interrupted: 0 }
  return {
    counts,
    done,
    compute: Effect.suspend(() => {
      counts.begun++
      return Deferred.await(done)
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => counts.interrupted++)))
  }
})

/** Runs every fiber that can continue. */
const settled = Effect.repeatN(Effect.yieldNow(), 50)

it.scoped("SharedAnswers computes once for simultaneous and repeated equal requests", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    const { compute, counts, done } = yield* computing
    const asking = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 10 }, () => answer("q", "1", compute)),
        { concurrency: 10 }
      )
    )
    yield* settled
    expect(counts.begun).toBe(1)
    yield* Deferred.succeed(done, "found")
    expect(yield* Fiber.join(asking)).toEqual(Array.from({ length: 10 }, () => "found"))
    expect(yield* answer("q", "1", compute)).toBe("found")
    expect(counts.begun).toBe(1)
    expect(yield* answer("q", "2", compute)).toBe("found")
    expect(yield* answer("other", "1", compute)).toBe("found")
    expect(counts.begun).toBe(3)
  })
)

it.scoped("SharedAnswers continues when one waiting request gives up, and stops when all do", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    const { compute, counts, done } = yield* computing
    const [first, second] = [
      yield* Effect.fork(answer("q", "1", compute)),
      yield* Effect.fork(answer("q", "1", compute))
    ]
    yield* settled
    yield* Fiber.interrupt(first)
    yield* settled
    expect(counts).toEqual({ begun: 1, interrupted: 0 })
    yield* Fiber.interrupt(second)
    yield* settled
    expect(counts).toEqual({ begun: 1, interrupted: 1 })
    const third = yield* Effect.fork(answer("q", "1", compute))
    yield* settled
    expect(counts.begun).toBe(2)
    yield* Deferred.succeed(done, "found")
    expect(yield* Fiber.join(third)).toBe("found")
  })
)

it.scoped("SharedAnswers reports after some time that it still computes, and answers a later request", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    const { compute, counts, done } = yield* computing
    const first = yield* Effect.fork(Effect.either(answer("q", "1", compute)))
    yield* settled
    yield* TestClock.adjust("25 seconds")
    expect(yield* Fiber.join(first)).toMatchObject({
      left: { _tag: "StillComputing", question: "q", seconds: 25 }
    })
    yield* Deferred.succeed(done, "found")
    expect(yield* answer("q", "1", compute)).toBe("found")
    expect(counts).toEqual({ begun: 1, interrupted: 0 })
  })
)

it.scoped("SharedAnswers limits computations that no request waits for", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    const { compute, counts } = yield* computing
    const asking = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
      Effect.fork(Effect.either(answer("q", String(n), compute)))
    )
    yield* settled
    yield* TestClock.adjust("25 seconds")
    for (const one of asking)
      expect(yield* Fiber.join(one)).toMatchObject({ left: { _tag: "StillComputing" } })
    yield* settled
    expect(counts).toEqual({ begun: 5, interrupted: 3 })
  })
)

it.scoped("SharedAnswers gives a failure to all waiting requests, and does not keep it", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    const { compute, counts, done } = yield* computing
    const asking = yield* Effect.forEach([1, 2], () => Effect.fork(Effect.exit(answer("q", "1", compute))))
    yield* settled
    yield* Deferred.fail(done, "no")
    for (const one of asking) expect(yield* Fiber.join(one)).toEqual(Exit.fail("no"))
    expect(yield* Effect.exit(answer("q", "1", compute))).toEqual(Exit.fail("no"))
    expect(counts.begun).toBe(2)
  })
)

it.scoped("SharedAnswers forgets the least recently requested answers", () =>
  Effect.gen(function* () {
    const { answer } = yield* SharedAnswers.make
    let begun = 0
    const compute = Effect.sync(() => ++begun)
    for (let n = 0; n < 16; n++) yield* answer("q", String(n), compute)
    yield* answer("q", "0", compute)
    expect(begun).toBe(16)
    yield* answer("q", "16", compute)
    yield* answer("q", "0", compute)
    expect(begun).toBe(17)
    yield* answer("q", "1", compute)
    expect(begun).toBe(18)
  })
)
