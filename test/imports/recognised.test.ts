/** Every file is of one format, whatever its name. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { HEAD_BYTES } from "../../src/imports/FileReader.ts"
import { fileReaders, readerOf } from "../../src/imports/fileReaders.ts"
import { needing } from "../support/needing.ts"
import { capturesHere, formatsHere, recordingsHere, sharedFolder } from "../support/sharedData.ts"

const formats: Readonly<Record<string, string>> = {
  "aim-racestudio3.csv": "aim-csv",
  "generic-time.csv": "csv",
  "iracing-made.ibt": "iracing-ibt",
  // It is refused by name when it is read.
  "iracing-memory-copy-head.ibt": "iracing-ibt",
  "iracing-pits.ibt": "iracing-ibt",
  "lmu-made.duckdb": "lmu-duckdb",
  "motec-m1.ld": "motec-ld",
  "motec-nan.ld": "motec-ld",
  "racebox-across.vbo": "vbo",
  "racechrono-along.vbo": "vbo",
  "racechrono-v3.csv": "racechrono-csv",
  "traqmate.csv": "traqmate"
}

const knowing = (bytes: Buffer) =>
  fileReaders
    .filter(({ recognises }) => recognises(bytes.subarray(0, HEAD_BYTES), bytes.length))
    .map(({ format }) => format)

describe("a file is recognised by its content", needing(formatsHere, recordingsHere, capturesHere), () => {
  it("by one reader, or by none", () => {
    const folder = sharedFolder("data/formats")
    for (const name of readdirSync(folder)) {
      const wanted = formats[name] === undefined ? [] : [formats[name]]
      expect([name, knowing(readFileSync(`${folder}/${name}`))]).toEqual([name, wanted])
    }
  })

  it("as a recording, packed or not", () => {
    const folder = sharedFolder("data/recordings")
    const recordings = readdirSync(folder).filter((name) => name.endsWith(".ndjson.gz"))
    expect(recordings.length).toBeGreaterThan(3)
    for (const name of recordings)
      expect([name, knowing(readFileSync(`${folder}/${name}`))]).toEqual([name, ["recording"]])
  })

  it("as a capture of a game's packets", () => {
    const folder = sharedFolder("data/captures")
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
    expect(files.length).toBeGreaterThan(5)
    for (const { name, parentPath } of files) {
      if (/\.(md|json|py)$/.test(name)) continue
      expect([name, knowing(readFileSync(`${parentPath}/${name}`))]).toEqual([name, ["capture"]])
    }
  })

  it("and refused with the list of formats", () => {
    expect(() => readerOf(Buffer.from("just some notes"), 15)).toThrow(
      /of no known format. Known are iRacing/
    )
    expect(() => readerOf(Buffer.from("\uFEFFTime,Speed\n0,1\n1,2\n", "utf16le"), 40)).toThrow(
      /UTF-16: save it/
    )
  })
})
