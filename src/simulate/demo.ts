/**
 * `npm run demo`: the service and the bundled simulator, connected, each a process of its own as they are
 * used for real. Flags are the service's; the simulator takes any free port. Ends both when it is told to end.
 */
import { fileURLToPath } from "node:url"
import { Command, FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Console, Data, Effect, Option, Schema, Stream } from "effect"
import { FAILED, quit, runProgram } from "../exit.ts"

/** A short circuit and a fast car: the first lap is there after three quarters of a minute. */
const DRIVE = ["--port", "0", "--circuit", "Larkspur Park", "--vehicle", "Merlin F-08"]

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

const connect = Effect.fn("demo.connect")(function* (service: string, feed: string) {
  const { hostname, port } = new URL(feed)
  const request = yield* HttpClientRequest.post(`${service}/api/v1/connect`).pipe(
    HttpClientRequest.bodyJson({ host: hostname, port: Number(port), app_name: "demo" })
  )
  return yield* HttpClient.execute(request).pipe(
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ message: Schema.String })))
  )
})

const program = Effect.gen(function* () {
  const feed = yield* start("simulator", "./main.js", DRIVE)
  const service = yield* start("service", "../main.js", process.argv.slice(2))
  const { message } = yield* connect(service, feed)
  yield* Console.log(`
${message}. The first lap is there in about 45 seconds.

  API docs       ${service}/docs
  Sessions       ${service}/api/v1/sessions
  Status         ${service}/api/v1/status
  Metrics        ${service}/metrics
  Live telemetry ${service.replace("http", "ws")}/api/v1/telemetry/live

Ctrl+C ends both.`)
  return yield* Effect.never
})

runProgram(
  program.pipe(
    Effect.scoped,
    Effect.provide([NodeContext.layer, FetchHttpClient.layer]),
    Effect.catchTags({ DemoFailed: ({ sentence }) => quit(FAILED, sentence) })
  )
)
