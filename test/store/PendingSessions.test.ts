/** The queue of work after the end of a session, over a store that is away now and then. */
import { expect, it } from "@effect/vitest"
import { Deferred, type Duration, Effect, Exit, Fiber, Scope, TestClock } from "effect"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import * as PendingSessions from "../../src/store/PendingSessions.ts"

const failure = new StoreUnavailable({ store: "points", cause: "pulled out" })

interface Options {
  readonly left?: ReadonlyArray<number>
  readonly endsWithin?: Duration.DurationInput
  /** The gate that an attempt waits for. */
  readonly until?: Effect.Effect<unknown>
}

/** A queue whose attempts are listed: "5" one that succeeds, "5!" one that fails, "5?" one that is a retry. */
const queue = Effect.fnUntraced(function* ({ endsWithin = 0, left = [], until = Effect.void }: Options = {}) {
  const attempts: Array<string> = []
  const behind: Array<string> = []
  const away = new Set<number>()
  let isLeftKnown = true
  const scope = yield* Scope.make()
  const pending = yield* PendingSessions.make({
    leftBefore: Effect.suspend(() => (isLeftKnown ? Effect.succeed(left) : failure)),
    run: (id, isRetry) =>
      Effect.suspend(() => {
        attempts.push(`${id}${isRetry ? "?" : ""}${away.has(id) ? "!" : ""}`)
        return Effect.zipRight(until, away.has(id) ? failure : Effect.void)
      }),
    onBehind: ({ store }) => Effect.sync(() => void behind.push(store)),
    endsWithin
  }).pipe(Scope.extend(scope))
  return {
    ...pending,
    attempts,
    behind,
    away,
    knowLeft: (isKnown: boolean) => void (isLeftKnown = isKnown),
    end: Scope.close(scope, Exit.void)
  }
})

it.effect("PendingSessions works in order, and retries failures without delaying other sessions", () =>
  Effect.gen(function* () {
    const { add, attempts, away, behind, end } = yield* queue()
    away.add(1)
    for (const id of [1, 2]) yield* add(id)
    yield* TestClock.adjust(0)
    expect(attempts).toEqual(["1!", "2"])
    yield* add(3)
    yield* TestClock.adjust("4999 millis")
    expect(attempts).toEqual(["1!", "2"])
    yield* TestClock.adjust("1 millis")
    expect(attempts).toEqual(["1!", "2", "1?!", "3"])
    away.clear()
    yield* TestClock.adjust("1 minute")
    expect(attempts.slice(4)).toEqual(["1?"])
    expect(behind).toEqual(["points"])
    // The next absence of the store is logged again.
    away.add(4)
    yield* add(4)
    yield* TestClock.adjust("1 minute")
    expect(behind).toEqual(["points", "points"])
    yield* end
  })
)

it.effect("PendingSessions waits for the attempt at an urgent session, whether it succeeds or not", () =>
  Effect.gen(function* () {
    const { attempts, away, doNow, end } = yield* queue()
    yield* TestClock.adjust(0)
    away.add(1)
    yield* doNow(1)
    expect(attempts).toEqual(["1!"])
    yield* doNow(2)
    away.clear()
    yield* TestClock.adjust("5 seconds")
    expect(attempts.at(-1)).toBe("1?")
    yield* end
  })
)

it.effect("PendingSessions takes up sessions left by an earlier run, as soon as it knows them", () =>
  Effect.gen(function* () {
    const { add, attempts, behind, end, knowLeft } = yield* queue({ left: [8, 9] })
    knowLeft(false)
    yield* add(1)
    yield* TestClock.adjust(0)
    expect(attempts).toEqual([])
    expect(behind).toEqual(["points"])
    knowLeft(true)
    yield* TestClock.adjust("1 minute")
    expect(attempts).toEqual(["1", "8?", "9?"])
    yield* end
  })
)

it.effect("PendingSessions repeats the work of a session that ends again meanwhile", () =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const { add, attempts, end } = yield* queue({ until: Deferred.await(done) })
    yield* add(1)
    yield* TestClock.adjust(0)
    yield* add(1)
    yield* Deferred.succeed(done, undefined)
    yield* TestClock.adjust(0)
    expect(attempts).toEqual(["1", "1"])
    yield* end
  })
)

it.effect("PendingSessions finishes pending work at its end, without pause or interruption", () =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const { add, attempts, away, end } = yield* queue({ endsWithin: "1 hour", until: Deferred.await(done) })
    away.add(1)
    yield* add(1)
    yield* TestClock.adjust(0)
    const ended = yield* Effect.fork(end)
    yield* add(2)
    yield* TestClock.adjust(0)
    away.clear()
    yield* Deferred.succeed(done, undefined)
    yield* Fiber.join(ended)
    expect(attempts).toEqual(["1!", "2", "1?"])
  })
)

it.effect("PendingSessions respects its time limit at its end", () =>
  Effect.gen(function* () {
    const { add, attempts, end } = yield* queue({ endsWithin: "2 seconds", until: Effect.never })
    for (const id of [1, 2]) yield* add(id)
    yield* TestClock.adjust(0)
    const ended = yield* Effect.fork(end)
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(ended)
    expect(attempts).toEqual(["1"])
  })
)
