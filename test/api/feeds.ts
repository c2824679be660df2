/** Simulators for tests: native feeds that send a test's messages, over the bundled simulator's own server. */
import { type AddressInfo, createServer, type Server } from "node:net"
import { Deferred, Effect, type Scope } from "effect"
import type { FeedClient } from "../../simulator/feed/Feed.ts"
import { serveFeed } from "../../simulator/feed/FeedServer.ts"
import * as messages from "../../simulator/feed/messages.ts"
import { drivenPoints, START } from "./stored.ts"

export interface Script {
  readonly messages: ReadonlyArray<string>
  /** How many points the messages hold. */
  readonly points: number
}

const RATE = 60
const LAP_POINTS = 600

const lapPoints = (lap: number) => {
  const from = (lap - 1) * LAP_POINTS
  return messages.pointsText(from, {
    batch: drivenPoints(from / RATE, LAP_POINTS, RATE),
    lapNumber: new Float64Array(LAP_POINTS).fill(lap),
    lapDistance: Float64Array.from({ length: LAP_POINTS }, (_, i) => i)
  })
}

const lapDone = (lap: number) =>
  JSON.stringify({
    type: "lap",
    lap_number: lap,
    lap_time: LAP_POINTS / RATE,
    sector1_time: 3,
    sector2_time: 3,
    sector3_time: 4,
    valid: true,
    start_time: ((lap - 1) * LAP_POINTS) / RATE,
    end_time: (lap * LAP_POINTS) / RATE
  })

/** A session of two laps of 10 s, declared at once; it does not end. */
export const twoLaps: Script = {
  messages: [
    messages.session(
      {
        circuit: "Test",
        vehicle: "Car",
        driver: "Anna",
        start_time: START,
        circuit_length: 600,
        start_line: { x1: 0, y1: 1e6, x2: 1, y2: 1e6 }
      },
      false
    ),
    lapPoints(1),
    lapDone(1),
    lapPoints(2),
    lapDone(2)
  ],
  points: 2 * LAP_POINTS
}

/** Runs this for each client that says hello; returns the port. */
const serving = (greeted: (client: FeedClient) => void): Effect.Effect<number, never, Scope.Scope> =>
  serveFeed({
    host: "127.0.0.1",
    port: 0,
    simulator: "test 1",
    feed: {
      serve: (client) =>
        Effect.zipRight(
          Effect.sync(() => greeted(client)),
          Effect.never
        )
    }
  }).pipe(Effect.orDie)

/**
 * The request that connects to a native feed on this machine. It names the simulator: the system may choose a port that stands for another
 * one if none is named.
 */
export const feedAt = (port: number) => ({ host: "127.0.0.1", port, app_name: "test", simulator: "native" })

/** Serves the script to each client that says hello; returns the port. */
export const feeding = (script: Script) =>
  serving((client) => {
    for (const message of script.messages) client.offer(message)
  })

/** A simulator that sends the test's messages to the client that said hello. */
export interface Speaking {
  readonly port: number
  /** Returns when the reader has taken most of it. */
  readonly say: (...messages: ReadonlyArray<string>) => Effect.Effect<void>
}

export const speaking: Effect.Effect<Speaking, never, Scope.Scope> = Effect.gen(function* () {
  const greeted = yield* Deferred.make<FeedClient>()
  const port = yield* serving((client) => Deferred.unsafeDone(greeted, Effect.succeed(client)))
  return {
    port,
    say: (...messages) =>
      Effect.flatMap(Deferred.await(greeted), (client) =>
        Effect.forEach(messages, (message) => (client.offer(message) ? Effect.void : client.drained), {
          discard: true
        })
      )
  }
})

/** A session that begins at START; its laps are declared, for it has no line and no lap counter. */
export const sessionNamed = (driver: string) =>
  JSON.stringify({ type: "session", circuit: "Test", vehicle: "Car", driver, start_time: START })

/** Points as a feed sends them. */
export const pointsMessage = (points: ReadonlyArray<Readonly<Record<string, number>>>) =>
  JSON.stringify({ type: "points", points })

/** A port that accepts connections and sends nothing. */
export const silentPort = Effect.map(
  Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((socket) => socket.on("error", () => undefined))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ),
  (server) => (server.address() as AddressInfo).port
)
