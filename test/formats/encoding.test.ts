import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck, Stream } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import * as PointsCsv from "../../src/formats/csv/pointsCsv.ts"
import * as PointsJson from "../../src/formats/json/pointsJson.ts"
import * as PointsNdjson from "../../src/formats/json/pointsNdjson.ts"
import { bitsOf } from "../contracts/samples.ts"
import { pointsOf } from "../api/points.ts"
import { parseCsv } from "./parseCsv.ts"

const pieces = (text: Stream.Stream<Uint8Array>): ReadonlyArray<Uint8Array> =>
  Chunk.toReadonlyArray(Effect.runSync(Stream.runCollect(text)))

const joined = (text: Stream.Stream<Uint8Array>): string => Buffer.concat(pieces(text)).toString()

const awkward = [0, -0, 5e-324, -5e-324, 1e21, 1e-7, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53, -1e-21]

const finite = FastCheck.oneof(
  FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
  FastCheck.constantFrom(...awkward)
)

/** The columns one after another; the time, which is the first, is never absent. */
const batchOf = (values: ReadonlyArray<number>) => {
  const length = Math.floor(values.length / channels.length)
  const data = Float64Array.from(values.slice(0, length * channels.length))
  return new RowBatch(
    length,
    data.map((value, i) => (i < length && Number.isNaN(value) ? i : value)),
    channels
  )
}

const value = FastCheck.oneof({ weight: 3, arbitrary: finite }, FastCheck.constant(ABSENT))

/** Batches as a store gives them: of any size, some of them empty. */
const batches = FastCheck.array(FastCheck.array(value, { maxLength: 60 }).map(batchOf), { maxLength: 5 })

const bits = (rows: ReadonlyArray<ReadonlyArray<number>>) =>
  bitsOf(new RowBatch(rows.length, Float64Array.from(rows.flat()), channels))

const expectSame = (found: ReadonlyArray<ReadonlyArray<number>>, given: ReadonlyArray<PointBatch>) => {
  const expected = given.flatMap((batch) => pointsOf(batch).map((point) => Object.values(point)))
  expect(found.length).toBe(expected.length)
  expect(bits(found).equals(bits(expected))).toBe(true)
}

const stretch = (lapNumber: number | undefined, ...times: ReadonlyArray<number>) => {
  const batch = RowBatch.allocate(times.length, channels)
  batch.timestamps.set(times)
  return { lap: lapNumber === undefined ? null : { lapNumber }, points: Stream.make(batch) }
}

/** The values of a JSON object, as they are written. */
const fields = (line: string) => [...line.matchAll(/:([^,}]*)/g)].map(([, value]) => value)

