/** Channels over HTTP: the dictionary, values beside points, a group's own samples, a lap's summary. */
import { expect, it } from "@effect/vitest"
import { tableFromIPC } from "apache-arrow"
import { Effect } from "effect"
import { allChannels, channelSet } from "../../src/domain/ChannelSet.ts"
import { Dictionary, emptyDictionary } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { ARROW_TYPE } from "../../src/formats/arrow/pointsArrow.ts"
import { parseCsv } from "../formats/parseCsv.ts"
import { type Service, service } from "../support/service.ts"
import { START, storeDrive, storeSession } from "./stored.ts"

const tyreNames = ["tyre_pressure_fl", "tyre_temperature_fl"]

const declared = (declared = allChannels): Dictionary =>
  emptyDictionary.withDeclared(declared).withGroups([
    { name: "tyres", channels: tyreNames.map((name) => ({ name })) },
    { name: "fuel", channels: [{ name: "fuel" }] },
    { name: "f1_status", channels: [{ name: "f1_drs_mode", kind: "step", labels: { "1": "open" } }] }
  ]).dictionary

const rowsOf = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<number>>): RowBatch => {
  const batch: RowBatch = RowBatch.allocate(rows.length, ["timestamp", ...names])
  rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
  return batch
}

/** Fuel as of a time: a tenth of a litre less each second, sampled at 2 Hz from 5.25 s on. */
const fuelAt = (seconds: number): number | null =>
  seconds < 5.25 ? null : 50 - Math.min(188, Math.floor((seconds - 5.25) * 2 + 1e-9)) / 20

/** 100 s at 60 Hz with two laps of 40 s from 10 s on, fuel at 2 Hz, tyres every 10 s, in the second lap without pressure. */
const storeRide = Effect.fnUntraced(function* (running: Pick<Service, "catalog" | "points">) {
  const drive = yield* storeDrive(running, { count: 6000, laps: 2, lapPoints: 2400, before: 600 })
  const { id } = drive.session
  yield* running.catalog.putDictionary(id, declared())
  const fuel = Array.from({ length: 189 }, (_, n) => [START + 5.25 + n / 2, 50 - n / 20])
  const tyres = Array.from({ length: 10 }, (_, n) => [START + 10 * n, n < 5 ? 170 + n : ABSENT, 80 + n])
  yield* running.points.write([
    { sessionId: id, group: "fuel", batch: rowsOf(["fuel"], fuel) },
    { sessionId: id, group: "tyres", batch: rowsOf(tyreNames, tyres) }
  ])
  return drive
}, Effect.orDie)

it.scopedLive("a session's channels are listed: the ten, then those of each group with counts", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { session } = yield* storeRide(running)
    const { body, status } = yield* running.json(`/api/v1/${session.id}/channels`)
    expect(status).toBe(200)
    const listed = body as ReadonlyArray<{ readonly name: string }>
    expect(listed.map(({ name }) => name)).toEqual([
      ...channels,
      ...tyreNames,
      "fuel",
      "f1_drs_mode",
      "lap_distance"
    ])
    const named = new Map(listed.map((channel) => [channel.name, channel]))
    expect(named.get("speed")).toMatchObject({
      unit: "km/h",
      kind: "continuous",
      group: "points",
      derived: false,
      samples: 6000,
      rate: 60,
      first: START
    })
    expect(named.get("gear")).toMatchObject({ kind: "step", unit: "" })
    expect(named.get("fuel")).toEqual({
      name: "fuel",
      unit: "l",
      kind: "continuous",
      group: "fuel",
      description: "",
      labels: {},
      derived: false,
      samples: 189,
      rate: 2,
      first: START + 5.25,
      last: START + 99.25
    })
    expect(named.get("tyre_pressure_fl")).toMatchObject({ unit: "kPa", samples: 10, rate: 0.1 })
    expect(named.get("f1_drs_mode")).toMatchObject({
      labels: { "1": "open" },
      samples: 0,
      rate: null,
      first: null,
      last: null
    })
  })
)

