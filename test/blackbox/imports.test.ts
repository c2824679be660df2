/** `telemetry import`, as a process. */
import { copyFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { recordingText } from "../imports/recordingText.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import * as Box from "../support/processes.ts"

/** The number of sessions in a catalog that another process has open. */
const sessionsIn = (file: string): number => {
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return Number(database.prepare("SELECT count(*) AS count FROM sessions").get()!["count"])
  } catch {
    // Its tables are not there yet.
    return 0
  } finally {
    database.close()
  }
}

it.scopedLive(
  "killed in the midst, it leaves nothing for the service, and imports the same file afterwards",
  () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [data, file] = [join(folder, "data"), join(folder, "long.ndjson")]
      writeFileSync(file, recordingText(300))
      const flags = ["import", "--data", data, "--log-level", "warn", file]
      const command = yield* Effect.fork(Box.run("main.js", flags))
      yield* Box.until(
        Effect.sync(() => sessionsIn(join(data, "telemetry.sqlite"))),
        (sessions) => sessions > 0
      )
      // As kill -9.
      yield* Fiber.interrupt(command)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* Box.startService(data)
          expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 0 })
          expect(yield* Box.get(service, "/imports")).toMatchObject({
            items: [
              {
                name: "long.ndjson",
                state: "failed",
                detail: "It was cut off: import it again",
                sessions: []
              }
            ]
          })
        })
      )
      const again = yield* Box.run("main.js", flags)
      expect([again.code, again.output]).toEqual([0, expect.stringContaining("ok: 1 session, 1 lap")])
      const twice = yield* Box.run("main.js", flags)
      expect(twice.output).toContain("same as import 2")
    })
)

it.scopedLive("files are sent to a service that runs, each once", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const [one, two, notes] = ["one.ndjson", "two.ndjson", "notes.txt"].map((name) => join(folder, name))
    // The second is larger than the piece by which its format is recognised.
    writeFileSync(one!, recordingText(1))
    writeFileSync(two!, recordingText(30, "Bea"))
    writeFileSync(notes!, "no telemetry")
    const token = "0123456789abcdef"
    const service = yield* Box.startService(join(folder, "data"), "--token", token)
    const files = ["import", "--service", service.address, one!, two!, notes!]
    const refused = yield* Box.run("main.js", files)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("requires its access token")])
    const imported = yield* Box.run("main.js", files, { ...process.env, TELEMETRY_TOKEN: token })
    expect([imported.code, imported.output]).toEqual([1, expect.stringContaining("3 files, 1 refused")])
    expect(imported.output).toMatch(/one\.ndjson: ok: 1 session, 1 lap, /)
    expect(imported.output).toMatch(/two\.ndjson: ok: 1 session, 1 lap, /)
    expect(imported.output).toContain(`${notes}: refused: The file is of no known format`)
    const again = yield* Box.run("main.js", files.slice(0, -1), { ...process.env, TELEMETRY_TOKEN: token })
    expect([again.code, again.output]).toEqual([0, expect.stringContaining("2 files, 0 refused")])
    expect(again.output).toMatch(/one\.ndjson: same as import \d+\n/)
    expect(again.output).toMatch(/two\.ndjson: same as import \d+\n/)
  })
)

it.scopedLive("--dry-run says what files hold, and stores nothing", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const [data, one, notes] = ["data", "one.ndjson", "notes.txt"].map((name) => join(folder, name))
    writeFileSync(one!, recordingText(1))
    writeFileSync(notes!, "no telemetry")
    const looked = yield* Box.run("main.js", ["import", "--dry-run", "--data", data!, one!, notes!])
    expect(looked.code).toBe(1)
    expect(looked.output).toContain(
      `${one}: recording, 1 session, 1000 rows, 2 channels\n  Spa, GT3, Anna: laps as the service finds them\n`
    )
    expect(looked.output).toContain(`${notes}: refused: The file is of no known format`)
    expect(looked.output).toContain("2 files, 1 refused")
    expect(existsSync(data!)).toBe(false)
    yield* Box.run("main.js", ["import", "--data", data!, one!])
    const known = yield* Box.run("main.js", ["import", "--dry-run", "--data", data!, one!])
    expect([known.code, known.output]).toEqual([
      0,
      expect.stringContaining(`${one}: same as import 1\n1 file, 0 refused`)
    ])
    const again = yield* Box.run("main.js", ["import", "--dry-run", "--again", "--data", data!, one!])
    expect(again.output).toContain(`${one}: recording, 1 session`)
    const service = yield* Box.startService(data!)
    const asked = yield* Box.run("main.js", ["import", "--dry-run", "--service", service.address, one!])
    expect(asked.output).toContain(`${one}: same as import 1\n`)
  })
)

describe("later laps", needing(formatsHere), () => {
  it.scopedLive("an .ldx file without its log cuts the laps of the log that was imported before", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [data, log, later] = ["data", "Stint.ld", "stint.ldx"].map((name) => join(folder, name))
      const beacons = (...seconds: ReadonlyArray<number>) =>
        writeFileSync(
          later!,
          `<?xml version="1.0"?>\n<LDXFile Version="1.6"><Layers><Layer><MarkerBlock><MarkerGroup Name="Beacons">${seconds
            .map((time) => `<Marker Time="${time * 1e6}"/>`)
            .join("")}</MarkerGroup></MarkerBlock></Layer></Layers></LDXFile>`
        )
      copyFileSync(`${sharedFolder("data/formats")}/motec-m1.ld`, log!)
      const taken = yield* Box.run("main.js", ["import", "--data", data!, log!])
      expect(taken.output).toContain("ok: 1 session, ")
      beacons(10, 30, 50)
      const cut = yield* Box.run("main.js", ["import", "--data", data!, later!])
      expect([cut.code, cut.output]).toEqual([0, `${later}: import 1 has 4 laps now\n1 file, 0 refused\n`])
      beacons()
      const empty = yield* Box.run("main.js", ["import", "--data", data!, later!])
      expect([empty.code, empty.output]).toEqual([
        1,
        expect.stringContaining("refused: The .ldx file has no beacons")
      ])
      const service = yield* Box.startService(data!)
      beacons(10, 50)
      const sent = yield* Box.run("main.js", ["import", "--service", service.address, later!])
      expect([sent.code, sent.output]).toEqual([0, expect.stringContaining("import 1 has 3 laps now")])
      const both = yield* Box.run("main.js", ["import", "--service", service.address, log!, later!])
      expect(both.output).toBe(
        `${later}: is read with its log; give it alone if that was imported before\n${log}: same as import 1\n1 file, 0 refused\n`
      )
      const other = join(folder, "other.ldx")
      writeFileSync(other, "<LDXFile/>")
      const lost = yield* Box.run("main.js", ["import", "--service", service.address, other])
      expect([lost.code, lost.output]).toEqual([
        1,
        expect.stringContaining("No log other.ld was imported before")
      ])
    })
  )
})
