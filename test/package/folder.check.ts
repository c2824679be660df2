/** `npm run package`: the folder runs without an installed Node and npm. */
import { readdirSync, realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { records } from "./recordedByIt.ts"

/** On Windows it is a script of the shell: see wine.check.ts, and the job of .github/workflows/ci.yml. */
const onWindows = process.platform === "win32"

/** An environment without this process's variables, and with an empty path. */
const bare = (folder: string) => ({ PATH: join(folder, "nothing"), HOME: folder })

const packed = Effect.gen(function* () {
  const built = yield* Box.runProgram("npm", ["run", "--silent", "package"], { cwd: Box.root })
  expect(built).toMatchObject({ code: 0 })
  // Its archive lies beside it.
  return built.output.replace(/\.(tar\.gz|zip) .*\n$/, "")
})

it.scopedLive.skipIf(onWindows)("the folder records, reads back and analyses without Node and npm", () =>
  Effect.gen(function* () {
    const program = join(yield* packed, "telemetry")
    const folder = yield* Box.folder
    const options = { cwd: folder, env: bare(folder) }
    const version = yield* Box.runProgram(program, ["--version"], options)
    expect(version).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), errors: "" })
    yield* records(
      {
        service: (...flags) => Box.startProgram(program, flags, options),
        simulator: (...flags) => Box.startProgram(program, ["simulator", ...flags], options)
      },
      folder
    )
  })
)

it.scopedLive.skipIf(onWindows)("the folder can be moved, and its program called by a link", () =>
  Effect.gen(function* () {
    const folder = realpathSync(yield* Box.folder)
    const moved = join(folder, "some where")
    yield* Box.runProgram("cp", ["-R", yield* packed, moved])
    symlinkSync(join("some where", "telemetry"), join(folder, "link"))
    const options = { cwd: folder, env: { ...bare(folder), PATH: "/usr/bin:/bin" } }
    expect(yield* Box.runProgram("./link", ["--version"], options)).toMatchObject({ code: 0, errors: "" })
    const service = yield* Box.startProgram("./link", ["--port", "0"], options)
    expect((yield* Box.ask(service, "GET", "/health")).status).toBe(200)
    // Its data is in the folder where it was started.
    expect(readdirSync(folder)).toContain("data")
  })
)
