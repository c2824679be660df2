/** The service on a player's own machine: the browser, the folder of a package, the start at log-on. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

const opener = process.platform === "darwin" ? "open" : "xdg-open"

/** A service whose system opens pages by this script. */
const openedBy = Effect.fnUntraced(function* (script: string, ...flags: ReadonlyArray<string>) {
  const folder = yield* Box.folder
  const program = join(folder, "bin", opener)
  mkdirSync(join(folder, "bin"))
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  const env = {
    ...process.env,
    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
    OPENED: join(folder, "opened")
  }
  const words = [
    join(Box.root, "dist/program/main.js"),
    "--port",
    "0",
    "--data",
    join(folder, "data"),
    "--open"
  ]
  const service = yield* Box.startProgram(process.execPath, [...words, ...flags], { env })
  return { service, opened: () => readFileSync(env.OPENED, "utf8") }
})

// On Windows the shell opens pages, and the test cannot replace it.
describe.skipIf(process.platform === "win32")("--open", () => {
  it.scopedLive.each([
    [[], /^http:\/\/127\.0\.0\.1:\d+\/$/],
    [["--host", "0.0.0.0"], /^http:\/\/127\.0\.0\.1:\d+\/$/],
    [["--base", "/telemetry/"], /^http:\/\/127\.0\.0\.1:\d+\/telemetry\/$/],
    [["--workers", "2"], /^http:\/\/127\.0\.0\.1:\d+\/$/]
  ] as const)("with %s opens the live page", ([flags, address]) =>
    Effect.gen(function* () {
      const script = `#!/bin/sh\necho opening >&2\nprintf %s "$1" >"$OPENED.part"\nmv "$OPENED.part" "$OPENED"\n`
      const { opened } = yield* openedBy(script, ...flags)
      const page = yield* Box.until(Effect.option(Effect.try(opened)), ({ _tag }) => _tag === "Some")
      expect(page).toMatchObject({ value: expect.stringMatching(address) })
      const response = yield* Effect.promise(() => fetch(opened()))
      expect(yield* Effect.promise(() => response.text())).toContain("<script")
    })
  )

  it.scopedLive("logs that there is no browser, and serves", () =>
    Effect.gen(function* () {
      const { service } = yield* openedBy("#!/bin/sh\necho no display >&2\nexit 3\n")
      yield* Box.untilLogged(service, /No browser could be opened: .*no display/s)
      expect((yield* Box.ask(service, "GET", "/health")).status).toBe(200)
    })
  )
})

it.scopedLive("a package has another default of --data, which --help shows", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    for (const command of [[], ["verify"]]) {
      const { output } = yield* Box.run("main.js", [...command, "--help"], { TELEMETRY_DEFAULT_DATA: folder })
      expect(output).toContain(`[TELEMETRY_DATA, default ${folder}]`)
    }
    const env = { ...process.env, TELEMETRY_DEFAULT_DATA: join(folder, "data") }
    const words = [join(Box.root, "dist/program/main.js"), "--port", "0"]
    const service = yield* Box.startProgram(process.execPath, words, { env })
    expect(yield* service.signal("SIGTERM")).toBe(0)
    expect(service.errors()).not.toContain("is not a setting")
    expect(yield* Box.run("main.js", ["verify", "--data", join(folder, "data")])).toMatchObject({ code: 0 })
  })
)

it.skipIf(process.platform === "win32")("the start at log-on exists on Windows only", async () => {
  const { code, errors } = await Effect.runPromise(Box.run("main.js", ["autostart", "on"]))
  expect({ code, errors }).toEqual({
    code: 2,
    errors:
      "telemetry autostart is for Windows; docs/operations.md has a unit for systemd and an agent for launchd\n"
  })
})
