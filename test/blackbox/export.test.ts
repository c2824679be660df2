/** `telemetry export`, as a process. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { recordingText } from "../imports/recordingText.ts"
import * as Box from "../support/processes.ts"

it.scopedLive("a session and a lap are written to files, and what is not there is said", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const [data, file, out] = ["data", "one.ndjson", "out.csv"].map((name) => join(folder, name))
    writeFileSync(file!, recordingText(1))
    expect((yield* Box.run("main.js", ["import", "--data", data!, file!])).code).toBe(0)
    const service = yield* Box.startService(data!)
    const run = (...flags: ReadonlyArray<string>) =>
      Box.run("main.js", ["export", "--service", service.address, ...flags])
    const csv = yield* run("1", "--format", "motec-csv", "--output", out!)
    expect([csv.code, csv.output.trim()]).toEqual([0, out])
    const rows = readFileSync(out!, "utf8").trim().split("\r\n")
    expect([rows[0], rows.length]).toEqual(['"Format","MoTeC CSV File"', 1013])
    const lap = yield* run("1", "--lap", "1", "--format", "csv", "--output", out!)
    expect([lap.code, readFileSync(out!, "utf8").split("\r\n").length]).toEqual([0, 1002])
    const refused = yield* run("1", "--format", "gpx", "--output", join(folder, "no.gpx"))
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("latitude and longitude")])
    expect((yield* run("7", "--output", join(folder, "no"))).errors).toContain("Session 7")
    expect((yield* run("1", "--lap", "9", "--output", join(folder, "no"))).errors).toContain(
      "Session 1 has no lap 9"
    )
    expect(readdirSync(folder).filter((name) => name.startsWith("no"))).toEqual([])
    // What a library writes is bundled otherwise than the sources have it.
    const beginnings = {
      csv: "lap_number",
      json: "{",
      ndjson: "{",
      parquet: "PAR1",
      motec: "PK",
      racechrono: "This file",
      recording: "\x1f\x8b"
    }
    for (const [format, beginning] of Object.entries(beginnings)) {
      const made = yield* run("1", "--format", format, "--output", out!)
      expect([format, made.code, made.errors]).toEqual([format, 0, ""])
      expect(readFileSync(out!, "latin1").slice(0, beginning.length)).toBe(beginning)
    }
    const arrow = yield* Effect.promise(() => fetch(`${service.address}/api/v1/export/arrow/1`))
    expect([arrow.status, (yield* Effect.promise(() => arrow.bytes())).length > 1000]).toEqual([200, true])
    // Everything to another machine and back.
    writeFileSync(file!, recordingText(2, "Bea"))
    expect((yield* Box.run("main.js", ["import", "--service", service.address, file!])).code).toBe(0)
    const backup = join(folder, "backup")
    const all = yield* run("--all", "--output", backup)
    const files = ["session-1.ndjson.gz", "session-2.ndjson.gz"]
    expect([all.code, all.output.trim().split("\n")]).toEqual([0, files.map((name) => join(backup, name))])
    const tracks = yield* run("--all", "--format", "gpx", "--output", join(folder, "tracks"))
    expect([tracks.code, tracks.output]).toEqual([1, expect.stringContaining("Session 2 is not written: ")])
    expect(readdirSync(join(folder, "tracks"))).toEqual([])
    expect((yield* run("1", "--all")).errors).toContain("--all takes neither")
    const other = join(folder, "other")
    const paths = files.map((name) => join(backup, name))
    const restored = yield* Box.run("main.js", ["import", "--data", other, ...paths])
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining("2 files, 0 refused")])
    expect(existsSync(`${out}.part`)).toBe(false)
  })
)
