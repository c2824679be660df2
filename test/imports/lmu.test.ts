/** Le Mans Ultimate's databases: the made one with the values that its maker knows, and others that this test writes with DuckDB. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { UnreadableFile } from "../../src/imports/FileReader.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, timesOf, valuesOf } from "./readFile.ts"

const folder = mkdtempSync(join(tmpdir(), "lmu-"))
afterAll(() => rmSync(folder, { recursive: true }))

interface Made {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly start: string
  readonly master_rows: number
  readonly master_first: number
  readonly gaps_in_master: ReadonlyArray<{ readonly after_row: number; readonly seconds: number }>
  readonly laps: ReadonlyArray<{
    readonly lap: number
    readonly start: number
    readonly end: number
    readonly lap_time: number
    readonly sectors: ReadonlyArray<number>
  }>
}

const made = () => `${sharedFolder("data/formats")}/lmu-made.duckdb`

const expected = () =>
  JSON.parse(readFileSync(`${sharedFolder("data/formats")}/lmu-made.expected.json`, "utf8")) as Made

const reasonOf = async (path: string): Promise<string> => {
  const error: unknown = await readFile(path).catch((thrown: unknown) => thrown)
  if (!(error instanceof UnreadableFile)) throw new Error(`not refused: ${String(error)}`)
  return error.reason
}

describe("the made file", needing(formatsHere), () => {
  it("has its names, its laps and their sectors", async () => {
    const { circuit, driver, laps, master_first: zero, start, vehicle } = expected()
    const { facts, format, sessions, warnings } = await readFile(made())
    expect([format, sessions.length, warnings]).toEqual(["lmu-duckdb", 1, []])
    const datetime = Date.parse(start) / 1000
    expect(sessions[0]!.started).toMatchObject({ circuit, vehicle, driver, datetime })
    const timed = sessions[0]!.laps.filter(({ lapTime }) => lapTime !== null)
    expect(timed.map((lap) => [lap.lapNumber, lap.lapTime, lap.sectors, lap.valid])).toEqual(
      laps.map((lap) => [lap.lap, lap.lap_time, lap.sectors, undefined])
    )
    timed.forEach((lap, n) => {
      expect(lap.start).toBeCloseTo(datetime + laps[n]!.start - zero, 6)
      expect(lap.end).toBeCloseTo(datetime + laps[n]!.end - zero, 6)
    })
    // What identifies a person is not kept.
    expect(JSON.stringify(facts)).not.toMatch(/steam/i)
  })

  it("has each sample at the master clock's row, over its gaps", async () => {
    const { gaps_in_master: gaps, master_rows: rows, start } = expected()
    const { sessions } = await readFile(made())
    const master = (row: number) =>
      Date.parse(start) / 1000 +
      row / 100 +
      gaps.reduce((sum, { after_row, seconds }) => sum + (row > after_row ? seconds - 0.01 : 0), 0)
    const check = (channel: string, count: number, rowOf: (sample: number) => number) => {
      const times = timesOf(sessions[0]!, channel)
      expect([channel, times.length]).toEqual([channel, count])
      const off = times.map((time, i) => Math.abs(time - master(rowOf(i))))
      expect([channel, Math.max(...off) < 2e-6]).toEqual([channel, true])
    }
    check("speed", rows, (i) => i)
    check("latitude", rows / 10, (i) => 10 * i)
    check("fuel", rows / 5, (i) => 5 * i)
    // The list says 7 Hz.
    check("oil_temperature", 2035, (i) => Math.round((100 * i) / (2035 / 290)))
  })
})

type Row = Readonly<Record<string, number>>

const RATE = 100
const SECONDS = 400
/** m/s; a circle, clockwise seen from above, whose speed changes by `SWING`. */
const SPEED = 30
const SWING = 10
const RADIUS = 200

/** What a car has on a circle to the right, at time t (s). */
const onCircle = (() => {
  const all: Array<Row> = []
  let angle = 0
  for (let i = 0; i < RATE * SECONDS; i++) {
    const t = i / RATE
    const v = SPEED + SWING * Math.sin(t)
    angle += v / RADIUS / RATE
    all.push({
      v,
      lateral: v ** 2 / RADIUS / 9.80665,
      along: (SWING * Math.cos(t)) / 9.80665,
      lat: 50 + (RADIUS * Math.sin(-angle)) / 111_195,
      lon: 6 + (RADIUS * Math.cos(-angle)) / (111_195 * Math.cos((50 * Math.PI) / 180))
    })
  }
  return all
})()

