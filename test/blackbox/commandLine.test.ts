/** The command line of the service as contract section 6 has it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"

it.scopedLive("--help shows every setting with its flag, environment variable and default", () =>
  Effect.gen(function* () {
    const { code, output } = yield* Box.run("main.js", ["--help"])
    expect(code).toBe(0)
    for (const setting of [
      /--host ADDRESS .*\[TELEMETRY_HOST, default 127\.0\.0\.1\]/,
      /--port PORT .*\[TELEMETRY_PORT, default 8080\]/,
      /--data FOLDER .*\[TELEMETRY_DATA, default \.\/data\]/,
      /--points STORE .*\[TELEMETRY_POINTS, default sqlite\]/,
      /--catalog STORE .*\[TELEMETRY_CATALOG, default sqlite\]/,
      /--workers N .*\[TELEMETRY_WORKERS, default 1\]/,
      /--hung-after SECONDS .*\[TELEMETRY_HUNG_AFTER, default 30\]/,
      /--connect-timeout SECONDS .*\[TELEMETRY_CONNECT_TIMEOUT, default 5\]/,
      /--log-level LEVEL .*\[TELEMETRY_LOG_LEVEL, default info\]/,
      /--log-format FORMAT .*\[TELEMETRY_LOG_FORMAT, default auto\]/
    ]) {
      expect(output).toMatch(setting)
    }
  })
)

for (const [flags, sentence] of [
  [["--bogus"], "Unknown option '--bogus'"],
  [["--port", "70000"], '--port must be a whole number between 0 and 65535, got "70000"'],
  [["--workers", "0"], '--workers must be a whole number between 1 and 64, got "0"'],
  [["--log-level", "loud"], "--log-level must be one of"],
  [["--connect-timeout", "0"], "--connect-timeout must be a number above 0"],
  [["stray"], "Unexpected argument 'stray'"]
] as const) {
  it.scopedLive(`${flags.join(" ")} ends with status 2 and a sentence`, () =>
    Effect.gen(function* () {
      const { code, output, errors } = yield* Box.run("main.js", flags)
      expect({ code, output }).toEqual({ code: 2, output: "" })
      expect(errors).toContain(sentence)
      expect(errors.trim().split("\n")).toHaveLength(1)
    })
  )
}

it.scopedLive("a flag wins over its environment variable, which wins over the default", () =>
  Effect.gen(function* () {
    const bad = { TELEMETRY_PORT: "many" }
    expect((yield* Box.run("main.js", [], bad)).errors).toContain("TELEMETRY_PORT must be")
    // The flag is looked at instead: this one is wrong as well, and named.
    expect((yield* Box.run("main.js", ["--port", "x"], bad)).errors).toContain("--port must be")
  })
)

it.scopedLive("a port in use and a data folder that cannot be end with status 1 and a sentence", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* Box.startService(data)
    const { port } = new URL(service.address)
    const second = yield* Box.run("main.js", ["--port", port, "--data", `${data}/other`])
    expect(second.code).toBe(1)
    expect(second.errors).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use`)
    const third = yield* Box.run("main.js", ["--port", "0", "--data", `${data}/telemetry.sqlite/below`])
    expect(third.code).toBe(1)
    expect(third.errors).toMatch(
      /^Cannot keep anything in the data folder .*: a part of that path is a file\n$/
    )
  })
)
