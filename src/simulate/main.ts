#!/usr/bin/env node
/** The bundled simulator: composition, and the sentences for what can go wrong. */
import { isIPv6 } from "node:net"
import { Console, Effect, Logger } from "effect"
import { FAILED, quit, reasonOf, UNUSABLE, runProgram } from "../exit.ts"
import { version } from "../version.ts"
import { serveCapture } from "./captures/serveCapture.ts"
import { emulatorNamed } from "./emulators/index.ts"
import { serveEmulator } from "./emulators/serveEmulator.ts"
import { driveFeed } from "./feed/driveFeed.ts"
import { serveFeed } from "./feed/FeedServer.ts"
import { replayFeed } from "./feed/replayFeed.ts"
import { NATIVE_PORT, readSimulatorSettings, type SimulatorSettings } from "./SimulatorSettings.ts"

const USAGE =
  "npm run simulator -- FLAGS: a car that drives, or a recording, as a native telemetry feed or as a real simulator's; or a capture of one"

/** Serves the native feed; gives its address. */
const serveNative = Effect.fn("simulate.serveNative")(function* (settings: SimulatorSettings) {
  const feed =
    settings.replay === undefined
      ? driveFeed(settings)
      : yield* replayFeed({ file: settings.replay, speed: settings.speed, packed: settings.packed })
  const { host } = settings
  const port = yield* serveFeed({
    host,
    port: settings.port ?? NATIVE_PORT,
    simulator: `bundled-simulator ${version}`,
    feed
  })
  return `ws://${isIPv6(host) ? `[${host}]` : host}:${port}`
})

const serve = (settings: SimulatorSettings) => {
  const { capture: file, driver, host, port, speed } = settings
  if (file !== undefined) return serveCapture({ file, host, port, speed, driver })
  const emulator = emulatorNamed(settings.protocol)
  return emulator === undefined ? serveNative(settings) : serveEmulator(emulator, settings)
}

const program = Effect.gen(function* () {
  const settings = yield* readSimulatorSettings(USAGE, process.argv.slice(2), process.env)
  const address = yield* serve(settings)
  yield* Console.log(`feed on ${address}`)
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.catchTags({
    HelpWanted: ({ text }) => Console.log(text),
    BadUsage: ({ sentence }) => quit(UNUSABLE, sentence),
    NotARecording: ({ file, reason }) => quit(UNUSABLE, `Cannot replay ${file}: ${reason}`),
    NoPort: ({ file }) =>
      quit(UNUSABLE, `Nobody knows whose datagrams ${file} holds: say where to with --port`),
    CannotListen: ({ cause, host, port }) =>
      quit(FAILED, `Cannot listen on ${host}:${port}: ${reasonOf(cause)}`)
  }),
  // Standard output is for the line that says where the feed is.
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.prettyLogger({ stderr: true })))
)

runProgram(program)
