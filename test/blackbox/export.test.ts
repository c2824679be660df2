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
    expect(existsSync(`${out}.part`)).toBe(false)
  })
)
