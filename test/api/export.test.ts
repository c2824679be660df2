import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { pointsOf } from "./points.ts"
import { type Service, service } from "../support/service.ts"
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

it.scopedLive("a file has the type and the name of its kind", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 10 })
    const csv = "text/csv; charset=utf-8"
    for (const [path, type, name] of [
      [`csv/${laps[0]!.id}`, csv, `lap-${laps[0]!.id}.csv`],
      [`json/${laps[0]!.id}`, "application/json", `lap-${laps[0]!.id}.json`],
      [`session/${session.id}`, csv, `session-${session.id}.csv`],
      [`session/${session.id}?format=csv`, csv, `session-${session.id}.csv`],
      [`session/${session.id}?colour=red`, csv, `session-${session.id}.csv`],
      [`session/${session.id}?format=json`, "application/json", `session-${session.id}.json`]
    ] as const) {
      const { disposition, type: found } = yield* file(running, path)
      expect([path, found, disposition]).toEqual([path, type, `attachment; filename="${name}"`])
    }
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
    })
)

it.scopedLive("a lap as JSON has the lap and its session as REST has them", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 10 })
    const parsed = JSON.parse((yield* file(running, `json/${laps[0]!.id}`)).text)
    expect(Object.keys(parsed)).toEqual(["lap", "session", "points"])
    expect(parsed.lap).toEqual((yield* running.json(`/api/v1/${laps[0]!.id}`)).body)
    expect(parsed.session).toEqual((yield* running.json(`/api/v1/sessions/${session.id}`)).body)
  })
)

it.scopedLive("a session as JSON: its laps, each with its points, and last the points outside laps", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { points, session } = yield* storeDrive(running, drive)
    const { text } = yield* file(running, `session/${session.id}?format=json`)
    const parsed = JSON.parse(text)
    const all = pointsOf(points)
    const laps = (yield* running.json(`/api/v1/${session.id}/laps`)).body as ReadonlyArray<unknown>
    const { body: stored } = yield* running.json(`/api/v1/sessions/${session.id}`)
    expect(parsed).toEqual({
      session: stored,
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
