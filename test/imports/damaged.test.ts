/** Damaged files: a reader reads them, in whole or in part, or refuses them with a reason. Nothing else happens. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { UnreadableFile } from "../../src/imports/FileReader.ts"
import { uniform } from "../../simulator/model/random.ts"
import { needing } from "../support/needing.ts"
import { casesHere, formatsHere, sharedFolder } from "../support/sharedData.ts"
import { runs } from "../support/runs.ts"
import { captureFiles, datagramsOf } from "./captureFiles.ts"
import { recordingText } from "./recordingText.ts"
import { readFile } from "./readFile.ts"

const SEED = 20_261_130
const HEAD_BYTES = 2048

const folder = mkdtempSync(join(tmpdir(), "damaged-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rows = (count: number, row: (i: number) => string) => Array.from({ length: count }, (_, i) => row(i))

/** The ways in which a file is damaged, each at a place of chance. */
const damages: Readonly<Record<string, (bytes: Buffer, random: () => number) => Buffer>> = {
  "cut off": (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  "one byte": (bytes, random) => {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return bytes
  },
  "20 bytes of its head": (bytes, random) => {
    for (let n = 0; n < 20; n++) bytes[Math.floor(random() * HEAD_BYTES)] = Math.floor(random() * 256)
    return bytes
  },
  "20 bytes anywhere": (bytes, random) => {
    for (let n = 0; n < 20; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return bytes
  }
}

/** Of each kind of damage: with four kinds, 40 places in each file, and 400 in the long tests. */
const PLACES = runs(10) === 10 ? 10 : 100

const made = {
  "recording.ndjson": recordingText(3),
  "racebox.csv": [
    "Format,RaceBox CSV",
    "Lap 1, 9.000, sectors, 3.000,3.000,3.000,0,0",
    "",
    "Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ",
    ...rows(
      500,
      (i) =>
        `${i},${new Date((1.7e9 + i / 25) * 1000).toISOString()},47.${1000 + i},8.5,400,90,0,0,1,${i < 225 ? 1 : 2},0,0,0`
    )
  ].join("\n"),
  "garage61.csv": [
    "Speed,LapDistPct,Lat,Lon,Brake,Throttle,RPM,SteeringWheelAngle,Gear,Clutch,ABSActive",
    ...rows(500, (i) => `50,${i / 500},52.4,${0.9 + i * 1e-5},0,1,6000,0.5,3,1,false`)
  ].join("\n"),
  "racecapture.log": [
    '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"Latitude"|"Degrees"|0|0|10,"Longitude"|"Degrees"|0|0|10,"LapCount"|""|0|0|1',
    ...rows(500, (i) => `${i * 40},${1.7e12 + i * 40},47.${1000 + i},8.5,${i > 200 ? 1 : ""}`)
  ].join("\n"),
  "trackaddict.csv": [
    "# RaceRender Data: TrackAddict 4.8.0 on iOS 15.5 [iPhone12,1] (Mode: 0)",
    '"Time","UTC Time","Lap","GPS_Update","Latitude","Longitude","Speed (MPH)"',
    ...rows(500, (i) => `${i / 10},${1.7e9 + i / 10},${i < 250 ? 0 : 1},1,47.${1000 + i},8.5,30`)
  ].join("\n"),
  "track.gpx": `<gpx><trk><trkseg>${rows(
    500,
    (i) =>
      `<trkpt lat="47.${1000 + i}" lon="8.5"><time>${new Date((1.7e9 + i) * 1000).toISOString()}</time></trkpt>`
  ).join("")}</trkseg></trk></gpx>`
}

const real = [
  "iracing-pits.ibt",
  "iracing-made.ibt",
  "motec-m1.ld",
  "motec-nan.ld",
  "racechrono-along.vbo",
  "racebox-across.vbo",
  "racechrono-v3.csv",
  "aim-racestudio3.csv",
  "traqmate.csv",
  "generic-time.csv",
  "lmu-made.duckdb"
]

/** Files of which reading one copy takes long, with the share of the places at which they are damaged. */
const slow: Readonly<Record<string, number>> = {
  "iracing-made.ibt": 0.2,
  "motec-m1.ld": 0.2,
  "racebox-across.vbo": 0.2,
  // A process of its own reads each.
  "lmu-made.duckdb": 0.1
}

const captures = ["f1-final-lap-20hz.ndjson.gz"]

const contents = (name: string): Buffer => {
  const text = (made as Readonly<Record<string, string>>)[name]
  if (text !== undefined) return Buffer.from(text)
  return readFileSync(join(sharedFolder(captures.includes(name) ? "data/cases" : "data/formats"), name))
}

const damage = async (name: string, whole: Buffer, places: number) => {
  const path = join(folder, name)
  let refused = 0
  let drawn = 0
  for (const kind of Object.keys(damages)) {
    const random = () => uniform(SEED, name.length, kind.length, drawn++)
    for (let n = 0; n < places; n++) {
      writeFileSync(path, damages[kind]!(Buffer.from(whole), random))
      const read = await readFile(path).catch((error: unknown) => error)
      // A file without any session fails as one without rows (importFile.test.ts).
      const isRead = "sessions" in (read as object)
      if (!isRead) refused++
      const isSaid = isRead || (read instanceof UnreadableFile && read.reason.length > 10)
      expect([kind, n, isSaid, isSaid ? undefined : read]).toEqual([kind, n, true, undefined])
    }
  }
  return refused
}

describe("a damaged file", needing(formatsHere, casesHere), () => {
  it.each([...real, ...captures, ...Object.keys(made)])(
    "%s is read or refused with a sentence",
    async (name) => {
      const places = Math.ceil(PLACES * (slow[name] ?? 1))
      const refused = await damage(name, contents(name), places)
      // Otherwise this test would not have read a damaged file. DuckDB checks the sum of each block before it reads.
      const isChecked = name.endsWith(".duckdb")
      expect(refused).toBeLessThan(4 * places + (isChecked ? 1 : 0))
    }
  )

  it("of networks' and of packets' captures, too", async () => {
    const packets = datagramsOf(join(sharedFolder("data/cases"), captures[0]!)).slice(0, 300)
    for (const [name, bytes] of Object.entries(captureFiles(packets))) {
      expect(await damage(name, bytes, PLACES)).toBeLessThan(4 * PLACES)
    }
  })
})
