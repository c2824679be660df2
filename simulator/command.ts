/** `telemetry simulator`: composes the bundled simulator, and has the sentences about its failures. */
import { isIPv6 } from "node:net"
import { Console, Effect } from "effect"
import { FAILED, quit, UNUSABLE } from "../src/platform/exit.ts"
import * as Logging from "../src/observability/logging.ts"
import { DEFAULT_PORT } from "../src/simulators/drivers/native/protocol.ts"
import { version } from "../src/platform/version.ts"
import { reasonOf } from "../src/platform/systemErrors.ts"
import { serveCapture } from "./captures/serveCapture.ts"
import { emulatorNamed } from "./emulators/index.ts"
import { serveEmulator } from "./emulators/serveEmulator.ts"
import { driveFeed } from "./feed/driveFeed.ts"
import { serveFeed } from "./feed/FeedServer.ts"
import { replayFeed } from "./feed/replayFeed.ts"
import { readSimulatorSettings, type SimulatorSettings } from "./SimulatorSettings.ts"

const USAGE = `telemetry simulator FLAGS: the bundled simulator (npm run simulator -- FLAGS)

It sends a simulated drive as a native feed or in the protocol of a real simulator. It can also send a recording as a native
feed (--replay), or play a capture of a real simulator's datagrams (--capture).`

/** Serves the native feed; gives its address. */
const serveNative = Effect.fn("simulate.serveNative")(function* (settings: SimulatorSettings) {
  const feed =
    settings.replay === undefined
      ? driveFeed(settings)
      : yield* replayFeed({ ...settings, file: settings.replay })
  const { host } = settings
  const port = yield* serveFeed({
    host,
    port: settings.port ?? DEFAULT_PORT,
    simulator: `bundled-simulator ${version}`,
    feed
  })
  return { address: `ws://${isIPv6(host) ? `[${host}]` : host}:${port}`, over: Effect.never }
})

const serveWanted = (settings: SimulatorSettings) => {
  const { capture: file, driver, host, port, speed } = settings
  if (file !== undefined) return serveCapture({ file, host, port, speed, driver })
  const emulator = emulatorNamed(settings.protocol)
  if (emulator === undefined) return serveNative(settings)
  return Effect.map(serveEmulator(emulator, settings), (address) => ({ address, over: Effect.never }))
}

const serve = Effect.fn("simulate.serve")(function* (settings: SimulatorSettings) {
  const { address, over } = yield* serveWanted(settings)
  yield* Console.log(`feed on ${address}`)
  return yield* settings.once ? over : Effect.never
})

/** The program, from the arguments after `simulator`. */
export const simulator = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(readSimulatorSettings(USAGE, argv, process.env), (settings) =>
    serve(settings).pipe(
      Effect.scoped,
      Effect.catchTags({
        NotARecording: ({ file, reason }) => quit(UNUSABLE, `Cannot replay ${file}: ${reason}`),
        NoPort: ({ file }) =>
          quit(
            UNUSABLE,
            `The first datagram of ${file} is of no known game: give the port to send to with --port`
          ),
        CannotListen: ({ cause, host, port }) =>
          quit(FAILED, `Cannot listen on ${host}:${port}: ${reasonOf(cause)}`)
      }),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
