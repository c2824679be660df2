import { expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, TestClock } from "effect"
import { driving } from "../../../simulator/emulators/driving.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../../simulator/model/vehicles.ts"

const start = (rate: number, speed: number) =>
  Effect.gen(function* () {
    const seen: Array<Frame> = []
    const options = {
      circuit: circuitNamed("Larkspur Park")!,
      vehicle: vehicleNamed("Wren Cup")!,
      laps: 0,
      seed: 1,
      rate,
      speed,
      pauses: [],
      restarts: []
    }
    const drive = driving(options)((frame) => seen.push(frame))
    const fiber = yield* Effect.fork(drive)
    yield* Effect.yieldNow()
    return { seen, fiber, drive }
  })

it.effect("frames come when they are due", () =>
  Effect.gen(function* () {
    const { seen } = yield* start(60, 1)
    expect(seen).toHaveLength(1)
    yield* TestClock.adjust("16 millis")
    expect(seen).toHaveLength(1)
    yield* TestClock.adjust("1 millis")
    expect(seen).toHaveLength(2)
    yield* TestClock.adjust("983 millis")
    expect(seen.map(({ index }) => index)).toEqual(Array.from({ length: 61 }, (_, n) => n))
  })
)

it.effect("several frames come at a time if they are closer than timers allow", () =>
  Effect.gen(function* () {
    const { seen } = yield* start(5000, 1)
    yield* TestClock.adjust("100 millis")
    expect(seen).toHaveLength(501)
  })
)

it.effect("frames may come at a multiple of real time", () =>
  Effect.gen(function* () {
    const { seen } = yield* start(60, 20)
    yield* TestClock.adjust("200 millis")
    expect(seen).toHaveLength(241)
    expect(seen.at(-1)!.sessionTime).toBe(4)
  })
)

it.effect("each run has a drive of its own", () =>
  Effect.gen(function* () {
    const { drive, fiber, seen } = yield* start(60, 1)
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.interrupt(fiber)
    yield* Effect.fork(drive)
    yield* TestClock.adjust("1 seconds")
    expect(seen.slice(61).map(({ index }) => index)).toEqual(Array.from({ length: 61 }, (_, n) => n))
  })
)

it.effect("frames that are late are caught up with, unless they are more than a second late", () =>
  Effect.gen(function* () {
    let now = 0n
    let wake: (() => void) | undefined
    // A machine that is held up wakes late, which the test's own clock never does.
    const clock: Clock.Clock = {
      ...Clock.make(),
      currentTimeNanos: Effect.sync(() => now),
      sleep: () =>
        Effect.async((resume) => {
          wake = () => resume(Effect.void)
        })
    }
    const { seen } = yield* start(60, 1).pipe(Effect.withClock(clock))
    const after = (ms: number) =>
      Effect.suspend(() => {
        now += BigInt(ms) * 1_000_000n
        wake?.()
        return Effect.yieldNow()
      })
    yield* after(500)
    expect(seen).toHaveLength(31)
    yield* after(60_000)
    expect(seen).toHaveLength(91)
    yield* after(500)
    expect(seen).toHaveLength(121)
    expect(seen.map(({ index }) => index)).toEqual(seen.map((_, n) => n))
  })
)
