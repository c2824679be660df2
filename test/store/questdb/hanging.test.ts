/** How a server that hangs is distinguished from a slow one. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { readQuestdbAddress } from "../../../src/platform/addresses/questdb.ts"
import { whileAlive } from "../../../src/store/questdb/hanging.ts"

/** A server whose `/ping` is answered, or never. */
const serving = Effect.fn(function* (answers: boolean) {
  const requested = yield* Deferred.make<void>()
  const answered = yield* Deferred.make<void>()
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(({ url }, response) => {
        expect(url).toBe("/ping")
        Deferred.unsafeDone(requested, Effect.void)
        if (answers) response.writeHead(204).end(() => Deferred.unsafeDone(answered, Effect.void))
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        made.close()
        made.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    address: Either.getOrThrow(readQuestdbAddress(`questdb://127.0.0.1:${port}`)),
    requested,
    answered
  }
})

it.scoped("a server without a sign of life is given up, also by an uninterruptible caller", () =>
  Effect.gen(function* () {
    const { address, requested } = yield* serving(false)
    const waiting = yield* Effect.fork(
      Effect.uninterruptible(Effect.flip(whileAlive(address, "30 seconds")(Effect.never)))
    )
    yield* TestClock.adjust("2 seconds")
    yield* Deferred.await(requested)
    expect(waiting.unsafePoll()).toBe(null)
    yield* TestClock.adjust("3 seconds")
    expect(yield* Fiber.join(waiting)).toBeInstanceOf(StoreUnavailable)
  })
)

it.scoped("a server that answers pings is waited for", () =>
  Effect.gen(function* () {
    const { address, answered } = yield* serving(true)
    const answer = yield* Deferred.make<string>()
    const waiting = yield* Effect.fork(whileAlive(address, "30 seconds")(Deferred.await(answer)))
    yield* TestClock.adjust("2 seconds")
    yield* Deferred.await(answered)
    expect(waiting.unsafePoll()).toBe(null)
    yield* Deferred.succeed(answer, "late")
    expect(yield* Fiber.join(waiting)).toBe("late")
  })
)

it.scoped("a refused ping is no sign of life", () =>
  Effect.gen(function* () {
    // Port 1 of this machine: nothing listens.
    const address = Either.getOrThrow(readQuestdbAddress("questdb://127.0.0.1:1"))
    const waiting = yield* Effect.fork(Effect.flip(whileAlive(address, "30 seconds")(Effect.never)))
    yield* TestClock.adjust("2 seconds")
    expect(yield* Fiber.join(waiting)).toBeInstanceOf(StoreUnavailable)
  })
)

it.scoped("a server that answers pings but no query is waited for up to the limit", () =>
  Effect.gen(function* () {
    const { address } = yield* serving(true)
    const waiting = yield* Effect.fork(Effect.flip(whileAlive(address, "1 second")(Effect.never)))
    yield* TestClock.adjust("1 second")
    expect(String((yield* Fiber.join(waiting)).cause)).toBe("Error: no answer within 1s")
  })
)
