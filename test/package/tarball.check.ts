/** `npm pack`: the tarball, installed by npx in an empty folder. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { records } from "./recordedByIt.ts"

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

it.scopedLive("npx runs the tarball in an empty folder, installs only what runs, and it records", () =>
  Effect.gen(function* () {
    const file = yield* tarball
    const folder = yield* Box.folder
    // With a cache of its own, in which npx keeps what it installed.
    const cache = join(folder, "cache")
    const options = { cwd: folder, env: { ...process.env, npm_config_cache: cache } }
    const npx = ["--yes", "--package", file, "telemetry-session-service", "--version"]
    expect(yield* Box.runProgram("npx", npx, options)).toMatchObject({ code: 0, output: `${version}\n` })
    const [installation] = readdirSync(join(cache, "_npx"))
    const modules = join(cache, "_npx", installation!, "node_modules")
    for (const absent of ["effect", "typescript", "@opentelemetry", "@effect", "@trpc", "undici"]) {
      expect(readdirSync(modules)).not.toContain(absent)
    }
    expect(readdirSync(modules).filter((name) => name.startsWith("node-"))).toEqual([])
    const start =
      (bin: string) =>
      (...flags: ReadonlyArray<string>) =>
        Box.startProgram(join(modules, ".bin", bin), flags, { cwd: folder })
    yield* records(
      { service: start("telemetry-session-service"), simulator: start("telemetry-simulator") },
      folder
    )
  })
)

const consumer = `
import { createTelemetryClient, type Outputs } from "telemetry-session-service/client"
const client = createTelemetryClient(process.argv[2]!)
const { items } = await client.sessions.list.query({ limit: 1 })
const circuit: string | undefined = items[0]?.circuit
// @ts-expect-error a circuit is a text: without the types this would be any
const wrong: number | undefined = items[0]?.circuit
const status: Outputs["system"]["status"] = await client.system.status.query()
// @ts-expect-error nor is this
const alsoWrong: string = status.connected
console.log(circuit, status.sessions_count)
`

it.scopedLive("the tarball's client is typed with the libraries that README names", () =>
  Effect.gen(function* () {
    const file = yield* tarball
    const folder = yield* Box.folder
    const options = { cwd: folder }
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    // In the versions that it was built with. The client itself needs no compiler.
    const peers = ["@trpc/client", "@trpc/server", "effect", "typescript", "@types/node"]
    const wanted = [file, ...peers.map((name) => `${name}@${devDependencies[name]}`)]
    const npm = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted]
    expect(yield* Box.runProgram("npm", npm, options)).toMatchObject({ code: 0 })
    writeFileSync(join(folder, "use.ts"), consumer)
    const flags = "--module nodenext --strict --skipLibCheck --target es2022 --types node".split(" ")
    const compiled = yield* Box.runProgram(
      process.execPath,
      ["node_modules/typescript/bin/tsc", "use.ts", ...flags],
      options
    )
    expect(compiled).toEqual({ code: 0, output: "", errors: "" })
    const service = yield* Box.startService(join(folder, "data"))
    expect(yield* Box.runProgram(process.execPath, ["use.js", service.address], options)).toEqual({
      code: 0,
      output: "undefined 0\n",
      errors: ""
    })
  })
)
