import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { recordedLaps } from "../analysis/sessions.ts"
import { storeLaps } from "./drivenLaps.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { sending, service } from "../support/service.ts"
import { storeSession } from "./stored.ts"

const other = {
  connection: { host: "192.168.0.5", port: 9200, app_name: "pit wall" },
  telemetry_rate: 10_000,
  auto_export: true,
  export_format: "json",
  export_channels: "fuel, tyre_*,,f1_drs_mode",
  games: "none"
}

const byDefault = {
  connection: { host: "127.0.0.1", port: 9100, app_name: "telemetry-session-service" },
  telemetry_rate: 60,
  auto_export: false,
  export_format: "csv",
  export_channels: "",
  games: "none"
}

it.scopedLive("the configuration has a default, and keeps what a client puts", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const first = yield* json("/api/v1/config")
    expect(first.status).toBe(200)
    expect(first.body).toEqual(byDefault)
    expect(Object.keys(first.body as object)).toEqual([
      "connection",
      "telemetry_rate",
      "auto_export",
      "export_format",
      "export_channels",
      "games"
    ])
    const more = { ...other, connection: { ...other.connection, app_name: "  pit wall " }, colour: "red" }
    const updated = yield* json("/api/v1/config", sending("PUT", more))
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual(other)
    expect((yield* json("/api/v1/config")).body).toEqual(other)
    // A client need not know about channels and games.
    const { export_channels: _channels, games: _games, ...known } = other
    const replaced = yield* json("/api/v1/config", sending("PUT", known))
    expect([replaced.status, replaced.body]).toEqual([200, { ...other, export_channels: "" }])
  })
)

it.scopedLive("circuits and vehicles that have a session are listed once each, sorted", () =>
  Effect.gen(function* () {
    const running = yield* service()
    expect((yield* running.json("/api/v1/config/circuits")).body).toEqual([])
    expect((yield* running.json("/api/v1/config/vehicles")).body).toEqual([])
    for (const [circuit, vehicle] of [
      ["Spa", "GT4"],
      ["Monza", "GT3"],
      ["Spa", "GT3"]
    ] as const) {
      yield* storeSession(running, { circuit, vehicle })
    }
    expect((yield* running.json("/api/v1/config/circuits")).body).toEqual(["Monza", "Spa"])
    const vehicles = yield* running.json("/api/v1/config/vehicles")
    expect(vehicles.status).toBe(200)
    expect(vehicles.body).toEqual(["GT3", "GT4"])
  })
)

interface Described {
  readonly corners: ReadonlyArray<{
    readonly number: number | null
    readonly label: string
    readonly name: string | null
    readonly numbered_by: string
    readonly distance: number
  }>
}

it.scopedLive("a circuit's corners are detected ones until a user gives others, in comparisons too", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeLaps(running, 3)
    const path = "/api/v1/config/circuits/MONZA"
    const compared = Effect.map(
      running.json(`/api/v1/compare?lap_ids=${laps[1]!.id}&lap_ids=${laps[2]!.id}`),
      ({ body }) =>
        body as Described & { readonly circuit: object | null; readonly suggestions: ReadonlyArray<string> }
    )
    const found = yield* running.json(path)
    expect(found.status).toBe(200)
    // The name alone does not identify a circuit: this one is the simulator's own.
    expect(found.body).toMatchObject({
      name: "Monza",
      display_name: "Monza",
      numbered_by: "detected",
      length: expect.any(Number),
      match: null
    })
    const { corners } = found.body as Described
    expect(corners.length).toBeGreaterThan(5)
    expect(corners.map(({ label }) => label)).toEqual(corners.map((_, i) => `${i + 1}`))
    expect((yield* compared).circuit).toBeNull()

    const wanted = {
      display_name: "  Old Monza ",
      corners: corners.map(({ distance }, i) => ({
        number: 20 + i,
        direction: (found.body as { corners: ReadonlyArray<{ direction: string }> }).corners[i]!.direction,
        distance,
        ...(i === 0 ? { name: "First" } : {})
      }))
    }
    const put = yield* running.json(path, sending("PUT", wanted))
    expect(put.status).toBe(200)
    expect(put.body).toMatchObject({
      name: "Monza",
      display_name: "Old Monza",
      numbered_by: "edited",
      match: null
    })
    expect((put.body as Described).corners[0]).toMatchObject({ number: 20, label: "20", name: "First" })
    expect((yield* running.json("/api/v1/config/circuits/monza")).body).toEqual(put.body)
    const edited = yield* compared
    expect(edited.circuit).toEqual({ name: "Old Monza", numbered_by: "edited", score: null, margin: null })
    expect(edited.corners.map(({ number }) => number)).toEqual(corners.map((_, i) => 20 + i))
    expect(edited.suggestions.join()).toMatch(/Corner 2\d \(/)

    // When the user's corners are removed they are detected again; the name stays.
    const named = yield* running.json(path, sending("PUT", { display_name: "Old Monza" }))
    expect(named.body).toMatchObject({ display_name: "Old Monza", numbered_by: "detected", corners })
    expect((yield* running.json("/api/v1/config/circuits")).body).toEqual(["Monza"])
  })
)

it.scopedLive("a circuit without laps has no corners, and one without a session is not found", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeSession(running, { circuit: "Spa" })
    expect((yield* running.json("/api/v1/config/circuits/Spa")).body).toEqual({
      name: "Spa",
      display_name: "Spa",
      numbered_by: "detected",
      length: null,
      match: null,
      corners: []
    })
    for (const init of [undefined, sending("PUT", { display_name: "N" })]) {
      expect((yield* running.json("/api/v1/config/circuits/Nowhere", init)).status).toBe(404)
    }
  })
)

describe("a real circuit", needing(recordingsHere), () => {
  it.scopedLive("is recognized by its laps, under any name", () =>
    Effect.gen(function* () {
      const running = yield* service()
      const { id } = yield* storeSession(running, { circuit: "track_17" })
      const laps = recordedLaps("ams2-road-america").filter(({ lap }) => lap.valid)
      for (const { points } of laps)
        yield* running.points.write([{ sessionId: id, group: POINTS, batch: points }])
      yield* running.catalog.addLaps(laps.map(({ lap: { id: _id, ...lap } }) => ({ ...lap, sessionId: id })))
      const { body } = yield* running.json("/api/v1/config/circuits/track_17")
      expect(body).toMatchObject({
        name: "track_17",
        display_name: "Road America",
        numbered_by: "official",
        match: { name: "Road America", length: 6515, driven: "clockwise" }
      })
      const numbers = (body as Described).corners.flatMap(({ number }) => (number === null ? [] : [number]))
      expect(numbers).toEqual(Array.from({ length: 14 }, (_, i) => i + 1))
    })
  )
})
