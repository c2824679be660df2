import { describe, expect, it } from "@effect/vitest"
import { Cause, Console, Effect, Layer } from "effect"
import * as Logging from "../../src/observability/logging.ts"

/** The lines that a program logs to standard error in a format. */
const written = Effect.fnUntraced(function* (format: Logging.LogFormat, program: Effect.Effect<void>) {
  const lines: Array<string> = []
  const current = yield* Console.consoleWith(Effect.succeed)
  const console = Object.assign(Object.create(current) as Console.Console, {
    unsafe: { ...current.unsafe, error: (line: unknown) => void lines.push(String(line)) }
  })
  yield* program.pipe(
    Effect.provide(Layer.fresh(Logging.layer("debug", format))),
    Effect.withConsole(console)
  )
  return lines
})

const broken = Effect.logError("A request failed", Cause.die(new Error("no such\n  thing"))).pipe(
  Effect.annotateLogs({ request: 7, simulator: "127.0.0.1:9100" })
)

describe("a log", () => {
  it.effect("for people has one line for each event with any text", () =>
    Effect.gen(function* () {
      const lines = yield* written("pretty", Effect.zipRight(Effect.logInfo("Two\nlines"), broken))
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}Two lines$/)
      expect(lines[1]).toMatch(
        /^\S+ ERROR A request failed \((?=.*\brequest 7\b)(?=.*\bsimulator 127\.0\.0\.1:9100\b).*\) Error: no such thing at /
      )
      for (const line of lines) expect(line).not.toContain("\n")
    })
  )

  it.effect("for people passes on no control character, at any place", () =>
    Effect.gen(function* () {
      const hostile = "a\u001b[2J\u009b1A\u0007b\r\n12:00:00.000 INFO  c\u2028d\u0085e"
      const lines = yield* written(
        "pretty",
        Effect.logWarning(hostile, { said: [hostile] }, Cause.die(new Error(hostile))).pipe(
          Effect.annotateLogs("circuit", hostile)
        )
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
      expect(lines[0]).toMatch(/ WARN {2}a\\u001b\[2J\\u009b1A\\u0007b 12:00:00\.000 INFO {2}c d e /)
    })
  )

  it.effect("for programs is JSON with the same content", () =>
    Effect.gen(function* () {
      const lines = yield* written("json", broken)
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0]!)).toMatchObject({
        logLevel: "ERROR",
        message: "A request failed",
        annotations: { request: 7, simulator: "127.0.0.1:9100" }
      })
    })
  )
})
