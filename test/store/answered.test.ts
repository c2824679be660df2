import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { unlessJustAnswered } from "../../src/store/answered.ts"

it.effect("asks again only when the last answer is a tenth of a second old", () =>
  Effect.gen(function* () {
    let asked = 0
    const check = unlessJustAnswered(Effect.sync(() => void asked++))
    yield* check
    yield* TestClock.adjust("99 millis")
    yield* check
    expect(asked).toBe(1)
    yield* TestClock.adjust("1 millis")
    yield* check
    expect(asked).toBe(2)
  })
)

it.effect("never remembers a failure", () =>
  Effect.gen(function* () {
    let away = true
    const check = unlessJustAnswered(Effect.suspend(() => (away ? Effect.fail("away") : Effect.void)))
    expect(yield* Effect.flip(check)).toBe("away")
    away = false
    yield* check
    away = true
    yield* TestClock.adjust("1 second")
    expect(yield* Effect.flip(check)).toBe("away")
  })
)

it.effect("asks again when the clock is set back", () =>
  Effect.gen(function* () {
    let asked = 0
    const check = unlessJustAnswered(Effect.sync(() => void asked++))
    yield* TestClock.setTime(10_000)
    yield* check
    yield* TestClock.setTime(0)
    yield* check
    expect(asked).toBe(2)
  })
)
