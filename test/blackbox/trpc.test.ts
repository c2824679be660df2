/** The typed client against the built service: as it is published, as an example, and against several workers. */
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createTelemetryClient } from "../../src/api/trpc/client.ts"
import { type LapEvent, type SessionEvent, subscribed, type TelemetryEvent } from "../api/trpc/support.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import * as Box from "../support/processes.ts"
import { killProcess } from "./serviceProcesses.ts"

/** Runs a program of node_modules to its end. */
const program = (name: string, args: ReadonlyArray<string>, cwd = Box.root) =>
  Effect.async<{ readonly code: number | null; readonly output: string }>((resume) => {
    const child = spawn(join(Box.root, "node_modules/.bin", name), args, { cwd })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => (output += data.toString()))
    }
    child.once("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const published = join(Box.root, "dist/src/api/trpc")

/** All modules that a built module imports, directly or not; modules of packages by their names. */
const importsOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  seen.add(file)
  for (const [, name = ""] of readFileSync(join(published, file), "utf8").matchAll(/from "(.+?)"/g)) {
    if (!name.startsWith("./")) seen.add(name)
    else if (!seen.has(name.slice(2))) importsOf(name.slice(2), seen)
  }
  return seen
}

it("the published client holds nothing of the service but types", () => {
  const { exports } = JSON.parse(readFileSync(join(Box.root, "package.json"), "utf8"))
  expect(exports["./client"].default).toBe("./dist/src/api/trpc/client.js")
  expect([...importsOf("client.js")].sort()).toEqual([
    "@trpc/client",
    "FetchEventSource.js",
    "client.js",
    "limits.js"
  ])
})

const consumer = `
import { createTelemetryClient, type LiveMessage, type Outputs } from "telemetry-session-service/client"
const client = createTelemetryClient(process.argv[2]!)
const { items, total } = await client.sessions.list.query({ limit: 1 })
const circuit: string | undefined = items[0]?.circuit
const status: Outputs["system"]["status"] = await client.system.status.query()
const received: Array<LiveMessage["type"]> = []
// @ts-expect-error an id is a number
const wrong = await client.sessions.get.query({ sessionId: "1" }).catch((error) => error.message)
client.live.laps.subscribe({}, { onData: ({ data }) => received.push(data.type) }).unsubscribe()
console.log(JSON.stringify({ circuit, total, connected: status.connected, wrong }))
`

const all = <A>(watched: ReadonlyArray<A>, holds: (one: A) => boolean) =>
  Box.until(
    Effect.sync(() => watched.every(holds)),
    (every) => every
  )

const startSeveral = Effect.flatMap(Box.folder, (data) => Box.startService(data, "--workers", "2"))

/** The service of the tests that neither end it nor kill one of its processes. */
class Several extends Context.Tag("test/Several")<Several, Box.Running>() {
  static readonly layer = Layer.scoped(this, startSeveral)
}

/** Sessions that earlier tests left. */
const recorded = (service: Box.Running) =>
  Box.get<{ readonly total: number; readonly items: ReadonlyArray<{ readonly circuit: string }> }>(
    service,
    "/sessions?limit=1"
  )

