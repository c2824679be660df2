/**
 * Servers that the service needs, and the service itself, killed in the middle of a replay at full speed, and back after a while.
 *
 * `TELEMETRY_TEST_OUTAGE=20` has them away for 20 s, in a replay that is long enough for it (some minutes, 2 GB in the
 * temporary folder); by itself it is half a second. `npm run test:long` replays more than three times as much.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { postgresHere, postgresServer } from "../support/servers/postgres.ts"
import { questdbHere, questdbServer } from "../support/servers/questdb.ts"
import {
  type Answers,
  expectBeginning,
  expectWhole,
  lapsOf,
  longReplay,
  type LongReplay,
  watchReads
} from "../blackbox/longReplay.ts"
import { NEVER_MS } from "../support/never.ts"
import { heldReplay } from "./heldReplay.ts"
import * as Box from "../support/processes.ts"
import { type Need, needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const given = process.env["TELEMETRY_TEST_OUTAGE"]
const outageGiven: Need = { missing: given === undefined ? "TELEMETRY_TEST_OUTAGE is not set" : undefined }
const outage = Number(given ?? 0.5)
/** Of 52,138 points: enough to be in the middle, where the feed pauses. */
const ROUNDS = Number(process.env["TELEMETRY_TEST_ROUNDS"] ?? 3)
/** More points than are stored in that time; in half a second the feed is held before its end. */
const ROUNDS_THROUGH = given === undefined ? ROUNDS : ROUNDS + Math.ceil(10 * outage)
const TIME_LIMIT = NEVER_MS + 20_000 * outage

const away = Effect.sleep(`${outage} seconds`)

const prepared = (rounds: number) => Effect.map(Box.folder, (folder) => longReplay(folder, rounds))

const replaying = ({ file }: LongReplay) => Box.startSimulator("--replay", file, "--speed", "max")

interface Server {
  readonly kill: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

/** The server is lost at a tenth of the replay and comes back before its end, where the feed is held. */
const lostAndBack = Effect.fn(function* (
  service: Box.Running,
  goOn: Effect.Effect<unknown>,
  { kill, start }: Server,
  { points }: LongReplay,
  answers: Answers
) {
  const answered = (kind: keyof Answers) => {
    const before = answers[kind]
    return Box.until(
      Effect.sync(() => answers[kind]),
      (now) => now > before
    )
  }
  yield* Box.stored(service, points * 0.1)
  yield* kill
  yield* answered("unavailable")
  yield* away
  yield* start
  const back = yield* Box.until(Box.connectionOf(service), (connection) => connection !== undefined)
  expect(back!.points_stored).toBeLessThan(points)
  yield* goOn
  const counts = yield* Box.until(
    Box.connectionOf(service),
    (connection) => connection?.points_stored === points && connection.session_id === null
  )
  expect(counts).toMatchObject({ points_dropped: 0, points_rejected: 0 })
  yield* answered("whole")
})

/** Session 1 is recorded, and read all along, while the server is lost and comes back. */
const recordedAround = Effect.fn(function* (service: Box.Running, server: Server, rounds: number) {
  const replay = yield* prepared(rounds)
  const { address, goOn } = yield* heldReplay(replay)
  yield* Box.connect(service, { address })
  yield* Box.stored(service, 1)
  const answers: Answers = { whole: 0, unavailable: 0, torn: 0 }
  yield* Effect.raceFirst(
    lostAndBack(service, goOn, server, replay, answers),
    watchReads(service, replay, answers)
  )
  // One read had begun when the server went away.
  expect(answers.torn).toBeLessThanOrEqual(1)
  if (given !== undefined) console.log(`${replay.points} points, answers: ${JSON.stringify(answers)}`)
  yield* Box.ask(service, "POST", "/disconnect")
  yield* expectWhole(service, 1, replay)
  return replay
})

/** A service that is killed in the middle, a while after a server that it needs, if any; both are back at once. */
const killedAndBack = Effect.fn(function* ({
  flags,
  lost = { kill: Effect.void, start: Effect.void }
}: {
  readonly flags: ReadonlyArray<string>
  readonly lost?: Server
}) {
  const replay = yield* prepared(ROUNDS)
  const folder = yield* Box.folder
  const first = yield* Box.startService(folder, ...flags)
  const simulator = yield* replaying(replay)
  yield* Box.connect(first, simulator)
  yield* Box.stored(first, replay.points * 0.1)
  yield* lost.kill
  const counts = yield* Box.stored(first, replay.points * 0.2)
  yield* first.signal("SIGKILL")
  yield* away
  yield* lost.start
  const second = yield* Box.startService(folder, ...flags)
  const kept = yield* expectBeginning(second, 1, replay)
  expect(kept).toBeGreaterThanOrEqual(counts!.points_stored)
  // Laps as in their messages, and an incomplete one if there are points behind them.
  const laps = yield* lapsOf(second, 1)
  const last = laps.at(-1)!
  const brokenOff = !last.valid && last.lap_time === null
  const complete = brokenOff ? laps.slice(0, -1) : laps
  expect(replay.laps.slice(0, complete.length)).toMatchObject(complete)
  const end = replay.zero + replay.laps[complete.length - 1]!.end_time
  expect(brokenOff || replay.point(kept - 1)["timestamp"]! < end).toBe(true)
  yield* Box.replayed(second, simulator, replay.points)
  yield* expectWhole(second, 2, replay)
})

describe("while QuestDB is away", needing(recordingsHere, questdbHere), () => {
  it.scopedLive(
    "every point is taken, and stored once, in order, when it is back; reads are whole or 503",
    () =>
      Effect.gen(function* () {
        const questdb = yield* questdbServer
        const service = yield* Box.startService(yield* Box.folder, "--points", questdb.url)
        const { points } = yield* recordedAround(service, questdb, ROUNDS_THROUGH)
        // They are on the server itself as well, each once.
        yield* Box.until(
          Effect.promise(() => questdb.sql(`SELECT count() FROM ${questdb.address.prefix}points`)),
          (rows) => rows[0]![0] === points
        )
      }),
    TIME_LIMIT
  )

  it.scopedLive(
    "a service that is killed and started again loses no acknowledged point",
    () =>
      Effect.gen(function* () {
        const questdb = yield* questdbServer
        yield* killedAndBack({ flags: ["--points", questdb.url], lost: questdb })
      }),
    TIME_LIMIT
  )
})

describe(
  "with QuestDB and PostgreSQL",
  needing(recordingsHere, questdbHere, postgresHere, outageGiven),
  () => {
    it.scopedLive(
      "a service that is killed loses no acknowledged point",
      () =>
        Effect.gen(function* () {
          const questdb = yield* questdbServer
          const postgres = yield* postgresServer
          yield* killedAndBack({ flags: ["--points", questdb.url, "--catalog", postgres.url] })
        }),
      TIME_LIMIT
    )
  }
)

describe("while PostgreSQL is away", needing(recordingsHere, postgresHere), () => {
  it.scopedLive(
    "the recording waits, and every lap and point is stored when it is back",
    () =>
      Effect.gen(function* () {
        const postgres = yield* postgresServer
        const service = yield* Box.startService(yield* Box.folder, "--catalog", postgres.url)
        yield* recordedAround(service, postgres, ROUNDS)
      }),
    TIME_LIMIT
  )
})
