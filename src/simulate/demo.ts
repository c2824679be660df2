/**
 * `npm run demo`: the service and the bundled simulator, connected, each a process of its own as they are
 * used for real. Flags are the service's, but for `--simulator PROTOCOL`, which makes the bundled one an emulator
 * (it takes any free port), and `--questdb`, which keeps points in a QuestDB of the demo's own, at a high rate. Ends
 * all of them when it is told to end.
 */
import { fileURLToPath } from "node:url"
import * as Command from "@effect/platform/Command"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Data, Effect, Option, Schema, Stream } from "effect"
import { FAILED, quit, runProgram, UNUSABLE } from "../exit.ts"
import { readDemoFlags } from "./demoFlags.ts"
import { demoQuestdb, HIGH_RATE } from "./demoQuestdb.ts"
import type { EmulatorKind } from "./emulators/Emulator.ts"
import { emulatorNamed, emulators } from "./emulators/index.ts"
import { connectBody } from "./emulators/serveEmulator.ts"
import { circuitNamed } from "./model/Circuit.ts"
import { vehicleNamed } from "./model/vehicles.ts"
import { NATIVE } from "./SimulatorSettings.ts"

/** A short circuit and a fast car: the first lap is there after three quarters of a minute. */
const CIRCUIT = "Larkspur Park"
const VEHICLE = "Merlin F-08"
const DRIVER = "Robin Vale"
const DRIVE = ["--port", "0", "--circuit", CIRCUIT, "--vehicle", VEHICLE, "--driver", DRIVER]

class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly sentence: string }> {}

const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts one of our programs; succeeds with the address in its first line. Its log goes through. */
const start = Effect.fn("demo.start")(function* (name: string, script: string, flags: ReadonlyArray<string>) {
  const child = yield* Command.make(process.execPath, entry(script), ...flags).pipe(
    Command.stderr("inherit"),
    Command.start
  )
  const lines = yield* Stream.broadcastDynamic(child.stdout.pipe(Stream.decodeText(), Stream.splitLines), 16)
  const first = yield* Stream.runHead(lines)
  const address = Option.flatMap(first, (line) => Option.fromNullable(/\S+:\/\/\S+/.exec(line)?.[0]))
  yield* Effect.forkScoped(Stream.runDrain(lines))
  return yield* Effect.mapError(address, () => new DemoFailed({ sentence: `The ${name} did not start` }))
})

/** What to connect to; the native feed says everything else itself. */
const requestOf = (feed: string, emulator: EmulatorKind | undefined) => {
  const { hostname, port } = new URL(feed)
  const at = { host: hostname, port: Number(port) }
  const scene = { circuit: circuitNamed(CIRCUIT)!, vehicle: vehicleNamed(VEHICLE)!, driver: DRIVER }
  return { ...at, ...(emulator === undefined ? {} : connectBody(emulator, scene, at)), app_name: "demo" }
}

const connect = Effect.fn("demo.connect")(function* (service: string, body: object) {
  const request = yield* HttpClientRequest.post(`${service}/api/v1/connect`).pipe(
    HttpClientRequest.bodyJson(body)
  )
  return yield* HttpClient.execute(request).pipe(
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ message: Schema.String })))
  )
})

const program = Effect.gen(function* () {
  const flags = readDemoFlags(process.argv.slice(2))
  const emulator = emulatorNamed(flags.simulator)
  if (flags.simulator !== NATIVE && emulator === undefined) {
    const known = [NATIVE, ...emulators.map((kind) => kind.protocol)].join(", ")
    return yield* quit(UNUSABLE, `--simulator must be one of ${known}`)
  }
  const questdb = flags.questdb ? yield* demoQuestdb(flags.service) : undefined
  const rate = questdb === undefined || emulator !== undefined ? [] : ["--rate", HIGH_RATE]
  const feed = yield* start("simulator", "./main.js", [...DRIVE, "--protocol", flags.simulator, ...rate])
  const service = yield* start("service", "../main.js", [...flags.service, ...(questdb?.flags ?? [])])
  const { message } = yield* connect(service, requestOf(feed, emulator))
  // A real simulator does not wait for its reader: of the lap under way only the rest is seen.
  const wait =
    emulator === undefined ? "The first lap is there in about 45 seconds" : "A whole lap takes 45 seconds"
  yield* Console.log(`
${message}. ${wait}.

  Live page      ${service}
  Overlays       ${service}/overlays
  API docs       ${service}/docs
  Sessions       ${service}/api/v1/sessions
  Status         ${service}/api/v1/status
  Metrics        ${service}/metrics
  Live telemetry ${service.replace("http", "ws")}/api/v1/telemetry/live
${questdb === undefined ? "" : `  SQL            ${questdb.hint}\n`}
Ctrl+C ends all of it.`)
  return yield* Effect.never
})

runProgram(
  program.pipe(
    Effect.scoped,
    Effect.provide([NodeContext.layer, FetchHttpClient.layer]),
    Effect.catchTags({
      DemoFailed: ({ sentence }) => quit(FAILED, sentence),
      NoQuestdb: ({ sentence }) => quit(FAILED, sentence),
      HelpWanted: ({ text }) => Console.log(text),
      BadUsage: ({ sentence }) => quit(UNUSABLE, sentence)
    })
  )
)
