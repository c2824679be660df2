/** The wait for a PostgreSQL that is away, and its log. */
import { describe, expect, it } from "@effect/vitest"
import { SqlError } from "@effect/sql"
import { Duration, Effect, Fiber, Logger, TestClock } from "effect"
import type { StoreUnavailable } from "../../../src/domain/errors.ts"
import { reached } from "../../../src/store/postgres/reached.ts"

const URL = "postgres://someone:a-secret@db:5432/telemetry"
const MINUTE = Duration.minutes(1)

const failure = (cause: Error) => new SqlError.SqlError({ cause, message: "PgClient: Failed to connect" })
const refused = failure(new Error("connect ECONNREFUSED 10.0.0.7:5432"))
const coded = (code: string, message: string) => failure(Object.assign(new Error(message), { code }))

/** A server that turns its first callers down in this way, and counts them. */
const serverOf = (error: SqlError.SqlError, failures: number) => {
  const server = { calls: 0 }
  const connect = Effect.suspend(() => (++server.calls > failures ? Effect.succeed("connected") : error))
  return { server, connect }
}

/** The result, or the sentence of the error; and the logged lines. */
const observed = (effect: Effect.Effect<string, StoreUnavailable>) => {
  const lines: Array<string> = []
  const logger = Logger.make(
    ({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`)
  )
  return effect.pipe(
    Effect.catchAll(({ reason }) => Effect.succeed(reason)),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    Effect.map((outcome) => ({ outcome, lines }))
  )
}

describe("a PostgreSQL that is away", () => {
  it.effect("is waited for, which is logged", () =>
    Effect.gen(function* () {
      const { connect, server } = serverOf(refused, 4)
      const running = yield* Effect.fork(observed(reached(URL, MINUTE, connect)))
      yield* TestClock.adjust("20 seconds")
      const { outcome, lines } = yield* Fiber.join(running)
      expect(outcome).toBe("connected")
      expect(server.calls).toBe(5)
      const waiting =
        "WARN PostgreSQL at db:5432/telemetry: connect ECONNREFUSED 10.0.0.7:5432. Waiting for it, 1m at most"
      expect(lines).toEqual([
        waiting,
        waiting,
        waiting,
        waiting,
        "INFO PostgreSQL at db:5432/telemetry answers"
      ])
    })
  )

  it.effect("is given up after that time, with a sentence that has no password", () =>
    Effect.gen(function* () {
      const { connect, server } = serverOf(refused, Infinity)
      const running = yield* Effect.fork(observed(reached(URL, MINUTE, connect)))
      yield* TestClock.adjust("55 seconds")
      expect(yield* Fiber.poll(running)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("10 seconds")
      const { outcome, lines } = yield* Fiber.join(running)
      expect(outcome).toBe(
        "PostgreSQL at db:5432/telemetry: connect ECONNREFUSED 10.0.0.7:5432; waited 1m for it"
      )
      expect(lines.join()).not.toContain("a-secret")
      // Rarely enough not to hinder a server that recovers.
      expect(server.calls).toBeLessThan(20)
    })
  )

  it.effect("is tried once without waiting", () =>
    Effect.gen(function* () {
      const { connect, server } = serverOf(refused, Infinity)
      const { outcome, lines } = yield* observed(reached(URL, Duration.zero, connect))
      expect(outcome).toBe("PostgreSQL at db:5432/telemetry: connect ECONNREFUSED 10.0.0.7:5432")
      expect([server.calls, lines]).toEqual([1, []])
    })
  )

  it.effect("is distinguished from one that answers and refuses for good", () =>
    Effect.gen(function* () {
      for (const error of [
        coded("28P01", 'password authentication failed for user "someone"'),
        coded("3D000", 'database "telemetry" does not exist')
      ]) {
        const { connect, server } = serverOf(error, Infinity)
        const { outcome } = yield* observed(reached(URL, MINUTE, connect))
        expect(outcome).toContain((error.cause as Error).message)
        expect(server.calls).toBe(1)
      }
      // A server that starts up is waited for.
      const { connect } = serverOf(coded("57P03", "the database system is starting up"), 1)
      const running = yield* Effect.fork(observed(reached(URL, MINUTE, connect)))
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(running)).outcome).toBe("connected")
    })
  )

  it.effect("is reported with the reason of each address of its name", () =>
    Effect.gen(function* () {
      const both = new AggregateError([
        new Error("connect ECONNREFUSED ::1:5432"),
        new Error("connect ECONNREFUSED 127.0.0.1:5432")
      ])
      const { outcome } = yield* observed(reached(URL, Duration.zero, serverOf(failure(both), 1).connect))
      expect(outcome).toContain("connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432")
    })
  )
})
