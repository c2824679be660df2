/**
 * `telemetry demo`: the service and the bundled simulator, connected, each in a process of its own as in real use.
 *
 * It takes the service's flags and two more: `--simulator PROTOCOL` makes the bundled simulator an emulator on any free port,
 * and `--questdb` stores points in a QuestDB that the demo starts, at a high rate. The demo prints addresses and each lap, logs
 * only warnings unless the user asks for more, and ends all its processes when it is stopped.
 */
import * as Command from "@effect/platform/Command"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Data, Effect, Option, Redacted, Schema, Stream } from "effect"
import { reachable } from "../src/platform/addresses/http.ts"
import { readCommandLine } from "../src/platform/commandLine.ts"
import { FAILED, giveUpStopping, quit } from "../src/platform/exit.ts"
import * as Logging from "../src/observability/logging.ts"
import { createTelemetryClient, type LiveMessage } from "../src/api/trpc/client.ts"
import { reasonOf } from "../src/platform/systemErrors.ts"
import { demoSettings, serviceFlags } from "./flags.ts"
import { demoQuestdb, HIGH_RATE } from "./questdb.ts"
import type { EmulatorKind } from "../simulator/emulators/Emulator.ts"
import { emulatorNamed } from "../simulator/emulators/index.ts"
import { connectBody } from "../simulator/emulators/serveEmulator.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { vehicleNamed } from "../simulator/model/vehicles.ts"
import { endStarted, startedProcess } from "./startedProcesses.ts"

const USAGE = "telemetry demo FLAGS: the service and the bundled simulator, connected (npm run demo -- FLAGS)"

/** A short circuit and a fast car: the first lap is complete after three quarters of a minute. */
const CIRCUIT = "Larkspur Park"
const VEHICLE = "Merlin F-08"
const DRIVER = "Robin Vale"
const DRIVE = ["--port", "0", "--circuit", CIRCUIT, "--vehicle", VEHICLE, "--driver", DRIVER]

class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly sentence: string }> {}

/** Added to the time that the service has to stop. */
const STOPS_LATER_MS = 5000

const failing = (what: string) => (error: unknown) =>
  new DemoFailed({ sentence: `${what}: ${reasonOf(error)}` })

/** Starts this program with other arguments; succeeds with the address in its first line. Its log goes to ours. */
const start = Effect.fn("demo.start")(function* (name: string, words: ReadonlyArray<string>) {
  const started = yield* startedProcess
  const child = yield* Command.make(process.execPath, process.argv[1]!, ...words).pipe(
    Command.stderr("inherit"),
    Command.start,
    Effect.mapError(failing(`The ${name} cannot be started`))
  )
  started.pid = child.pid
  const lines = yield* Stream.broadcastDynamic(child.stdout.pipe(Stream.decodeText(), Stream.splitLines), 16)
  const first = yield* Effect.orElseSucceed(Stream.runHead(lines), Option.none)
  const found = Option.flatMap(first, (line) => Option.fromNullable(/\S+:\/\/\S+/.exec(line)?.[0]))
  yield* Effect.forkScoped(Stream.runDrain(lines))
  const address = yield* Effect.mapError(
    found,
    () => new DemoFailed({ sentence: `The ${name} did not start` })
  )
  const ended = Effect.flatMap(
    Effect.orElseSucceed(child.exitCode, () => "by a signal"),
    (status) => new DemoFailed({ sentence: `The ${name} ended (${status})` })
  )
  return { address, ended }
})

/** The body of the connect request. An emulator needs names as well; the native feed sends its own. */
const requestOf = (feed: string, emulator: EmulatorKind | undefined) => {
  const { hostname, port } = new URL(feed)
  const at = { host: hostname, port: Number(port) }
  const scene = { circuit: circuitNamed(CIRCUIT)!, vehicle: vehicleNamed(VEHICLE)!, driver: DRIVER }
  return { ...at, ...(emulator === undefined ? {} : connectBody(emulator, scene, at)), app_name: "demo" }
}

