/** A process that hangs is distinguished from one that is busy. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option, TestClock } from "effect"
import { untilHung } from "../../src/cluster/heartbeat.ts"
import { unavailable } from "../../src/cluster/Relay.ts"

const LIMIT = Duration.seconds(30)

/** Pings a process that answers with `answer`; returns whether it counts as hanging after a time. */
const pinging = (answer: Effect.Effect<void, unknown>) =>
  Effect.map(Effect.fork(untilHung(answer, LIMIT)), (fiber) => ({
    hangsAfter: (seconds: number) =>
      Effect.zipRight(
        TestClock.adjust(Duration.seconds(seconds)),
        Effect.map(Fiber.poll(fiber), Option.isSome)
      )
  }))

it.effect("heartbeat finds a process that does not answer, after the limit", () =>
  Effect.gen(function* () {
    const { hangsAfter } = yield* pinging(Effect.never)
    expect(yield* hangsAfter(29)).toBe(false)
    expect(yield* hangsAfter(1)).toBe(true)
  })
)

it.effect("heartbeat finds a process that stops answering", () =>
  Effect.gen(function* () {
    let stopped = false
    const { hangsAfter } = yield* pinging(Effect.suspend(() => (stopped ? Effect.never : Effect.void)))
    expect(yield* hangsAfter(120)).toBe(false)
    stopped = true
    expect(yield* hangsAfter(29)).toBe(false)
    expect(yield* hangsAfter(6)).toBe(true)
  })
)

it.effect("heartbeat tolerates a process that is repeatedly busy for less than the limit", () =>
  Effect.gen(function* () {
    let busyUntil = 0
    const answer = Effect.gen(function* () {
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      if (now >= busyUntil + 1000) busyUntil = now + 25_000
      yield* Effect.sleep(Duration.millis(busyUntil - now))
    })
    const { hangsAfter } = yield* pinging(answer)
    expect(yield* hangsAfter(120)).toBe(false)
    expect(busyUntil).toBeGreaterThan(100_000)
  })
)

it.effect("heartbeat leaves the end of a process to its starter", () =>
  Effect.gen(function* () {
    let pings = 0
    const { hangsAfter } = yield* pinging(
      Effect.suspend(() => (++pings > 3 ? unavailable("the process has ended") : Effect.void))
    )
    expect(yield* hangsAfter(120)).toBe(false)
    expect(pings).toBe(4)
  })
)
