/** The queue in which requests wait for one another. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scheduler } from "effect"
import { Turns } from "../../src/platform/Turns.ts"

const WAITERS = 200

/** Counts the times that a fiber is woken. */
class Counting implements Scheduler.Scheduler {
  woken = 0
  readonly #scheduler = new Scheduler.MixedScheduler(2048)
  readonly shouldYield = this.#scheduler.shouldYield.bind(this.#scheduler)
  scheduleTask(task: Scheduler.Task, priority: number) {
    this.woken++
    this.#scheduler.scheduleTask(task, priority)
  }
}

it.effect("turns let in as many as allowed, in the order of their arrival", () =>
  Effect.gen(function* () {
    const turns = new Turns(2)
    const gates = yield* Effect.all(Array.from({ length: 5 }, () => Deferred.make<void>()))
    const begun: Array<number> = []
    const fibers = yield* Effect.forEach(gates, (gate, n) =>
      Effect.fork(
        turns.run(
          Effect.zipRight(
            Effect.sync(() => begun.push(n)),
            Deferred.await(gate)
          )
        )
      )
    )
    yield* Effect.yieldNow()
    expect([begun, turns.waiting]).toEqual([[0, 1], 3])
    yield* Deferred.succeed(gates[1]!, undefined)
    yield* Fiber.join(fibers[1]!)
    // A fiber that gives up leaves its place to the next.
    yield* Fiber.interrupt(fibers[3]!)
    yield* Deferred.succeed(gates[0]!, undefined)
    yield* Fiber.join(fibers[0]!)
    yield* Effect.yieldNow()
    expect([begun, turns.waiting]).toEqual([[0, 1, 2, 4], 0])
  })
)

it.effect("turns let in the next if one fails, is interrupted, or is interrupted as it is let in", () =>
  Effect.gen(function* () {
    const turns = new Turns(1)
    const holding = yield* Effect.fork(turns.run(Effect.never))
    yield* Effect.yieldNow()
    const next = yield* Effect.fork(turns.run(Effect.never))
    const last = yield* Effect.fork(turns.run(Effect.succeed("in")))
    yield* Effect.yieldNow()
    // Both in one turn: `next` is let in by the end of `holding`, and has not run when it is interrupted.
    yield* Effect.all([Fiber.interrupt(holding), Fiber.interrupt(next)], { concurrency: "unbounded" })
    expect(yield* Fiber.join(last)).toBe("in")
    expect(Exit.isFailure(yield* Effect.exit(turns.run(Effect.fail("broken"))))).toBe(true)
    expect(yield* turns.run(Effect.succeed("again"))).toBe("again")
  })
)

it.effect("turns let in by weight, in order, and those behind one that gives up", () =>
  Effect.gen(function* () {
    const turns = new Turns(4)
    const begun: Array<number> = []
    const holding = (weight: number) =>
      Effect.fork(
        Effect.scoped(
          Effect.zipRight(
            turns.weighing(weight),
            Effect.zipRight(
              Effect.sync(() => begun.push(weight)),
              Effect.never
            )
          )
        )
      )
    const first = yield* holding(3)
    const whole = yield* holding(9)
    yield* holding(1)
    yield* Effect.yieldNow()
    // The second has the weight of all turns, and the third waits behind it.
    expect([begun, turns.waiting]).toEqual([[3], 2])
    yield* Fiber.interrupt(whole)
    yield* Effect.yieldNow()
    expect([begun, turns.waiting]).toEqual([[3, 1], 0])
    yield* Fiber.interrupt(first)
    yield* holding(3)
    yield* Effect.yieldNow()
    expect(begun).toEqual([3, 1, 3])
  })
)

/** The number of wakes of fibers when one waiting fiber after another is let in, or leaves. */
const wokenBy = (run: Turns["run"]) => {
  const counting = new Counting()
  return Effect.gen(function* () {
    const fibers = yield* Effect.forEach(Array.from({ length: WAITERS }), () =>
      Effect.fork(run(Effect.sleep("1 millis")))
    )
    yield* Effect.yieldNow()
    yield* Effect.forEach(fibers, (fiber) => Fiber.interrupt(fiber))
    return counting.woken
  }).pipe(Effect.withScheduler(counting))
}

it.live("turns wake a waiter when it is let in, and not whenever another leaves", () =>
  Effect.gen(function* () {
    const few = 10 * WAITERS
    // The reason for our own queue: if this fails, Effect's semaphore will do.
    const semaphore = yield* Effect.makeSemaphore(1)
    expect(yield* wokenBy((effect) => semaphore.withPermits(1)(effect))).toBeGreaterThan(few)
    expect(yield* wokenBy(new Turns(1).run)).toBeLessThan(few)
  })
)
