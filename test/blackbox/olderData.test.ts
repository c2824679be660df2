/**
 * A data folder written by the version before channels could be absent: opened, read, and recorded on.
 *
 * `older/before-absent.sqlite.gz` is its telemetry.sqlite, 5.8 kB: that version's service recorded the points below from a
 * native feed (start_time 1700000000 and 1000 s later), the first session without the channels of `untold`, which it kept as 0,
 * and was killed (SIGKILL) while it recorded the second.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { channels } from "../../src/domain/PointBatch.ts"
import { decodeBlock, encodeRaw } from "../../src/store/sqlite/blockCodec.ts"
import { csvRowOf } from "../http/points.ts"
import { feedServer } from "../simulators/native/feedServer.ts"
import * as Box from "./processes.ts"

const START = 1_700_000_000
const untold = ["rpm", "throttle", "brake", "steering", "position_z"]
const RADIUS = 300 / (2 * Math.PI)

type Told = Readonly<Record<string, number | null>>

/** Points of an oval of 300 m, driven at 15 m/s, four a second; on the feed's clock, or from `start` on. */
const driven = (from: number, count: number, start = 0): ReadonlyArray<Told> =>
  Array.from({ length: count }, (_, n) => {
    const time = (from + n) / 4
    return {
      timestamp: start + time,
      speed: 54,
      rpm: 6000 + from + n,
      gear: 3,
      throttle: 0.5,
      brake: 0,
      steering: 0.25,
      position_x: RADIUS * Math.cos((15 * time) / RADIUS),
      position_y: RADIUS * Math.sin((15 * time) / RADIUS),
      position_z: 1.5
    }
  })

const withUntold = (points: ReadonlyArray<Told>, value: number | null) =>
  points.map((point) => ({ ...point, ...Object.fromEntries(untold.map((channel) => [channel, value])) }))

/** The folder, as it was left. */
const older = Effect.map(Box.folder, (data) => {
  const file = join(data, "telemetry.sqlite")
  const kept = readFileSync(join(import.meta.dirname, "older/before-absent.sqlite.gz"))
  writeFileSync(file, gunzipSync(kept))
  return { data, file }
})

const pointsOf = (service: Box.Running, session: number) =>
  Effect.map(
    Box.get<{ readonly points: ReadonlyArray<Told> }>(service, `/telemetry/range?session_id=${session}`),
    ({ points }) => points
  )

/** Records points of the oval into a session, without the channels of `untold`, until they are stored. */
const recordOn = Effect.fnUntraced(function* (
  service: Box.Running,
  session_id: number,
  start: number,
  groups: ReadonlyArray<{ readonly name: string; readonly points: ReadonlyArray<Told> }> = []
) {
  const told = driven(0, 80).map((point) =>
    Object.fromEntries(Object.entries(point).filter(([channel]) => !untold.includes(channel)))
  )
  const messages = [
    { type: "welcome", simulator: "Test 1.0" },
    {
      type: "session",
      circuit: "Oval",
      vehicle: "Kart",
      driver: "Anna",
      start_time: start,
      groups: groups.map(({ name, points }) => ({
        name,
        channels: Object.keys(points[0]!)
          .filter((channel) => channel !== "timestamp")
          .map((channel) => ({ name: channel }))
      }))
    },
    ...groups.map(({ name, points }) => ({ type: "points", group: name, sequence: 0, points })),
    { type: "points", points: told },
    { type: "session_end" }
  ]
  const { port } = yield* feedServer({ greeting: messages.map((message) => JSON.stringify(message)) })
  const simulator = { host: "127.0.0.1", port, app_name: "black box", simulator: "native" }
  yield* Box.ask(service, "POST", "/connect", { ...simulator, session_id })
  const counts = yield* Box.until(Box.connectionOf(service), (one) => one?.points_stored === told.length)
  yield* Box.ask(service, "POST", "/disconnect")
  expect(counts).toMatchObject({ points_rejected: 0, points_dropped: 0 })
  return withUntold(driven(0, 80, start), null)
})