const quoted = (table: string) => `"${table.replaceAll('"', '""')}"`

/** A database as the game writes it. Tables: unit, samples a second, and the values of a sample. */
const written = async (
  name: string,
  tables: Readonly<
    Record<string, readonly [unit: string, rate: number, of: (row: Row) => ReadonlyArray<number>]>
  >,
  more: ReadonlyArray<string> = []
): Promise<string> => {
  const path = join(folder, `${name}.duckdb`)
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run("CREATE TABLE metadata (key VARCHAR, value VARCHAR)")
  await connection.run(
    "INSERT INTO metadata VALUES ('TrackName', 'Fuji'), ('TrackLayout', 'Short'), ('RecordingTime', '2026-03-01T10_00_00Z')"
  )
  await connection.run("CREATE TABLE channelsList (channelName VARCHAR, frequency BIGINT, unit VARCHAR)")
  const clock: (typeof tables)[string] = ["s", RATE, () => []]
  const all = { "GPS Time": clock, ...tables }
  for (const [table, [unit, rate, of]] of Object.entries(all)) {
    const rows = onCircle
      .filter((_, i) => i % (RATE / rate) === 0)
      .map((row, i) => (table === "GPS Time" ? [500 + i / RATE] : of(row)))
    const names = rows[0]!.length === 1 ? ["value"] : rows[0]!.map((_, n) => `value${n + 1}`)
    await connection.run(
      `CREATE TABLE ${quoted(table)} (${names.map((column) => `${column} DOUBLE`).join(", ")})`
    )
    const appender = await connection.createAppender(table)
    for (const row of rows) {
      for (const value of row) appender.appendDouble(value)
      appender.endRow()
    }
    appender.closeSync()
    await connection.run(
      `INSERT INTO channelsList VALUES ('${table.replaceAll("'", "''")}', ${rate}, '${unit}')`
    )
  }
  for (const sql of more) await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
  return path
}

const driving = {
  "Ground Speed": ["km/h", 100, (row: Row) => [3.6 * row["v"]!]],
  "GPS Latitude": ["deg", 10, (row: Row) => [row["lat"]!]],
  "GPS Longitude": ["deg", 10, (row: Row) => [row["lon"]!]]
} as const

describe("channels", () => {
  it("have the vocabulary's units and signs, whichever way and by whichever name the file has them", async () => {
    const path = await written("signs", {
      ...driving,
      // To the left, and by the other's name.
      "G Force Long": ["G", 100, (row) => [-row["lateral"]!]],
      "G Force Lat": ["G", 100, (row) => [row["along"]!]],
      "Steering Pos": ["%", 100, (row) => [-150 * row["lateral"]!]],
      "Wheel Speed": ["m/s", 100, (row) => [1, 1.01, 1.02, 1.03].map((share) => share * row["v"]!)],
      TyresTempLeft: ["C", 10, () => [81, 82, 83, 84]],
      "Tyres Wear": ["%", 1, () => [98, 97, 96, 95]],
      "Brake Bias Rear": ["%", 1, () => [44]],
      'Odd "name"': ["furlong", 10, (row) => [row["v"]!]]
    })
    const { groups, sessions, warnings } = await readFile(path)
    const [session] = sessions
    expect(warnings).toEqual([])
    expect(session!.started.circuit).toBe("Fuji (Short)")
    const at = 12_345
    const row = onCircle[at]!
    const near = (channel: string, value: number, sample = at) =>
      expect(valuesOf(session!, channel)[sample]).toBeCloseTo(value, 9)
    near("speed", 3.6 * row["v"]!)
    near("g_lateral", row["lateral"]!)
    near("g_longitudinal", row["along"]!)
    // Beyond a share of the lock: degrees, positive to the right.
    near("steering_angle", 150 * row["lateral"]!)
    near("wheel_speed_rr", 3.6 * 1.03 * row["v"]!)
    expect(["fl", "fr", "rl", "rr"].map((end) => valuesOf(session!, `tyre_wear_${end}`)[0])).toEqual([
      1 - 98 / 100,
      1 - 97 / 100,
      1 - 96 / 100,
      1 - 95 / 100
    ])
    // The left edge of a left wheel is the outer one.
    const edges = ["outer_edge_temperature_fl", "inner_edge_temperature_fr", "outer_edge_temperature_rl"]
    expect(edges.map((edge) => valuesOf(session!, `tyre_${edge}`)[0])).toEqual([81, 82, 83])
    near("brake_bias", 0.56, 0)
    const own = groups.flatMap(({ channels }) => channels).find(({ name }) => name === "lmu_odd_name")!
    expect([own.unit, own.description]).toEqual(["furlong", '"Odd "name"", 10 Hz'])
    expect(valuesOf(session!, "lmu_odd_name")[100]).toBe(onCircle[1000]!["v"])
  })

  it("of events hold from their time on, and a lap in the pits is not valid", async () => {
    const path = await written("events", driving, [
      "CREATE TABLE Gear (ts DOUBLE, value BIGINT)",
      "INSERT INTO Gear VALUES (500, 1), (502.005, 2), (510, -1)",
      "CREATE TABLE Lap (ts DOUBLE, value BIGINT)",
      "INSERT INTO Lap VALUES (500, 0), (520, 1), (620, 2), (721.5, 3)",
      'CREATE TABLE "Lap Time" (ts DOUBLE, value DOUBLE)',
      'INSERT INTO "Lap Time" VALUES (500, 0), (620.008, 100.001), (721.508, 99)',
      'CREATE TABLE "In Pits" (ts DOUBLE, value BOOLEAN)',
      'INSERT INTO "In Pits" VALUES (500, true), (510, false), (700, true)'
    ])
    const { sessions, warnings } = await readFile(path)
    const gear = valuesOf(sessions[0]!, "gear")
    expect([0, 200, 201, 999, 1000].map((i) => gear[i])).toEqual([1, 1, 2, 2, -1])
    expect(sessions[0]!.laps.map((lap) => [lap.lapNumber, lap.lapTime, lap.valid])).toEqual([
      [0, null, false],
      [1, 100.001, undefined],
      // The reported time is not that between its crossings.
      [2, 101.5, false],
      [3, null, false]
    ])
    expect(warnings).toHaveLength(1)
  })
})