it.scopedLive(
  "a session recorded before groups existed lists the ten channels; one without points lists none",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const { session } = yield* storeDrive(running, { count: 10 })
      const empty = yield* Effect.orDie(storeSession(running))
      const namesOf = (id: number) =>
        Effect.map(running.json(`/api/v1/${id}/channels`), ({ body }) =>
          (body as ReadonlyArray<{ name: string }>).map(({ name }) => name)
        )
      expect(yield* namesOf(session.id)).toEqual([...channels, "lap_distance"])
      expect(yield* namesOf(empty.id)).toEqual([])
      yield* Effect.orDie(
        running.catalog.putDictionary(session.id, declared(channelSet("speed")).withoutGroups)
      )
      expect(yield* namesOf(session.id)).toEqual(["timestamp", "speed", "lap_distance"])
    })
)

type Row = Record<string, number | null>

it.scopedLive("channels beside points have the newest value of their time, also from before the range", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeRide(running)
    const range = `/api/v1/telemetry/range?session_id=${session.id}`
    const { body } = yield* running.json(`${range}&channels=fuel,tyre_*`)
    const { points, total_points } = body as {
      readonly points: ReadonlyArray<Row>
      readonly total_points: number
    }
    expect(total_points).toBe(6000)
    expect(Object.keys(points[0]!)).toEqual([...channels, ...tyreNames, "fuel"])
    const asOf = (i: number) => {
      const tyre = Math.floor(i / 600)
      return [fuelAt(i / 60), tyre < 5 ? 170 + tyre : null, 80 + tyre]
    }
    const beside = points.map((point) => ["fuel", ...tyreNames].map((name) => point[name]))
    expect(beside).toEqual(points.map((_, i) => asOf(i)))
    // Further channels do not change the points.
    const plain = (yield* running.json(range)).body as { readonly points: ReadonlyArray<Row> }
    const alone = ({ fuel: _f, tyre_pressure_fl: _p, tyre_temperature_fl: _t, ...point }: Row) => point
    expect(points.map(alone)).toEqual(plain.points)
    const thinned = (yield* running.json(`${range}&channels=fuel&sample_rate=600&start_time=${START + 20}`))
      .body
    expect((thinned as { points: ReadonlyArray<Row> }).points.map(({ fuel }) => fuel)).toEqual(
      [20, 30, 40, 50, 60, 70, 80, 90, 5999 / 60].map(fuelAt)
    )
    // The ten are always there, named or not.
    const lap = (yield* running.json(`/api/v1/${laps[1]!.id}/telemetry?channels=speed,fuel,throttle`))
      .body as {
      points: ReadonlyArray<Row>
    }
    expect(Object.keys(lap.points[0]!)).toEqual([...channels, "fuel"])
    expect(lap.points.map(({ fuel }) => fuel)).toEqual(
      Array.from({ length: 2400 }, (_, i) => fuelAt(50 + i / 60))
    )
  })
)

it.scopedLive("a group's own samples can be read whole, thinned and in part", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeRide(running)
    const range = `/api/v1/telemetry/range?session_id=${session.id}`
    const { body } = yield* running.json(`${range}&group=tyres`)
    expect(body).toMatchObject({ session_id: session.id, group: "tyres", total_points: 10 })
    const { points } = body as { readonly points: ReadonlyArray<Row> }
    expect(points[0]).toEqual({ timestamp: START, tyre_pressure_fl: 170, tyre_temperature_fl: 80 })
    expect(points[9]).toEqual({ timestamp: START + 90, tyre_pressure_fl: null, tyre_temperature_fl: 89 })
    const some = yield* running.json(
      `${range}&group=tyres&channels=tyre_t*&sample_rate=4&start_time=${START + 10}`
    )
    expect(some.body).toMatchObject({
      total_points: 9,
      points: [10, 50, 90].map((at) => ({ timestamp: START + at, tyre_temperature_fl: 80 + at / 10 }))
    })
    // A group may begin before the points and end behind them, as after a kill.
    const later = [-1, 120].map((at) => [START + at, 1])
    yield* running.points.write([
      { sessionId: session.id, group: "f1_status", batch: rowsOf(["f1_drs_mode"], later) }
    ])
    const beyond = (yield* running.json(`${range}&group=f1_status`)).body
    expect(beyond).toMatchObject({ start_time: START - 1, end_time: START + 120, total_points: 2 })
    const ten = (yield* running.json(`/api/v1/${laps[0]!.id}/telemetry?group=points&channels=speed`)).body
    expect(Object.keys((ten as { points: ReadonlyArray<Row> }).points[5]!)).toEqual(["timestamp", "speed"])
  })
)