const connect = Effect.fn("demo.connect")(
  function* (service: string, body: object, token: string | undefined) {
    const request = yield* HttpClientRequest.post(`${service}/api/v1/connect`).pipe(
      token === undefined ? (plain) => plain : HttpClientRequest.bearerToken(token),
      HttpClientRequest.bodyJson(body)
    )
    return yield* HttpClient.execute(request).pipe(
      Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ message: Schema.String })))
    )
  },
  Effect.mapError(failing("The simulator could not be connected"))
)

type Lap = Extract<LiveMessage, { readonly type: "lap" }>["data"]

const lapSentence = ({ lap_number, lap_time, session_id, valid }: Lap): string =>
  `Lap ${lap_number} of session ${session_id}: ${lap_time === null ? "no time" : `${lap_time.toFixed(3)} s`}${valid ? "" : ", not valid"}`

/** Prints a line for each lap that is stored. */
const printLaps = (service: string, token: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createTelemetryClient(service, { token: () => token }).live.laps.subscribe(
        {},
        { onData: ({ data: { data } }) => console.log(lapSentence(data)) }
      )
    ),
    (subscription) => Effect.sync(() => subscription.unsubscribe())
  )

const program = Effect.fn("demo.program")(function* (argv: ReadonlyArray<string>) {
  const settings = yield* readCommandLine(USAGE, demoSettings, argv, process.env)
  giveUpStopping({
    withinMs: settings.stopWithin * 1000 + STOPS_LATER_MS,
    lost: () => {
      endStarted()
      return "Its processes were killed."
    }
  })
  const log = ["--log-level", settings.logLevel, "--log-format", settings.logFormat]
  const emulator = emulatorNamed(settings.simulator)
  const questdb = settings.questdb ? yield* demoQuestdb(settings.data) : undefined
  const rate = questdb === undefined || emulator !== undefined ? [] : ["--rate", HIGH_RATE]
  const driven = ["simulator", ...DRIVE, "--protocol", settings.simulator, ...rate, ...log]
  const feed = yield* start("simulator", driven)
  const service = yield* start("service", [...serviceFlags(argv), ...(questdb?.flags ?? [])])
  const url = service.address
  const token = settings.token === "none" ? undefined : Redacted.value(settings.token)
  const { message } = yield* connect(reachable(url), requestOf(feed.address, emulator), token)
  // A real simulator does not wait for its reader, so only the rest of the current lap is received.
  const wait =
    emulator === undefined ? "The first lap is complete in about 45 seconds" : "A whole lap takes 45 seconds"
  yield* Console.log(`
${message}. ${wait}.

  Live page      ${url}
  Overlays       ${url}/overlays
  API docs       ${url}/docs
  Sessions       ${url}/api/v1/sessions
  Status         ${url}/api/v1/status
  Metrics        ${url}/metrics
  Live telemetry ${url.replace("http", "ws")}/api/v1/telemetry/live
${questdb === undefined ? "" : `  SQL            ${questdb.hint}\n`}
Ctrl+C ends the demo.
`)
  yield* printLaps(reachable(url), token)
  return yield* Effect.raceFirst(feed.ended, service.ended)
})

/** Logs only warnings, unless the user sets a level. */
const withWarningsOnly = (argv: ReadonlyArray<string>) =>
  process.env["TELEMETRY_LOG_LEVEL"] === undefined ? ["--log-level", "warning", ...argv] : argv

/** The program, from the arguments after `demo`. */
export const demo = (argv: ReadonlyArray<string>) =>
  program(withWarningsOnly(argv)).pipe(
    Effect.scoped,
    Effect.provide([NodeContext.layer, FetchHttpClient.layer]),
    Effect.catchTags({
      DemoFailed: ({ sentence }) => quit(FAILED, sentence),
      NoQuestdb: ({ sentence }) => quit(FAILED, sentence)
    }),
    Effect.provide(Logging.layer("warning", "auto"))
  )
