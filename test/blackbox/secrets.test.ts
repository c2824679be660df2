/** A user's secrets are in no output, log or answer. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

/** Percent-encoded it is another text: neither form may appear. */
const SECRET = "s3cret%2Fmark"
const hidden = /s3cret/

const paths = ["health", "status", "sessions", "configuration"]

/** Everything that a started service outputs and answers. */
const outputOf = Effect.fnUntraced(function* (service: Box.Running, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const answers = yield* Effect.promise(() =>
    Promise.all(
      [...paths.map((path) => `/api/v1/${path}`), "/metrics", "/openapi.json", "/"].map(async (path) => {
        const answer = await fetch(service.address + path, { headers })
        return `${path} ${answer.status} ${await answer.text()}`
      })
    )
  )
  yield* service.signal("SIGTERM")
  return [service.errors(), ...answers].join("\n")
})

it.scopedLive.each([1, 2])("a service of %s workers shows no secret", (workers) =>
  Effect.gen(function* () {
    const flags = [
      "--workers",
      String(workers),
      "--log-level",
      "trace",
      "--token",
      "s3cret-token-of-16-letters"
    ]
    // Nothing listens on port 1.
    const stores = ["--otlp", `http://user:${SECRET}@127.0.0.1:1`]
    const service = yield* Box.startService(yield* Box.folder, ...flags, ...stores)
    const output = yield* outputOf(service, "s3cret-token-of-16-letters")
    expect(output).toContain("/api/v1/health 200")
    expect(output.split("\n").filter((line) => hidden.test(line))).toEqual([])
  })
)

it.scopedLive.each<readonly [string, string]>([
  ["catalog", "postgres://user:s3cret/mark@127.0.0.1:1/telemetry"],
  ["points", `questdb://user:${SECRET}@127.0.0.1:1?unknown=1`],
  ["token", "s3cret"]
])("the start with --%s %s shows no secret", ([flag, address]) =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const all = [
      "--port",
      "0",
      "--data",
      folder,
      "--log-level",
      "trace",
      "--stop-within",
      "1",
      `--${flag}`,
      address
    ]
    const { code, errors, output } = yield* Box.run("main.js", all)
    expect(code).not.toBe(0)
    expect(errors).not.toBe("")
    expect(errors + output).not.toMatch(hidden)
  })
)

it.scopedLive("the wait for a catalog shows no secret", () =>
  Effect.gen(function* () {
    const address = `postgres://user:${SECRET}@127.0.0.1:1/telemetry`
    const service = yield* Box.beginService(yield* Box.folder, "--log-level", "trace", "--catalog", address)
    yield* Box.untilLogged(service, /127\.0\.0\.1:1\b/)
    yield* service.signal("SIGTERM")
    expect(service.errors()).not.toMatch(hidden)
  })
)
