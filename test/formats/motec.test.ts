/** Logs for MoTeC i2: their bytes, and the same session after they were imported again. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { ldx } from "../../src/formats/motec/ldx.ts"
import { sessionMotec } from "../../src/formats/motec/motecFiles.ts"
import { Resampler } from "../../src/formats/motec/Resampler.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { Laps } from "../../src/store/Laps.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { readFile, valuesOf } from "../imports/readFile.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"

/** The files of a zip whose files are stored as they are. */
const unzipped = (zip: Buffer): ReadonlyMap<string, Buffer> => {
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1")) + 16)
  while (zip.toString("latin1", at, at + 4) === "PK\x01\x02") {
    const [size, name, extra, comment] = [
      zip.readUInt32LE(at + 24),
      ...[28, 30, 32].map((n) => zip.readUInt16LE(at + n))
    ] as [number, number, number, number]
    const local = zip.readUInt32LE(at + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(zip.toString("latin1", at + 46, at + 46 + name), zip.subarray(from, from + size))
    at += 46 + name + extra + comment
  }
  return files
}

describe("a log", () => {
  it("has each row's own value at its time, the rest between or as of the row before, and marks gaps", () => {
    const columns = ["timestamp", "speed", "yaw", "gear"]
    const rows = [
      [100, 0, 350, 1],
      [100.2, 20, 14, 2],
      [105, 500, 20, 3],
      [105.1, 510, 30, 3]
    ]
    const batch: RowBatch = RowBatch.allocate(rows.length, columns)
    rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
    const made: Array<ReadonlyArray<number>> = []
    const resampler = new Resampler(
      ["continuous", "angle", "step"],
      { count: 52, rate: 10, start: 100 },
      (_, values, gaps) => {
        for (let i = 0; i < gaps.length; i++)
          made.push([...values.map((column) => Math.round(column[i]! * 1e6) / 1e6), gaps[i]!])
      }
    )
    resampler.push(batch)
    resampler.finish()
    expect(made.length).toBe(52)
    expect(made.slice(0, 4)).toEqual([
      [0, 350, 1, 0],
      [10, 2, 1, 0],
      [20, 14, 2, 0],
      [20, 14, 2, 1]
    ])
    expect(made[49]).toEqual([20, 14, 2, 1])
    expect(made.slice(50)).toEqual([
      [500, 20, 3, 0],
      [510, 30, 3, 0]
    ])
  })

  it("has its beacons in microseconds, as i2 writes them", () => {
    const lap = { id: 1, sessionId: 1, sector1Time: null, sector2Time: null, sector3Time: null }
    const laps = [
      { ...lap, lapNumber: 0, lapTime: null, valid: false, startTime: 1000, endTime: 1061.025 },
      { ...lap, lapNumber: 1, lapTime: 112.47525, valid: true, startTime: 1061.025, endTime: 1173.50025 },
      { ...lap, lapNumber: 2, lapTime: null, valid: false, startTime: 1173.50025, endTime: 1200 }
    ]
    const text = ldx(laps, 1000, 1200)
    expect(text).toMatch(/Name="Manual\.1" Flags="77" Time="6\.10\d{15}e\+07"/)
    expect(text).toContain('<MarkerGroup Name="Beacons" Index="1">')
    expect(text).toContain('<String Id="Total Laps" Value="3"/>')
    expect(text).toContain('<String Id="Fastest Time" Value="1:52.475"/>')
    expect(text).toContain('<String Id="Fastest Lap" Value="1"/>')
  })
})

describe("a session as a log", needing(formatsHere), () => {
  it.scoped("imported again has the laps, and the values as single floats", () =>
    Effect.gen(function* () {
      const data = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "motec-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const lane = ImportLane.layer.pipe(
        Layer.provide(SessionEndings.ignored),
        Layer.provideMerge(SqliteStore.layer(data))
      )
      yield* Effect.gen(function* () {
        const source = join(sharedFolder("data/formats"), "iracing-made.ibt")
        const { addImport } = yield* FileImports
        const options = { timeZone: "UTC" }
        const added = yield* addImport({
          name: "a.ibt",
          sha256: "00",
          size: statSync(source).size,
          state: "queued",
          options
        })
        const { sessions } = yield* importFile({
          id: added.id,
          path: source,
          name: "a.ibt",
          modified: 0,
          options
        })
        const { name, text } = yield* sessionMotec(sessions[0]!, {})
        expect(name).toBe(`session-${sessions[0]}.zip`)
        const files = unzipped(Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(text))))
        const folder = join(data, "zip")
        mkdirSync(folder)
        for (const [file, bytes] of files) writeFileSync(join(folder, file), bytes)
        const first = yield* Effect.promise(() => readFile(source))
        const again = yield* Effect.promise(() => readFile(join(folder, `session-${sessions[0]}.ld`)))
        const [before, after] = [first.sessions[0]!, again.sessions[0]!]
        expect(after.started).toMatchObject({
          circuit: before.started.circuit,
          vehicle: before.started.vehicle
        })
        const laps = yield* (yield* Laps).laps(sessions[0]!)
        // The log's own start has whole seconds.
        const zero = before.started.datetime! - after.started.datetime!
        const timed = laps.filter(({ lapTime }) => lapTime !== null)
        const found = after.laps.filter(({ lapTime }) => lapTime !== null)
        expect(found.length).toBe(timed.length)
        found.forEach(({ end, start }, n) => {
          expect(Math.abs(start! + zero - timed[n]!.startTime)).toBeLessThan(1e-6)
          expect(Math.abs(end! + zero - timed[n]!.endTime)).toBeLessThan(1e-6)
        })
        const rows = Math.min(1000, valuesOf(before, "speed").length)
        for (const channel of ["speed", "rpm", "fuel", "lap_distance"]) {
          const [was, is] = [valuesOf(before, channel), valuesOf(after, channel)]
          for (let i = 0; i < rows; i += 13) {
            // Four records are lost later in the file; before them, every row is one of the log.
            if (i < 600) expect([channel, i, is[i]]).toEqual([channel, i, Math.fround(was[i]!)])
          }
        }
        // Seven decimals of a degree are a centimetre.
        expect(Math.abs(valuesOf(after, "latitude")[500]! - valuesOf(before, "latitude")[500]!)).toBeLessThan(
          6e-8
        )
      }).pipe(Effect.provide(lane))
    })
  )
})
