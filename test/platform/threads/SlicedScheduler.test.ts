import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SlicedScheduler } from "../../../src/platform/threads/SlicedScheduler.ts"

/** Blocks the event loop for so long, ms. */
const spend = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Counts turns of the event loop; each call returns the number so far. */
const countingTurns = async <A>(run: (turns: () => number) => Promise<A>): Promise<A> => {
  let turns = 0
  const tick = () => {
    turns++
    ticking = setImmediate(tick)
  }
  let ticking = setImmediate(tick)
  const result = await run(() => turns)
  clearImmediate(ticking)
  return result
}

const waitInVain = Effect.flatMap(Deferred.make<void>(), Deferred.await)

it("SlicedScheduler lets the event loop turn while many interrupted fibers end, in order", () =>
  countingTurns(async (turns) => {
    const seen: Array<number> = []
    const order: Array<number> = []
    const crowd = Effect.gen(function* () {
      const fibers = yield* Effect.forEach(Array.from({ length: 50 }), (_, n) =>
        Effect.fork(
          Effect.onInterrupt(waitInVain, () =>
            Effect.sync(() => {
              order.push(n)
              seen.push(turns())
              spend(1)
            })
          )
        )
      )
      // All fibers wait.
      yield* Effect.promise(() => new Promise((done) => setTimeout(done)))
      yield* Effect.forEach(fibers, Fiber.interruptFork)
      yield* Effect.forEach(fibers, Fiber.await)
    })
    await Effect.runPromise(Effect.withScheduler(crowd, new SlicedScheduler()))
    expect(order).toEqual(Array.from({ length: 50 }, (_, n) => n))
    // Each takes 1 ms at least, and a slice 4: no turn begins a sixth.
    const most = Math.max(...seen.map((turn) => seen.filter((other) => other === turn).length))
    expect(most).toBeLessThanOrEqual(5)
  }))

it("SlicedScheduler runs due tasks in a turn while there is time, also after one that throws", async () => {
  const scheduler = new SlicedScheduler()
  const ran: Array<number> = []
  await countingTurns(async (turns) => {
    await new Promise<void>((done) => {
      const begin = turns()
      scheduler.scheduleTask(() => {
        ran.push(1)
        scheduler.scheduleTask(() => {
          ran.push(2)
          expect(turns()).toBe(begin)
          done()
        })
      })
    })
    // The slice is used up: later tasks wait for the next turn.
    await new Promise<void>((done) =>
      setImmediate(() => {
        scheduler.scheduleTask(() => spend(5))
        queueMicrotask(() => {
          const begin = turns()
          scheduler.scheduleTask(() => {
            ran.push(3)
            expect(turns()).toBeGreaterThan(begin)
            done()
          })
        })
      })
    )
  })
  expect(ran).toEqual([1, 2, 3])
})
