/** `telemetry demo`: the service and the simulator, connected, which end with it. */
import { createInterface } from "node:readline"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

/** Its standard output until the last line of its start. */
const startDemo = (...flags: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.async<{
      readonly output: ReadonlyArray<string>
      readonly errors: () => string
      readonly stop: () => Promise<number | null>
    }>((resume) => {
      const child = spawn(process.execPath, [
        join(Box.root, "dist/program/main.js"),
        "demo",
        ...Box.FLAGS,
        ...flags
      ])
      const output: Array<string> = []
      let errors = ""
      child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
      const ended = new Promise<number | null>((done) => child.once("close", done))
      const stop = () => {
        if (child.exitCode === null) child.kill("SIGINT")
        return ended
      }
      createInterface(child.stdout).on("line", (line) => {
        output.push(line)
        if (line.startsWith("Ctrl+C")) resume(Effect.succeed({ output, errors: () => errors, stop }))
      })
      child.once("close", (code) => resume(Effect.die(new Error(`The demo ended (${code}): ${errors}`))))
    }),
    ({ stop }) => Effect.promise(stop)
  )

it.scopedLive("the demo prints only where to look, connects, and ends all that it started", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const demo = yield* startDemo("--port", "0", "--data", data)
    expect(demo.output[1]).toMatch(
      /^Connected to the native simulator at 127\.0\.0\.1:\d+\. The first lap is complete/
    )
    const address = /^ {2}Live page +(http:\S+)$/.exec(demo.output[3]!)![1]!
    interface Status {
      readonly connections: ReadonlyArray<Box.ConnectionCounts>
    }
    const status = Effect.promise(
      async () => (await (await fetch(`${address}/api/v1/status`)).json()) as Status
    )
    expect(yield* status).toMatchObject({
      connected: true,
      connections: [{ app_name: "demo", state: "connected" }]
    })
    // It is connected as soon as the simulator has answered, which then sends its session.
    yield* Box.until(status, ({ connections }) => connections[0]!.session_id !== null)
    expect(yield* Effect.promise(demo.stop)).toBe(0)
    expect(demo.errors()).toBe("")
    yield* Effect.promise(() => expect(fetch(address)).rejects.toThrow("fetch failed"))
    const service = yield* Box.startService(data)
    expect((yield* Box.get<{ readonly total: number }>(service, "/sessions")).total).toBe(1)
  })
)

it.scopedLive("the demo logs a line for each event with a finer log level", () =>
  Effect.gen(function* () {
    const flags = ["--port", "0", "--data", yield* Box.folder, "--log-level", "info", "--log-format", "json"]
    const demo = yield* startDemo(...flags)
    yield* Effect.promise(demo.stop)
    const lines = demo
      .errors()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly message: string })
    const messages = lines.map(({ message }) => message)
    expect(messages).toContain("demo reads the feed")
    expect(messages).toContainEqual(expect.stringMatching(/^Connected to bundled-simulator /))
  })
)

it.scopedLive("the demo ends with the reason if the service or the simulator cannot start", () =>
  Effect.gen(function* () {
    const data = join(Box.root, "package.json", "below")
    const { code, errors } = yield* Box.run("main.js", ["demo", "--port", "0", "--data", data])
    expect(code).toBe(1)
    expect(errors.trim().split("\n")).toEqual([expect.any(String), "The service did not start"])
  })
)
