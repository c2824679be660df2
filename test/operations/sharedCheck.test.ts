import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { shared } from "../../src/operations/sharedCheck.ts"

it.effect("a shared check runs again only when its last result is a tenth of a second old", () =>
  Effect.gen(function* () {
    let checks = 0
    const check = shared(Effect.sync(() => void checks++))
    yield* check
    yield* TestClock.adjust("99 millis")
    yield* check
    expect(checks).toBe(1)
    yield* TestClock.adjust("1 millis")
    yield* check
    expect(checks).toBe(2)
  })
)

it.effect("a shared check runs once, and gives all callers meanwhile the same result", () =>
  Effect.gen(function* () {
    let checks = 0
    const gate = yield* Deferred.make<void, string>()
    const check = shared(
      Effect.suspend(() => {
        checks++
        return Deferred.await(gate)
      })
    )
    const callers = yield* Effect.forkAll(Array.from({ length: 32 }, () => Effect.either(check)))
    const impatient = yield* Effect.fork(check)
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(impatient)
    yield* Deferred.fail(gate, "away")
    const answers = yield* Fiber.join(callers)
    expect(answers.map((answer) => answer._tag)).toEqual(Array.from({ length: 32 }, () => "Left"))
    expect(checks).toBe(1)
    yield* Effect.flip(check)
    expect(checks).toBe(2)
  })
)

it.effect("a shared check never keeps a failure", () =>
  Effect.gen(function* () {
    let away = true
    const check = shared(Effect.suspend(() => (away ? Effect.fail("away") : Effect.void)))
    expect(yield* Effect.flip(check)).toBe("away")
    away = false
    yield* check
    away = true
    yield* TestClock.adjust("1 second")
    expect(yield* Effect.flip(check)).toBe("away")
  })
)

it.effect("a shared check runs again when the clock is set back", () =>
  Effect.gen(function* () {
    let checks = 0
    const check = shared(Effect.sync(() => void checks++))
    yield* TestClock.setTime(10_000)
    yield* check
    yield* TestClock.setTime(0)
    yield* check
    expect(checks).toBe(2)
  })
)