layer(Several.layer, { excludeTestServices: true })("with several workers", (it) => {
  it.scoped("a program elsewhere is typed by the published client, and runs", () =>
    Effect.gen(function* () {
      const service = yield* Several
      const folder = yield* Box.folder
      mkdirSync(join(folder, "node_modules"))
      symlinkSync(Box.root, join(folder, "node_modules/telemetry-session-service"))
      writeFileSync(join(folder, "package.json"), '{"type":"module"}')
      writeFileSync(join(folder, "use.ts"), consumer)
      const compiled = yield* program(
        "tsc",
        [
          "use.ts",
          "--module",
          "nodenext",
          "--strict",
          "--target",
          "es2022",
          "--types",
          "node",
          "--typeRoots",
          join(Box.root, "node_modules/@types")
        ],
        folder
      )
      expect(compiled).toEqual({ code: 0, output: "" })
      const { items, total } = yield* recorded(service)
      const ran = yield* Box.runScript(join(folder, "use.js"), [service.address])
      expect(JSON.parse(ran.output)).toEqual({
        circuit: items[0]?.circuit,
        total,
        connected: false,
        wrong: expect.stringMatching(/^sessionId must be a whole number/)
      })
    })
  )

  it.scoped("the example prints stored sessions and live events", () =>
    Effect.gen(function* () {
      const service = yield* Several
      const session = 1 + (yield* Box.lastSession(service))
      const simulator = yield* Box.startSimulator("--rate", "60")
      yield* Box.connect(service, simulator)
      yield* Box.until(Box.connectionOf(service), (connection) => connection?.session_id === session)
      const { total } = yield* recorded(service)
      const { code, output } = yield* Box.runScript("examples/client.ts", [service.address])
      expect([code, output]).toEqual([0, expect.any(String)])
      expect(output).toMatch(/^connected to native at /m)
      expect(output).toMatch(new RegExp(`^Newest of ${total}: .+, .+; laps so far: \\d+$`, "m"))
      // The number of points in the seconds that it listens depends on the machine.
      expect(output).toMatch(/^\d+ km\/h in gear -?\d$/m)
      yield* Box.ask(service, "POST", "/disconnect")
    })
  )
})

it.scopedLive(
  "every client receives every lap once and in order, though a worker is killed",
  () =>
    Effect.gen(function* () {
      const service = yield* startSeveral
      const recording = Box.recordingFile("ams2-road-america")
      const simulator = yield* Box.startSimulator("--replay", recording, "--speed", "300")
      const client = createTelemetryClient(service.address)
      const { live } = client
      const names = yield* Effect.promise(() => client.system.simulators.query())
      expect(names.map(({ name }) => name)).toContain("native")

      const several = [1, 2, 3, 4]
      const laps = yield* Effect.forEach(several, () =>
        subscribed<LapEvent>((handlers) => live.laps.subscribe({}, handlers))
      )
      const sessions = yield* Effect.forEach(several, () =>
        subscribed<SessionEvent>((handlers) => live.sessions.subscribe({}, handlers))
      )
      const telemetry = yield* Effect.forEach(several, () =>
        subscribed<TelemetryEvent>((handlers) => live.telemetry.subscribe({ rate: 10 }, handlers))
      )
      const states = yield* Effect.forEach(several, () =>
        subscribed<{ readonly data: { readonly connected: boolean } }>((handlers) =>
          live.connections.subscribe({}, handlers)
        )
      )
      const { hostname, port } = new URL(simulator.address)
      const target = { host: hostname, port: Number(port), app_name: "black box", simulator: "native" }
      yield* Effect.promise(() => client.connections.connect.mutate(target))
      yield* all(laps, ({ events }) => events.length >= 3)
      yield* all(telemetry, ({ events }) => events.length > 5)
      yield* all(states, ({ events }) => events.at(-1)?.data.connected === true)

      killProcess(service, "worker-1")
      yield* all(sessions, ({ events }) => events.length === 2)
      yield* Effect.promise(() => client.connections.disconnect.mutate())
      const stored = yield* Effect.promise(() => client.sessions.laps.query({ sessionId: 1 }))
      const byId = stored.toSorted((a, b) => a.id - b.id)
      yield* all(laps, ({ events }) => events.length >= byId.length)
      for (const { events } of laps) expect(events.map(({ data }) => data.data)).toEqual(byId)
      const session = yield* Effect.promise(() => client.sessions.get.query({ sessionId: 1 }))
      for (const { events } of sessions) expect(events[1]!.data.data).toEqual(session)
      yield* all(states, ({ events }) => events.at(-1)?.data.connected === false)
      // Clients of the killed worker come back, also if there is nothing more to receive.
      const watching = [...laps, ...sessions, ...telemetry, ...states]
      yield* Box.until(
        Effect.sync(() => watching.some(({ started }) => started() > 1)),
        (some) => some
      )
      for (const { errors } of watching) expect(errors).toEqual([])
      expect(yield* service.signal("SIGTERM")).toBe(0)
    }),
  needing(recordingsHere)
)
