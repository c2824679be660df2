/** `npm pack`: the tarball, installed into an empty folder. Takes a compiler where there is no ready-made SQLite. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../blackbox/processes.ts"
import { records } from "./recordedByIt.ts"

const NPM = ["--no-audit", "--no-fund"]

/** Where the tarball is. */
const tarball = Effect.gen(function* () {
  const folder = yield* Box.folder
  const packed = yield* Box.runProgram("npm", ["pack", "--pack-destination", folder], { cwd: Box.root })
  expect(packed).toMatchObject({ code: 0 })
  return join(folder, readdirSync(folder)[0]!)
})

const { devDependencies, version } = JSON.parse(readFileSync(join(Box.root, "package.json"), "utf8")) as {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

const consumer = `
import { createTelemetryClient, type Outputs } from "telemetry-session-service/client"
const client = createTelemetryClient(process.argv[2]!)
const { items } = await client.sessions.list.query({ limit: 1 })
const circuit: string = items[0]!.circuit
// @ts-expect-error a circuit is a text: were the types not there, this would be anything
const wrong: number = items[0]!.circuit
const status: Outputs["system"]["status"] = await client.system.status.query()
// @ts-expect-error nor is this
const alsoWrong: string = status.connected
console.log(circuit, status.sessions_count)
`

it.scopedLive("npx runs it in an empty folder", () =>
  Effect.gen(function* () {
    const file = yield* tarball
    const folder = yield* Box.folder
    const ran = yield* Box.runProgram(
      "npx",
      ["--yes", "--package", file, "telemetry-session-service", "--version"],
      { cwd: folder }
    )
    expect(ran).toMatchObject({ code: 0, output: `${version}\n` })
  })
)

it.scopedLive("it installs only what runs, records, and has a typed client", () =>
  Effect.gen(function* () {
    const file = yield* tarball
    const folder = yield* Box.folder
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    const npm = (...words: ReadonlyArray<string>) =>
      Box.runProgram("npm", [...words, ...NPM], { cwd: folder })
    expect(yield* npm("install", file)).toMatchObject({ code: 0 })
    const installed = readdirSync(join(folder, "node_modules"))
    for (const absent of ["effect", "typescript", "@opentelemetry", "@effect", "@trpc", "undici"]) {
      expect(installed).not.toContain(absent)
    }
    const bin = (name: string) => join(folder, "node_modules/.bin", name)
    const options = { cwd: folder }
    yield* records(
      {
        service: (...flags) => Box.startProgram(bin("telemetry-session-service"), flags, options),
        simulator: (...flags) => Box.startProgram(bin("telemetry-simulator"), flags, options)
      },
      folder
    )

    // What README names for the client, in the versions that it was made with.
    const peers = ["@trpc/client", "@trpc/server", "effect", "typescript", "@types/node"]
    expect(yield* npm("install", ...peers.map((name) => `${name}@${devDependencies[name]}`))).toMatchObject({
      code: 0
    })
    writeFileSync(join(folder, "use.ts"), consumer)
    const compiled = yield* Box.runProgram(
      process.execPath,
      [
        "node_modules/typescript/bin/tsc",
        "use.ts",
        ..."--module nodenext --strict --skipLibCheck --target es2022 --types node".split(" ")
      ],
      options
    )
    expect(compiled).toEqual({ code: 0, output: "", errors: "" })
    const service = yield* Box.startProgram(
      bin("telemetry"),
      ["--port", "0", "--data", join(folder, "data")],
      options
    )
    expect(yield* Box.runProgram(process.execPath, ["use.js", service.address], options)).toEqual({
      code: 0,
      output: "Oval 1\n",
      errors: ""
    })
  })
)
