import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { parseCsv } from "../formats/parseCsv.ts"
import { pointsOf } from "./points.ts"
import { type Service, service } from "./service.ts"
import { storeDrive, storeSession } from "./stored.ts"

const file = ({ fetch }: Service, path: string) =>
  Effect.gen(function* () {
    const answer = yield* fetch(`/api/v1/export/${path}`)
    expect(answer.status).toBe(200)
    return {
      type: answer.headers.get("content-type"),
      disposition: answer.headers.get("content-disposition"),
      text: yield* Effect.promise(() => answer.text())
    }
  })

const drive = { count: 6000, laps: 2, lapPoints: 2500, before: 400 }

it.scopedLive("a lap as CSV: a header, and a row a point", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, points } = yield* storeDrive(running, drive)
    const { disposition, text, type } = yield* file(running, `csv/${laps[1]!.id}`)
    expect(type).toBe("text/csv; charset=utf-8")
    expect(disposition).toBe(`attachment; filename="lap-${laps[1]!.id}.csv"`)
    const [header, ...rows] = parseCsv(text)
    expect(header).toEqual([...channels])
    const expected = pointsOf(points).slice(2900, 5400)
    expect(rows.map((row) => row.map(Number))).toEqual(expected.map((point) => Object.values(point)))
  })
)

/** Fields between semicolons. */
const values = (text: string) =>
  text
    .trimEnd()
    .split("\r\n")
    .map((row) => row.split(";"))

const numbers = (row: ReadonlyArray<string>) => row.map((field) => Number(field.replace(",", ".")))

it.scopedLive(
  "CSV with decimal commas and semicolons: the same values, for spreadsheets of many countries",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const { laps, points, session } = yield* storeDrive(running, drive)
      const expected = pointsOf(points).map((point) => Object.values(point))
      const lap = values((yield* file(running, `csv/${laps[1]!.id}?decimal=comma`)).text)
      expect(lap[0]).toEqual([...channels])
      expect(lap.slice(1).map(numbers)).toEqual(expected.slice(2900, 5400))
      const whole = values((yield* file(running, `session/${session.id}?decimal=comma`)).text)
      expect(whole.slice(1).map((row) => numbers(row.slice(1)))).toEqual(expected)
      const path = `/api/v1/telemetry/range?session_id=${session.id}&decimal=`
      const range = yield* running.fetch(`${path}comma`, { headers: { accept: "text/csv" } })
      expect(
        values(yield* Effect.promise(() => range.text()))
          .slice(1)
          .map(numbers)
      ).toEqual(expected)
      const refused = yield* running.json(`${path}points`)
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({
        detail: expect.stringContaining("decimal must be one of point, comma")
      })
    })
)

it.scopedLive("a lap as JSON: the lap, its session, its points", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, points, session } = yield* storeDrive(running, drive)
    const { disposition, text, type } = yield* file(running, `json/${laps[0]!.id}`)
    expect(type).toBe("application/json")
    expect(disposition).toBe(`attachment; filename="lap-${laps[0]!.id}.json"`)
    const parsed = JSON.parse(text)
    expect(Object.keys(parsed)).toEqual(["lap", "session", "points"])
    expect(parsed.lap).toEqual((yield* running.json(`/api/v1/${laps[0]!.id}`)).body)
    expect(parsed.session).toEqual((yield* running.json(`/api/v1/sessions/${session.id}`)).body)
    expect(parsed.points).toEqual(pointsOf(points).slice(400, 2900))
  })
)

const lapNumber = (index: number) => (index < 400 ? "" : index < 2900 ? "1" : index < 5400 ? "2" : "")

it.scopedLive("a session as CSV: every point, with the number of its lap or none", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { points, session } = yield* storeDrive(running, drive)
    for (const query of ["", "?format=csv", "?colour=red"]) {
      const { disposition, text, type } = yield* file(running, `session/${session.id}${query}`)
      expect(type).toBe("text/csv; charset=utf-8")
      expect(disposition).toBe(`attachment; filename="session-${session.id}.csv"`)
      const [header, ...rows] = parseCsv(text)
      expect(header).toEqual(["lap_number", ...channels])
      expect(rows.map(([lap]) => lap)).toEqual(Array.from({ length: 6000 }, (_, i) => lapNumber(i)))
      expect(rows.map(([, ...row]) => row.map(Number))).toEqual(
        pointsOf(points).map((point) => Object.values(point))
      )
    }
  })
)

it.scopedLive("a session as JSON: its laps, each with its points, and last the points outside laps", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { points, session } = yield* storeDrive(running, drive)
    const { disposition, text, type } = yield* file(running, `session/${session.id}?format=json`)
    expect(type).toBe("application/json")
    expect(disposition).toBe(`attachment; filename="session-${session.id}.json"`)
    const parsed = JSON.parse(text)
    const all = pointsOf(points)
    const laps = (yield* running.json(`/api/v1/${session.id}/laps`)).body as ReadonlyArray<unknown>
    const said = (yield* running.json(`/api/v1/sessions/${session.id}`)).body
    expect(parsed).toEqual({
      session: said,
      laps: [
        { lap: laps[0], points: all.slice(400, 2900) },
        { lap: laps[1], points: all.slice(2900, 5400) },
        { lap: null, points: [...all.slice(0, 400), ...all.slice(5400)] }
      ]
    })
  })
)

it.scopedLive("a session without laps and points is a header, or empty lists", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const session = yield* storeSession(running, { driver: 'Ana "Ñ", \r\n 🏁' })
    expect((yield* file(running, `session/${session.id}`)).text).toBe(`lap_number,${channels.join(",")}\r\n`)
    const { text } = yield* file(running, `session/${session.id}?format=json`)
    const { body } = yield* running.json(`/api/v1/sessions/${session.id}`)
    expect(JSON.parse(text)).toEqual({ session: body, laps: [] })
  })
)

it.scopedLive("refuses other formats, and finds no lap that is none", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [query, value] of [
      ["xml", "xml"],
      ["CSV", "CSV"],
      ["", '""'],
      ["csv&format=json", '["csv","json"]']
    ] as const) {
      const { body, status } = yield* json(`/api/v1/export/session/1?format=${query}`)
      expect([status, body]).toEqual([
        422,
        { detail: `format must be one of csv, json, ndjson, got ${value}` }
      ])
    }
    for (const lap of ["77", "x", "0", "-1", "1.0", "9007199254740993"]) {
      for (const format of ["csv", "json", "ndjson"]) {
        const { body, headers, status } = yield* json(`/api/v1/export/${format}/${lap}`)
        expect([status, body]).toEqual([404, { detail: `Lap ${lap} was not found` }])
        expect(headers.get("content-disposition")).toBeNull()
      }
    }
  })
)