describe("a file that is refused", () => {
  it("is a database of another program", async () => {
    const path = join(folder, "other.duckdb")
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run("CREATE TABLE t (a INTEGER)")
    connection.closeSync()
    instance.closeSync()
    expect(await reasonOf(path)).toMatch(/without the table GPS Time/)
  })

  it("reads no other file of the machine by a view", async () => {
    const secret = join(folder, "secret.txt")
    writeFileSync(secret, "1234\n")
    const path = await written("view", driving, [
      'ALTER TABLE "GPS Time" RENAME TO kept',
      `CREATE VIEW "GPS Time" AS SELECT content AS value FROM read_text('${secret}')`,
      `CREATE VIEW Stolen AS SELECT CAST(content AS DOUBLE) AS value FROM read_text('${secret}')`
    ])
    expect(await reasonOf(path)).toMatch(/without the table GPS Time/)
  })

  it("is one that the game still writes", async () => {
    const path = await written("writing", driving)
    writeFileSync(`${path}.wal`, "")
    expect(await reasonOf(path)).toBe("The game is still writing it: writing.duckdb.wal is beside it")
  })

  it("names the version that wrote it where the library cannot read that", async () => {
    const path = await written("version", driving)
    const bytes = readFileSync(path)
    bytes.writeBigUInt64LE(99n, 12)
    const newer = join(folder, "newer.duckdb")
    writeFileSync(newer, bytes)
    expect(await reasonOf(newer)).toMatch(/^DuckDB cannot read it \(storage version 99, by v/)
  })

  it("or one that is damaged ends with a reason, or with what is whole", async () => {
    const whole = await written("damaged", driving)
    const size = readFileSync(whole).length
    let refused = 0
    for (let n = 0; n < 12; n++) {
      const path = join(folder, "copy.duckdb")
      copyFileSync(whole, path)
      const bytes = readFileSync(path)
      for (let k = 0; k < 20; k++)
        bytes[(n * 7919 + k * 104_729 + k * n * 31) % size] = (n * 31 + k * 17) & 255
      writeFileSync(path, n % 3 === 0 ? bytes.subarray(0, Math.floor((size * (n + 1)) / 14)) : bytes)
      const read = await readFile(path).catch((error: unknown) => error)
      const isRefused = read instanceof UnreadableFile
      if (isRefused) refused++
      expect(isRefused || (read as { readonly format?: string }).format === "lmu-duckdb").toBe(true)
    }
    expect(refused).toBeGreaterThan(0)
  })
})