describe("CSV", () => {
  it("has a header and no rows without points", () => {
    const header = "timestamp,speed,rpm,gear,throttle,brake,steering,position_x,position_y,position_z\r\n"
    expect(joined(PointsCsv.table(Stream.empty))).toBe(header)
    expect(joined(PointsCsv.table(Stream.make(RowBatch.allocate(0, channels))))).toBe(header)
    expect(joined(PointsCsv.tableWithLaps([]))).toBe(`lap_number,${header}`)
  })

  it.prop("reads back the same to the last bit", [batches], ([given]) => {
    const [header, ...rows] = parseCsv(joined(PointsCsv.table(Stream.fromIterable(given))))
    expect(header).toEqual([...channels])
    expectSame(
      rows.map((row) => row.map((field) => (field === "" ? ABSENT : Number(field)))),
      given
    )
  })

  it.prop("has the same rows however the points are cut into batches", [batches], ([given]) => {
    const whole = joined(PointsCsv.table(Stream.make(RowBatch.concat(given))))
    expect(joined(PointsCsv.table(Stream.fromIterable(given)))).toBe(whole)
  })

  it("has a decimal point in every number of a continuous column: readers take a column's type from its first rows", () => {
    const batch = new RowBatch(
      2,
      Float64Array.of(1, 2, 0, 0.5, ABSENT, -0, 3, 4, ...Array(6).fill(1e21), 5, 6, ...Array(4).fill(7)),
      channels
    )
    const expected = [
      ["1.0", "0.0", "", "3", "1e+21", "1e+21", "1e+21", "5.0", "7.0", "7.0"],
      ["2.0", "0.5", "-0.0", "4", "1e+21", "1e+21", "1e+21", "6.0", "7.0", "7.0"]
    ]
    expect(parseCsv(joined(PointsCsv.table(Stream.make(batch)))).slice(1)).toEqual(expected)
    const lines = joined(PointsNdjson.lines(Stream.make(batch)))
      .trimEnd()
      .split("\n")
    expect(lines.map(fields)).toEqual(expected.map((row) => row.map((field) => field || "null")))
    const codes = PointsCsv.table(Stream.make(batch.only(["timestamp", "speed"])), {
      columns: ["timestamp", "speed"],
      whole: new Set(["speed"])
    })
    expect(parseCsv(joined(codes)).slice(1)).toEqual([
      ["1.0", "0"],
      ["2.0", "0.5"]
    ])
  })

  it("has the number of its lap, or nothing, before each point", () => {
    const stretches = [stretch(undefined), stretch(1, 10, 11), stretch(2), stretch(undefined, 30)]
    const [header, ...rows] = parseCsv(joined(PointsCsv.tableWithLaps(stretches)))
    expect(header).toEqual(["lap_number", ...channels])
    expect(rows.map(([lap, time]) => [lap, Number(time)])).toEqual([
      ["1", 10],
      ["1", 11],
      ["", 30]
    ])
  })

  it("can be encoded again from the same table", () => {
    const batch = RowBatch.allocate(3, channels)
    batch.timestamps.set([1, 2, 3])
    const table = PointsCsv.tableWithLaps([
      { lap: { lapNumber: 1 }, points: Stream.make(batch) },
      { lap: null, points: Stream.make(batch) }
    ])
    expect(joined(table)).toBe(joined(table))
  })
})

describe("JSON", () => {
  it.prop("parses to the same points, between the given prefix and suffix", [batches], ([given]) => {
    const text = joined(PointsJson.document('{"a":1,"points":', Stream.fromIterable(given), ',"b":2}'))
    const { points, ...rest } = JSON.parse(text)
    expect(rest).toEqual({ a: 1, b: 2 })
    for (const point of points) expect(Object.keys(point)).toEqual([...channels])
    expectSame(
      points.map((point: Record<string, number | null>) =>
        Object.values(point).map((value) => value ?? ABSENT)
      ),
      given
    )
  })

  it("has null for an absent value, and CSV has nothing", () => {
    const batch = new RowBatch(
      1,
      Float64Array.of(1.5, 200, ABSENT, 3, ABSENT, ABSENT, -0.5, 1, 2, ABSENT),
      channels
    )
    expect(joined(PointsJson.document("", Stream.make(batch), ""))).toBe(
      '[{"timestamp":1.5,"speed":200,"rpm":null,"gear":3,"throttle":null,"brake":null,' +
        '"steering":-0.5,"position_x":1,"position_y":2,"position_z":null}]'
    )
    expect(joined(PointsCsv.table(Stream.make(batch))).split("\r\n")[1]).toBe("1.5,200.0,,3,,,-0.5,1.0,2.0,")
    const outside = joined(PointsCsv.tableWithLaps([{ lap: null, points: Stream.make(batch) }]))
    expect(outside.split("\r\n")[1]).toBe(",1.5,200.0,,3,,,-0.5,1.0,2.0,")
  })

  it("has an empty array without points, and can be encoded again", () => {
    const empty = PointsJson.document(
      "",
      Stream.make(RowBatch.allocate(0, channels), RowBatch.allocate(0, channels)),
      ""
    )
    expect(joined(empty)).toBe("[]")
    const two = PointsJson.document(
      "",
      Stream.make(RowBatch.allocate(1, channels), RowBatch.allocate(1, channels)),
      ""
    )
    expect(joined(two)).toBe(joined(two))
    expect(JSON.parse(joined(two))).toHaveLength(2)
  })
})

it("large batches are encoded piece by piece, so that other requests get their turn", () => {
  const text = PointsCsv.table(Stream.make(RowBatch.allocate(65_536, channels)))
  const found = pieces(text)
  expect(found.length).toBeGreaterThan(60)
  expect(Buffer.concat(found).toString().split("\r\n")).toHaveLength(65_536 + 2)
})
