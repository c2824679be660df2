/** Every form of a session's points holds the same points. */
import { tableFromIPC } from "apache-arrow"
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { parseCsv } from "../formats/parseCsv.ts"
import { runs } from "../support/runs.ts"
import { everyNth } from "./points.ts"
import { type Service, service } from "../support/service.ts"
import { lapOf, START, storeSession } from "./stored.ts"

type Row = ReadonlyArray<number | null>

/** The number of a point's lap, null outside laps, and the point. */
interface Placed {
  readonly lap: number | null
  readonly row: Row
}

const value = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -10, max: 300 }) },
  fc.constant(ABSENT)
)

/** Points 1/8 s apart, and the stretches that they are cut into: each a lap or none. */
const drive = fc
  .array(fc.record({ isLap: fc.boolean(), length: fc.integer({ min: 1, max: 12 }) }), { maxLength: 7 })
  .chain((stretches) => {
    const count = stretches.reduce((sum, { length }) => sum + length, 0)
    const size = count * (channels.length - 1)
    return fc.record({
      sampleRate: fc.integer({ min: 1, max: 5 }),
      stretches: fc.constant(stretches),
      values: fc.array(value, { minLength: size, maxLength: size })
    })
  })

interface Random {
  readonly sampleRate: number
  readonly stretches: ReadonlyArray<{ readonly isLap: boolean; readonly length: number }>
  readonly values: ReadonlyArray<number>
}

const NDJSON = "application/x-ndjson"
const ARROW = "application/vnd.apache.arrow.stream"

const timeOf = (index: number) => START + index / 8

const objectRow = (point: Point): Row => channels.map((name) => point[name]!)

const csvRow = (fields: ReadonlyArray<string>): Row =>
  fields.map((field) => (field === "" ? null : Number(field)))

type Point = Readonly<Record<string, number | null>>

/** A line for each point. */
const linesOf = (bytes: Buffer): ReadonlyArray<Point> => {
  const lines = bytes.toString().split("\n")
  expect(lines.pop()).toBe("")
  return lines.map((line) => JSON.parse(line))
}

const byTime = (a: Placed, b: Placed) => a.row[0]! - b.row[0]!

const bytesOf = ({ fetch }: Service, path: string, accept = "*/*") =>
  Effect.gen(function* () {
    const answer = yield* fetch(`/api/v1/${path}`, { headers: { accept } })
    expect([path, answer.status]).toEqual([path, 200])
    return Buffer.from(yield* Effect.promise(() => answer.arrayBuffer()))
  })

const arrowRows = (bytes: Buffer): ReadonlyArray<Row> => {
  const table = tableFromIPC(bytes)
  const columns = channels.map((name) => Array.from(table.getChild(name)!, (value: number | null) => value))
  return Array.from({ length: table.numRows }, (_, i) => columns.map((column) => column[i]!))
}

const storeRandom = Effect.fnUntraced(function* (running: Service, { stretches, values }: Random) {
  const session = yield* storeSession(running)
  const count = values.length / (channels.length - 1)
  const times = Array.from({ length: count }, (_, i) => timeOf(i))
  const batch = new RowBatch(count, Float64Array.from([...times, ...values]), channels)
  if (count > 0) yield* running.points.write([{ sessionId: session.id, group: POINTS, batch }])
  let at = 0
  const placed: Array<Placed> = []
  const laps = stretches.flatMap(({ isLap, length }, number) => {
    const lap = isLap ? [lapOf(session.id, number, timeOf(at), timeOf(at + length))] : []
    for (const until = at + length; at < until; at++) {
      const row = channels.map((_, c) => batch.data[c * count + at]!)
      placed.push({ lap: isLap ? number : null, row: row.map((one) => (Number.isNaN(one) ? null : one)) })
    }
    return lap
  })
  return { session, laps: yield* running.catalog.addLaps(laps), placed }
}, Effect.orDie)

const csvOf = (bytes: Buffer): ReadonlyArray<Placed> =>
  parseCsv(bytes.toString())
    .slice(1)
    .map(csvRow)
    .map(([lap, ...row]) => ({ lap: lap!, row }))

const jsonOf = (bytes: Buffer): ReadonlyArray<Placed> => {
  const { laps } = JSON.parse(bytes.toString()) as {
    readonly laps: ReadonlyArray<{
      readonly lap: { readonly lap_number: number } | null
      readonly points: ReadonlyArray<Readonly<Record<string, number | null>>>
    }>
  }
  // The points outside laps are the last entry, if there are any.
  expect(laps.slice(0, -1).every(({ lap }) => lap !== null)).toBe(true)
  return laps.flatMap(({ lap, points }) =>
    points.map((point) => ({ lap: lap?.lap_number ?? null, row: objectRow(point) }))
  )
}

/** The points that `sample_rate` leaves: of each lap, and of each stretch outside laps, every Nth point, its first and its last. */
const thinned = (placed: ReadonlyArray<Placed>, sampleRate: number): ReadonlyArray<Placed> => {
  const starts = placed.flatMap(({ lap }, i) => (i === 0 || placed[i - 1]!.lap !== lap ? [i] : []))
  return starts.flatMap((start, n) => everyNth(placed.slice(start, starts[n + 1]), sampleRate))
}

it.scopedLive("JSON, CSV, NDJSON and Arrow hold the same points, of a session and of a lap", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const holds = Effect.fnUntraced(function* (random: Random) {
      const { laps, placed, session } = yield* storeRandom(running, random)
      const whole = yield* bytesOf(running, `telemetry/range?session_id=${session.id}`, ARROW)
      expect(arrowRows(whole)).toEqual(placed.map(({ row }) => row))
      const lines = yield* bytesOf(running, `telemetry/range?session_id=${session.id}`, NDJSON)
      expect(linesOf(lines).map(objectRow)).toEqual(placed.map(({ row }) => row))
      for (const sampleRate of new Set([1, random.sampleRate])) {
        const query = `sample_rate=${sampleRate}`
        const path = `export/session/${session.id}?${query}`
        const expected = thinned(placed, sampleRate)
        expect(csvOf(yield* bytesOf(running, path))).toEqual(expected)
        expect(jsonOf(yield* bytesOf(running, `${path}&format=json`)).toSorted(byTime)).toEqual(expected)
        const lines = linesOf(yield* bytesOf(running, `${path}&format=ndjson`))
        expect(lines.map((line) => ({ lap: line["lap_number"], row: objectRow(line) }))).toEqual(expected)
        const [lap] = laps
        if (lap === undefined) continue
        const rows = expected.filter((one) => one.lap === lap.lapNumber).map(({ row }) => row)
        const csv = parseCsv((yield* bytesOf(running, `export/csv/${lap.id}?${query}`)).toString())
        expect(csv.slice(1).map(csvRow)).toEqual(rows)
        const json = JSON.parse((yield* bytesOf(running, `export/json/${lap.id}?${query}`)).toString())
        expect(json.points.map(objectRow)).toEqual(rows)
        const ndjson = linesOf(yield* bytesOf(running, `export/ndjson/${lap.id}?${query}`))
        expect(ndjson.map(objectRow)).toEqual(rows)
        expect(arrowRows(yield* bytesOf(running, `export/arrow/${lap.id}?${query}`))).toEqual(rows)
      }
    })
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(drive, (random) => Effect.runPromise(holds(random))),
        { numRuns: runs(10) }
      )
    )
  })
)
