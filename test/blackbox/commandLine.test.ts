/** The command line of the service as contract section 6 has it; what a setting may be is in app/commandLine.test.ts. */
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { openSqlite } from "../support/sqliteFile.ts"

it.scopedLive(
  "--help shows every command, and every setting with its flag, environment variable and default",
  () =>
    Effect.gen(function* () {
      const { code, output } = yield* Box.run("main.js", ["--help"])
      expect(code).toBe(0)
      for (const command of ["demo", "simulator", "migrate"])
        expect(output).toContain(`  telemetry ${command} `)
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
  [["--port", "1", "stray"], "Unexpected argument 'stray'"],
  [
    ["stray"],
    "Unknown command 'stray'. There are demo, simulator, migrate, adopt, verify, restore, import, export, redecode, autostart"
  ],
  [["autostart"], "On or off? telemetry autostart on|off"],
  [["autostart", "on", "--now"], "Unknown option '--now'"],
  [["constructor"], "Unknown command 'constructor'"],
  [["migarte"], "Unknown command 'migarte'. Did you mean migrate?"],
  [["simulator", "--rtae", "60"], "Unknown option '--rtae'. Did you mean --rate?"],
  [["demo", "--simulator", "pigeon"], "--simulator must be one of native, "],
  [["migrate", "--from", "/nowhere", "--to"], "--to needs a value"],
  [["import", "/nowhere"], "There is no file or folder /nowhere"],
  [["import"], "Name the files or folders to import"],
  [["export", "one"], "Give the number of one session"],
  [["import", "--time-zone", "Mars/Olympus", "a.ld"], "--time-zone must be the name of a time zone"]
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

it.scopedLive("a setting of the environment is read", () =>
  Effect.gen(function* () {
    const { code, errors } = yield* Box.run("main.js", [], { TELEMETRY_PORT: "many" })
    expect([code, errors]).toEqual([2, expect.stringContaining("TELEMETRY_PORT must be")])
  })
)

it.scopedLive("adopt and verify refuse a folder without a store, and leave it as it was", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    for (const command of ["adopt", "verify"]) {
      for (const data of [folder, join(folder, "mistyped")]) {
        const { code, errors, output } = yield* Box.run("main.js", [command, "--data", data])
        expect({ code, output }).toEqual({ code: 2, output: "" })
        expect(errors).toBe(`There is no store in ${data}\n`)
      }
    }
    expect(readdirSync(folder)).toEqual([])
  })
)

it.scopedLive("-h and --version are answered by every command, and by the simulator's own program", () =>
  Effect.gen(function* () {
    const { version } = JSON.parse(readFileSync(join(Box.root, "package.json"), "utf8"))
    for (const words of [[], ["demo"], ["simulator"], ["migrate"]]) {
      const answers = yield* Effect.all([
        Box.run("main.js", [...words, "--version"]),
        Box.run("main.js", [...words, "-h"])
      ])
      expect(answers[0]).toEqual({ code: 0, output: `${version}\n`, errors: "" })
      expect(answers[1]).toMatchObject({ code: 0, errors: "" })
      expect(answers[1].output).toContain(["telemetry", ...words].join(" "))
    }
    expect(yield* Box.run("simulator/main.js", ["--version"])).toEqual({
      code: 0,
      output: `${version}\n`,
      errors: ""
    })
  })
)

const npm = (...words: ReadonlyArray<string>) => Box.runProgram("npm", words, { cwd: Box.root })

it.scopedLive("a flag that npm kept is reported, with the way to pass it", () =>
  Effect.gen(function* () {
    const started = yield* npm("start", "--port", "9123")
    expect(started.code).toBe(2)
    expect(started.errors).toMatch(
      /npm kept --port for itself; put flags after --: npm start -- --port (9123|PORT)\n/
    )
    const simulator = yield* npm("run", "simulator", "--packed")
    expect(simulator.code).toBe(2)
    expect(simulator.errors).toContain("npm run simulator -- --packed\n")
    expect(yield* npm("run", "--silent", "migrate", "--", "--version")).toMatchObject({ code: 0 })
  })
)

it.scopedLive(
  "another program's file, and one that a newer version wrote, end with status 1 and a sentence",
  () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const file = join(folder, "telemetry.sqlite")
      const inFile = (statement: string) => {
        const database = openSqlite(file)
        database.exec(statement)
        database.close()
      }
      inFile("CREATE TABLE albums (id INTEGER)")
      const start = (...flags: ReadonlyArray<string>) =>
        Box.run("main.js", ["--port", "0", "--data", folder, ...flags])
      const sentence = `Cannot open the sqlite store: ${file} is not this program's: its tables are albums`
      expect(yield* start()).toEqual({ code: 1, output: "", errors: `${sentence}\n` })
      const several = yield* start("--workers", "2")
      expect(several).toMatchObject({ code: 1, output: "" })
      expect(several.errors).toContain(sentence)
      rmSync(file)

      yield* Effect.scoped(Box.startService(folder))
      inFile("UPDATE schema_versions SET version = 99")
      const newer = yield* start()
      expect(newer).toMatchObject({ code: 1, output: "" })
      expect(newer.errors).toMatch(
        /^Cannot open the (catalog|sqlite) store: its \w+ schema 99 is newer than this version of the program, which knows up to \d+\n$/
      )
    })
)

/** Runs the program in a Node that `code` changes before any of our modules is loaded. */
describe("an older Node", () => {
  /** The result of the program `main` in such an old Node; the processes that it starts have the real one. */
  const startedByOlder = Effect.fnUntraced(function* (main: string) {
    const before = join(yield* Box.folder, "before.cjs")
    writeFileSync(
      before,
      `Object.defineProperty(process.versions, "node", { value: "22.22.3" }); delete process.env.NODE_OPTIONS`
    )
    return yield* Box.runScript(main, ["--version"], { NODE_OPTIONS: `--require ${before}` })
  })
  const built = join(Box.root, "dist/program/main.js")

  it.scopedLive("ends with status 1 and a sentence", () =>
    Effect.gen(function* () {
      const main = join(yield* Box.folder, "main.js")
      copyFileSync(built, main)
      const sentence = "Node 24.9 or later is needed, and this is Node 22.22.3\n"
      expect(yield* startedByOlder(main)).toEqual({ code: 1, output: "", errors: sentence })
    })
  )

  it.scopedLive("starts the program by the Node of the clone", () =>
    Effect.gen(function* () {
      expect(yield* startedByOlder(built)).toEqual(yield* Box.run("main.js", ["--version"]))
    })
  )
})
