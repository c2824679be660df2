/** Text files for other programs, of an imported session: what they hold, and the same session after they were imported again. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import { Archive } from "../../src/archive/Archive.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { type ExchangeName, lapExchange, sessionExchange } from "../../src/formats/exchange/exchangeFiles.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import type { Dictionaries } from "../../src/store/Dictionaries.ts"
import { Laps } from "../../src/store/Laps.ts"
import type { RowStore } from "../../src/store/RowStore.ts"
import type { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { readFile, timesOf, valuesOf } from "../imports/readFile.ts"
import { session as recorded, textOf } from "../imports/recordingText.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"

const folder = mkdtempSync(join(tmpdir(), "exchange-"))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (file: Effect.Effect.Success<ReturnType<typeof sessionExchange>>) =>
  Effect.map(Stream.runCollect(file.text), (pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)))

/** Imports the file; runs `use` on its first session. */
const imported = <A, E>(
  path: string,
  use: (sessionId: number) => Effect.Effect<A, E, Archive | Dictionaries | Laps | Sessions | RowStore>
) => {
  const data = mkdtempSync(join(folder, "data-"))
  const stores = SqliteStore.layer(data)
  const layer = ImportLane.layer.pipe(
    Layer.provide(SessionEndings.ignored),
    Layer.provideMerge(Layer.provide(Archive.layer, AnalysisWorkers.layer)),
    Layer.provideMerge(stores)
  )
  return Effect.gen(function* () {
    const options = { timeZone: "UTC" }
    const [name, size] = [basename(path), statSync(path).size]
    const added = yield* (yield* FileImports).addImport({
      name,
      sha256: "00",
      size,
      state: "queued",
      options
    })
    const { sessions } = yield* importFile({ id: added.id, path, name, modified: 1_700_000_000, options })
    return yield* use(sessions[0]!)
  }).pipe(Effect.provide(layer))
}

/** The session's file in this format, at a path that is read again. */
const exportedTo = Effect.fnUntraced(function* (
  sessionId: number,
  format: ExchangeName,
  channels: ReadonlyArray<string>
) {
  const file = yield* sessionExchange(sessionId, format, { channels })
  const path = join(folder, file.name)
  writeFileSync(path, yield* text(file))
  return path
})

const read = (path: string) => Effect.promise(() => readFile(path))

const near = (times: ReadonlyArray<number>, wanted: ReadonlyArray<number>, tolerance: number) => {
  expect(times.length).toBe(wanted.length)
  times.forEach((time, n) => expect(Math.abs(time - wanted[n]!)).toBeLessThan(tolerance))
}

describe("a session with coordinates", needing(formatsHere), () => {
  const source = `${sharedFolder("data/formats")}/racebox-across.vbo`

  it.effect("leaves as VBO, RaceChrono's and MoTeC's CSV, GPX and KML, and comes back the same", () =>
    imported(source, (sessionId) =>
      Effect.gen(function* () {
        const laps = yield* (yield* Laps).laps(sessionId)
        const lapTimes = laps.flatMap(({ lapTime }) => lapTime ?? [])
        expect(lapTimes).toHaveLength(4)
        const original = (yield* Effect.promise(() => readFile(source))).sessions[0]!
        const timesIn = ({ sessions }: Effect.Effect.Success<ReturnType<typeof read>>) =>
          sessions[0]!.laps.flatMap(({ lapTime }) => lapTime ?? [])

        const vbo = yield* read(yield* exportedTo(sessionId, "vbo", ["g_lateral"]))
        expect(vbo.format).toBe("vbo")
        // Its start line is square to the way of one lap, which is not quite that of the source.
        near(timesIn(vbo), lapTimes, 0.005)
        const session = vbo.sessions[0]!
        expect(timesOf(session, "speed")).toEqual(timesOf(original, "speed"))
        for (const channel of ["speed", "gps_heading", "altitude", "satellites"]) {
          near(valuesOf(session, channel), valuesOf(original, channel), 1e-12)
        }
        near(valuesOf(session, "longitude"), valuesOf(original, "longitude"), 1e-9)
        near(valuesOf(session, "vbo_g_lateral"), valuesOf(original, "g_lateral"), 1e-12)

        const raceChrono = yield* read(yield* exportedTo(sessionId, "racechrono", ["g_lateral"]))
        expect([raceChrono.format, raceChrono.sessions[0]!.started.circuit]).toEqual([
          "racechrono-csv",
          "Lignano"
        ])
        // A lap begins and ends with a first row, at 25 Hz.
        near(timesIn(raceChrono), lapTimes, 0.081)
        near(valuesOf(raceChrono.sessions[0]!, "speed"), valuesOf(original, "speed"), 1e-9)
        near(valuesOf(raceChrono.sessions[0]!, "g_lateral"), valuesOf(original, "g_lateral"), 1e-12)

        const motec = yield* read(yield* exportedTo(sessionId, "motec-csv", []))
        expect(motec.format).toBe("motec-csv")
        near(timesIn(motec), lapTimes, 2e-6)
        near(valuesOf(motec.sessions[0]!, "latitude"), valuesOf(original, "latitude"), 1e-12)

        const gpx = yield* read(yield* exportedTo(sessionId, "gpx", []))
        expect([gpx.format, timesOf(gpx.sessions[0]!, "latitude").length]).toEqual(["gpx", 13_000])
        near(valuesOf(gpx.sessions[0]!, "altitude"), valuesOf(original, "altitude"), 6e-4)

        const kml = yield* text(yield* sessionExchange(sessionId, "kml", {}))
        const lines = kml
          .toString()
          .split("\n")
          .filter((line) => /^-?\d/.test(line))
        expect(lines).toHaveLength(13_000)
        expect(lines[0]!.split(",").map(Number)).toEqual([
          Number(valuesOf(original, "longitude")[0]!.toFixed(8)),
          Number(valuesOf(original, "latitude")[0]!.toFixed(8)),
          valuesOf(original, "altitude")[0]
        ])
        const lap = yield* lapExchange(laps.find(({ lapTime }) => lapTime !== null)!.id, "gpx", {})
        expect(lap.name).toMatch(/^lap-\d+\.gpx$/)
      })
    )
  )
})

it.effect("a session without coordinates leaves as tables, and is refused as a track", () =>
  Effect.gen(function* () {
    const path = join(folder, "plain.ndjson")
    const points = Array.from({ length: 100 }, (_, i) => ({
      timestamp: i / 10,
      speed: i,
      rpm: 5000 + i,
      throttle: 0.5
    }))
    writeFileSync(
      path,
      textOf([
        { ...recorded, circuit: 'Spa "Francorchamps", <B>' },
        { type: "points", points }
      ])
    )
    yield* imported(path, (sessionId) =>
      Effect.gen(function* () {
        for (const format of ["vbo", "gpx", "kml"] as const) {
          expect(yield* Effect.flip(sessionExchange(sessionId, format, {}))).toMatchObject({
            _tag: "InvalidValue",
            name: "format",
            value: format
          })
        }
        for (const format of ["racechrono", "motec-csv"] as const) {
          const { sessions } = yield* Effect.flatMap(exportedTo(sessionId, format, []), (file) =>
            Effect.promise(() => readFile(file))
          )
          expect([format, sessions[0]!.started.circuit, valuesOf(sessions[0]!, "throttle")[9]]).toEqual([
            format,
            'Spa "Francorchamps", <B>',
            0.5
          ])
        }
      })
    )
  })
)