it.scopedLive("an Arrow stream has the content of the JSON document", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeRide(running)
    const [lap] = laps
    const range = `telemetry/range?session_id=${session.id}`
    for (const [path, arrow = path] of [
      [`${lap!.id}/telemetry?channels=fuel`, `export/arrow/${lap!.id}?channels=fuel`],
      [`${range}&sample_rate=3&channels=*`],
      [`${range}&group=tyres`]
    ]) {
      const { body } = yield* running.json(`/api/v1/${path}`)
      const { points, ...facts } = body as { readonly points: ReadonlyArray<Row> }
      const answer = yield* running.fetch(`/api/v1/${arrow}`, { headers: { accept: ARROW_TYPE } })
      expect(answer.headers.get("content-type")).toBe(ARROW_TYPE)
      const table = tableFromIPC(new Uint8Array(yield* Effect.promise(() => answer.arrayBuffer())))
      expect(table.toArray().map((row) => row.toJSON())).toEqual(points)
      const expected = Object.entries(facts).map(([name, value]) => [name, String(value)])
      expect(Object.fromEntries(table.schema.metadata)).toEqual(Object.fromEntries(expected))
    }
  })
)

it.scopedLive("exports have the channels of the query, and by default the ten", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeRide(running)
    const text = (path: string) =>
      Effect.flatMap(running.fetch(`/api/v1/export/${path}`), (answer) => Effect.promise(() => answer.text()))
    const [header, row] = parseCsv(yield* text(`csv/${laps[0]!.id}?channels=fuel`))
    expect(header).toEqual([...channels, "fuel"])
    expect(row!.at(-1)).toBe(String(fuelAt(10)))
    const rows = parseCsv(yield* text(`session/${session.id}?group=tyres`))
    expect(rows.slice(0, 4)).toEqual([
      ["lap_number", "timestamp", ...tyreNames],
      ["", `${START}.0`, "170.0", "80.0"],
      ["1", `${START + 10}.0`, "171.0", "81.0"],
      ["1", `${START + 20}.0`, "172.0", "82.0"]
    ])
    const rowsOfFuel = parseCsv(yield* text(`session/${session.id}?group=fuel`)).length - 1
    const document = JSON.parse(yield* text(`session/${session.id}?format=json&group=fuel`)) as {
      readonly group: string
      readonly laps: ReadonlyArray<{ readonly points: ReadonlyArray<Row> }>
    }
    expect(document.group).toBe("fuel")
    // The last ones are outside the laps.
    const outside = rowsOfFuel - 80 - 80
    expect(document.laps.map(({ points }) => points.length)).toEqual([80, 80, outside])
    const lap = JSON.parse(yield* text(`json/${laps[0]!.id}?channels=*`)) as { points: ReadonlyArray<Row> }
    expect(Object.keys(lap.points[0]!)).toHaveLength(15)
    expect(parseCsv(yield* text(`csv/${laps[0]!.id}`))[0]).toEqual([...channels])
  })
)

it.scopedLive("a lap's summary has channels in figures: the fuel used is the fall of its level", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeRide(running)
    const { body, status } = yield* running.json(`/api/v1/${laps[1]!.id}/channel-stats`)
    expect(status).toBe(200)
    const figures = new Map(
      (body as ReadonlyArray<{ name: string }>).map((channel) => [channel.name, channel])
    )
    expect([...figures.keys()]).toEqual([...channels.slice(1), ...tyreNames, "fuel", "f1_drs_mode"])
    // The lap lasts from 50 s to 90 s.
    const [first, last] = [fuelAt(50)!, fuelAt(89.99)!]
    expect(figures.get("fuel")).toMatchObject({ unit: "l", min: last, max: first, first, last })
    expect((figures.get("fuel") as unknown as Row)["fall"]).toBeCloseTo(first - last, 9)
    // The pressure is absent from the lap's start on.
    expect(figures.get("tyre_pressure_fl")).toMatchObject({ min: null, mean: null })
    expect(figures.get("f1_drs_mode")).toMatchObject({ first: null, mean: null })
  })
)
