/** The real service with recorded sessions, and programs that request them. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { writeCircles } from "../blackbox/circles.ts"
import * as Box from "../support/processes.ts"

export const LAPS = 4

/** Sessions 1 to 5 are empty; session 6 has laps 1 to 4. */
export const RECORDED = 6

interface Recorded {
  readonly service: Box.Running
  readonly simulator: Box.Running
  readonly folder: string
}

const recorded = Effect.gen(function* () {
  const folder = yield* Box.folder
  const data = join(folder, "data")
  const recorder = yield* Box.startService(data)
  for (let id = 1; id < RECORDED; id++) {
    yield* Box.ask(recorder, "POST", "/sessions", {
      circuit: "Empty",
      vehicle: "Kart",
      driver: `Nobody ${id}`
    })
  }
  const file = join(folder, "circles.ndjson")
  const points = writeCircles(file, LAPS)
  const simulator = yield* Box.startSimulator("--replay", file, "--speed", "max")
  yield* Box.replayed(recorder, simulator, points)
  yield* recorder.signal("SIGTERM")
  // Most connects of the tests cannot succeed, so they end soon; the recording above may take as long as it needs.
  const service = yield* Box.startService(data, "--connect-timeout", "1")
  return { folder, service, simulator } satisfies Recorded
})

export class Service extends Context.Tag("test/Service")<Service, Recorded>() {
  static readonly layer = Layer.scoped(this, recorded)
}

interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs the program to its end; returns its output and its errors. */
const run = (command: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  Effect.async<Ran>((resume) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

export const succeeds = Effect.fn(function* (...call: Parameters<typeof run>) {
  const ran = yield* run(...call)
  expect([call[0], ran.code, ran.code === 0 ? "" : ran.output]).toEqual([call[0], 0, ""])
  return ran.output
})

interface Description {
  readonly paths: Readonly<Record<string, object>>
}

export const operationsOf = (service: Box.Running) =>
  Effect.promise(async () => {
    const { paths } = (await (await fetch(`${service.address}/openapi.json`)).json()) as Description
    return Object.values(paths).flatMap((item) => Object.keys(item)).length
  })
