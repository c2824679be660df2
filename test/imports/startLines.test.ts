/** Files without laps and without a start line, after a file of the same place that has one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { importedAfterEachOther } from "./importedOf.ts"

const folder = mkdtempSync(join(tmpdir(), "start-lines-"))
afterAll(() => rmSync(folder, { recursive: true }))

const NAME = "racebox-across.vbo"
const MODIFIED = 1_700_000_000
const DAY = Date.UTC(2026, 3, 11) / 1000

const written = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The fixes of the file: epoch seconds, degrees, km/h. */
const fixesIn = (vbo: string): ReadonlyArray<readonly [number, number, number, number]> =>
  vbo
    .slice(vbo.indexOf("[data]") + 6)
    .trim()
    .split("\n")
    .map((line) => {
      const [time = 0, latitude = 0, longitude = 0, speed = 0] = line.trim().split(/\s+/).map(Number)
      const seconds = Math.floor(time / 10_000) * 3600 + (Math.floor(time / 100) % 100) * 60 + (time % 100)
      return [DAY + Math.round(seconds * 1000) / 1000, latitude / 60, -longitude / 60, speed]
    })

const csvOf = (vbo: string, east = 0): string =>
  [
    "timestamp,latitude (deg),longitude (deg),speed (km/h)",
    ...fixesIn(vbo).map(([time, latitude, longitude, speed]) =>
      [time.toFixed(3), latitude, longitude + east, speed].join(",")
    )
  ].join("\n")

const gpxOf = (vbo: string): string =>
  `<gpx><trk><trkseg>${fixesIn(vbo)
    .map(
      ([time, latitude, longitude]) =>
        `<trkpt lat="${latitude.toFixed(8)}" lon="${longitude.toFixed(8)}"><time>${new Date(time * 1000).toISOString()}</time></trkpt>`
    )
    .join("")}</trkseg></trk></gpx>`

describe("a start line that another session of the place has", needing(formatsHere), () => {
  const whole = join(sharedFolder("data/formats"), NAME)

  it.live("gives laps to a .vbo, a table and a track that have none", () =>
    Effect.gen(function* () {
      const vbo = readFileSync(whole, "utf8")
      const bare = written("bare.vbo", vbo.replace(/\[laptiming\]\r?\n.*\r?\n/, ""))
      const table = written("table.csv", csvOf(vbo))
      const track = written("track.gpx", gpxOf(vbo))
      const [first, ...others] = yield* importedAfterEachOther([whole, bare, table, track], MODIFIED)
      const timesOf = ({ sessions }: NonNullable<typeof first>) =>
        sessions[0]!.laps.map(([number, lapTime]) => [number, lapTime])
      const expected = timesOf(first!)
      expect(expected.length).toBeGreaterThan(4)
      for (const other of others) {
        expect(other.done.warnings[0]).toMatch(/^The file has no laps: they are those between crossings/)
        const times = timesOf(other)
        expect(times.map(([number]) => number)).toEqual(expected.map(([number]) => number))
        times.forEach(([, time], n) => {
          const wanted = expected[n]![1] as number | null
          if (wanted === null) expect(time).toBeNull()
          // The line is square to the way of the first lap.
          else expect(Math.abs((time as number) - wanted)).toBeLessThan(0.01)
        })
      }
    })
  )

  it.live("does not give laps to a file of another place, or before it is known", () =>
    Effect.gen(function* () {
      const vbo = readFileSync(whole, "utf8")
      const before = written("before.csv", csvOf(vbo))
      const elsewhere = written("elsewhere.csv", csvOf(vbo, 1))
      const found = yield* importedAfterEachOther([before, whole, elsewhere], MODIFIED)
      expect(found.map(({ done }) => done.warnings.filter((one) => one.includes("start line")))).toEqual([
        [],
        [],
        []
      ])
    })
  )
})