describe("a data folder of the version before", () => {
  it.scopedLive("is read as it is, and a session in it goes on with absent channels", () =>
    Effect.gen(function* () {
      const { data } = yield* older
      const service = yield* Box.startService(data)
      const before = withUntold(driven(0, 200, START), 0)
      expect(yield* pointsOf(service, 1)).toEqual(before)
      const csv = yield* Effect.promise(async () =>
        (await fetch(`${service.address}/api/v1/export/csv/1`)).text()
      )
      expect(csv.split("\r\n")[1]).toBe(csvRowOf(before[0]!))
      // What was being recorded is closed, with all its points.
      expect(yield* pointsOf(service, 2)).toEqual(driven(0, 120, START + 1000))
      const laps = yield* Box.get<ReadonlyArray<{ readonly valid: boolean }>>(service, "/2/laps")
      expect(laps.map(({ valid }) => valid)).toEqual([true, false])

      const after = yield* recordOn(service, 1, START + 100)
      expect(yield* pointsOf(service, 1)).toEqual([...before, ...after])
      const compared = yield* Box.ask(service, "POST", "/analysis/compare", { lap_ids: [1, 2] })
      expect(compared.status).toBe(200)
      expect(yield* service.signal("SIGTERM")).toBe(0)
      expect(yield* pointsOf(yield* Box.startService(data), 1)).toEqual([...before, ...after])
    })
  )

  it.scopedLive("takes samples of groups, which it never had, also into a session of before", () =>
    Effect.gen(function* () {
      const { data } = yield* older
      const service = yield* Box.startService(data)
      const before = withUntold(driven(0, 200, START), 0)
      // A level each five seconds, told from the session's new points on.
      const fuel = Array.from({ length: 4 }, (_, n) => ({
        timestamp: 5 * n,
        fuel: 20 - n / 4,
        fuel_mass: null
      }))
      const after = yield* recordOn(service, 1, START + 100, [{ name: "fuel", points: fuel }])
      const expectAll = (running: Box.Running) =>
        Effect.gen(function* () {
          const beside = yield* Box.get<{ readonly points: ReadonlyArray<Told> }>(
            running,
            "/telemetry/range?session_id=1&channels=fuel*"
          )
          expect(beside.points).toEqual([
            ...before.map((point) => ({ ...point, fuel: null, fuel_mass: null })),
            ...after.map((point, i) => ({ ...point, fuel: fuel[Math.floor(i / 20)]!.fuel, fuel_mass: null }))
          ])
          const own = yield* Box.get<{ readonly points: ReadonlyArray<Told> }>(
            running,
            "/telemetry/range?session_id=1&group=fuel"
          )
          expect(own.points).toEqual(
            fuel.map((sample) => ({ ...sample, timestamp: START + 100 + sample.timestamp }))
          )
          const listed = yield* Box.get<
            ReadonlyArray<{ readonly name: string; readonly samples: number | null }>
          >(running, "/1/channels")
          // The ten, since their source's words of before are not known.
          expect(listed.map(({ name }) => name)).toEqual([...channels, "fuel", "fuel_mass", "lap_distance"])
          expect(listed.find(({ name }) => name === "fuel")).toMatchObject({ samples: 4 })
          // The other session has none.
          const other = yield* Box.ask(running, "GET", "/telemetry/range?session_id=2&channels=fuel")
          expect(other.status).toBe(422)
        })
      yield* expectAll(service)
      expect(yield* service.signal("SIGTERM")).toBe(0)
      yield* expectAll(yield* Box.startService(data))
    })
  )

  it.scopedLive("with a block of fewer columns has nothing in the others, and goes on", () =>
    Effect.gen(function* () {
      const { data, file } = yield* older
      const kept = channels.slice(0, 6)
      const database = new Database(file)
      const tail = database.prepare("SELECT id, data FROM point_blocks WHERE session_id = 2").all()
      for (const { data, id } of tail as ReadonlyArray<{ readonly id: number; readonly data: Buffer }>) {
        const narrow = encodeRaw(decodeBlock(data).only(kept))
        database.prepare("UPDATE point_blocks SET data = ? WHERE id = ?").run(narrow, id)
      }
      database.close()

      const service = yield* Box.startService(data)
      const nothing = Object.fromEntries(channels.slice(6).map((channel) => [channel, null]))
      const before = driven(0, 120, START + 1000).map((point) => ({ ...point, ...nothing }))
      expect(yield* pointsOf(service, 2)).toEqual(before)
      const after = yield* recordOn(service, 2, START + 1100)
      expect(yield* pointsOf(service, 2)).toEqual([...before, ...after])
    })
  )
})
