/** The service and a logger of others, each with the same game's feed. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Program, startService } from "../suite/programs.ts"
import { connectTo } from "../suite/simulated.ts"
import { CAR_DAMAGE, f1Feed, freeUdpPort, type GameFeed, gt7Feed } from "./gameFeed.ts"
import { influxStandIn } from "./influxStandIn.ts"
import {
  ANSWER_PORT,
  CONSOLE_PORT,
  F1_TELEMETRY_LIVE,
  lapFiles,
  readLap,
  startF1Telemetry,
  startTrace
} from "./loggers.ts"

export interface ReadLap {
  readonly points: number
  readonly ms: number
}

export interface Subject {
  readonly program: Program
  /** Points sent until now that the program should keep. */
  readonly sent: () => number
  /** Points for each second of the drive that the program should keep. */
  readonly perSecond: number
  /** The WebSocket for live clients. */
  readonly live: string
  /** Reads a complete lap this many times, once there is one. */
  readonly readLap: (times: number) => Promise<ReadLap | undefined>
  /** After it was killed: how many of the sent points it has on disk. */
  readonly kept: () => number
  readonly stop: () => Promise<void>
}

/** A loop would measure the client: one connection is used, and one answer at a time is read and parsed. */
const timedRead = async (url: string, times: number): Promise<ReadLap> => {
  const ms: Array<number> = []
  let points = 0
  for (let time = 0; time < times; time++) {
    const before = performance.now()
    const answer = (await (await fetch(url)).json()) as { readonly points: ReadonlyArray<unknown> }
    ms.push(performance.now() - before)
    points = answer.points.length
  }
  return { points, ms: ms.sort((a, b) => a - b)[times >> 1]! }
}

interface Lap {
  readonly id: number
  readonly end_time: number | null
  readonly lap_number: number
}

const serviceWith = async (
  simulator: string,
  port: number,
  startFeed: () => Promise<GameFeed>
): Promise<Subject> => {
  const program = await startService()
  // The connect is answered when the service hears the game; F1's feed begins by itself.
  const [feed] = await Promise.all([startFeed(), connectTo(program.url, port, simulator)])
  return {
    program,
    sent: feed.sent,
    perSecond: 60,
    live: `${program.url.replace("http", "ws")}/api/v1/telemetry/live?rate=60`,
    readLap: async (times) => {
      const laps = (await (await fetch(`${program.url}/api/v1/1/laps`)).json()) as ReadonlyArray<Lap>
      // The first lap begins somewhere on the track, so it does not count.
      const lap = laps.filter(({ end_time }) => end_time !== null)[1]
      return lap === undefined
        ? undefined
        : timedRead(`${program.url}/api/v1/${lap.id}/telemetry?channels=*`, times)
    },
    kept: () => {
      // Opened for writing, because that recovers what the killed process left in SQLite's log.
      const database = new DatabaseSync(join(program.data, "telemetry.sqlite"))
      const { points } = database
        .prepare("SELECT sum(length) AS points FROM blocks WHERE group_name = 'points'")
        .get() as {
        points: number | null
      }
      database.close()
      return points ?? 0
    },
    stop: async () => {
      await program.stop()
      await feed.stop()
    }
  }
}

export const serviceGt7 = async (flags: ReadonlyArray<string>): Promise<Subject> => {
  const port = await freeUdpPort()
  return serviceWith("gt7", port, () => gt7Feed(port, port + 1, flags))
}

export const serviceF1 = async (flags: ReadonlyArray<string>): Promise<Subject> => {
  const port = await freeUdpPort()
  return serviceWith("f1", port, () => f1Feed(port, flags))
}

export const trace = async (flags: ReadonlyArray<string>): Promise<Subject> => {
  const feed = await gt7Feed(CONSOLE_PORT, ANSWER_PORT, flags)
  const { home, program, stop } = await startTrace()
  let files = 0
  let keptUntil = 0
  // A lap's file appears some ms after its last packet: within three packets.
  const looking = setInterval(() => {
    const now = lapFiles(home).length
    if (now > files) keptUntil = feed.sent()
    files = now
  }, 10)
  return {
    program,
    sent: feed.sent,
    perSecond: 60,
    live: "",
    readLap: async (times) => {
      const file = lapFiles(home)[0]
      return file === undefined ? undefined : readLap(file, times)
    },
    kept: () => keptUntil,
    stop: async () => {
      clearInterval(looking)
      await stop()
      await feed.stop()
    }
  }
}

export const f1Telemetry = async (flags: ReadonlyArray<string>): Promise<Subject> => {
  const influx = await influxStandIn()
  const port = await freeUdpPort()
  const { program, stop } = await startF1Telemetry(port)
  const feed = await f1Feed(port, flags, [6, CAR_DAMAGE])
  return {
    program,
    sent: feed.sent,
    perSecond: 70,
    live: F1_TELEMETRY_LIVE,
    readLap: () => Promise.resolve(undefined),
    kept: influx.rows,
    stop: async () => {
      await stop()
      await feed.stop()
      await influx.stop()
    }
  }
}
