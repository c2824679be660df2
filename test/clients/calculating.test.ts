/** docs/calculating.md and its notebook, and files for other programs, by those programs on the real service. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { readFile } from "../imports/readFile.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { casesHere, formatsHere, sharedFolder } from "../support/sharedData.ts"
import { calculating, here, programs } from "./provisioned.ts"
import { succeeds } from "./recorded.ts"

/** A service with a real drive of four laps. */
const serviceWithDrive = Effect.gen(function* () {
  const folder = yield* Box.folder
  const data = join(folder, "data")
  const file = join(sharedFolder("data/formats"), "racebox-across.vbo")
  const imported = yield* Box.run("main.js", ["import", "--data", data, file])
  expect([imported.code, imported.output]).toEqual([0, expect.stringContaining("ok: 1 session, 6 laps")])
  return { folder, service: yield* Box.startService(data) }
})

const python = join(programs(calculating.folder), "python")

/** The page's blocks of Python, one after the other. */
const pageOf = (address: string): string =>
  [...readFileSync(here("../../docs/calculating.md"), "utf8").matchAll(/```python\n([\s\S]*?)```/g)]
    .map(([, code]) => code)
    .join("\n")
    .replaceAll("http://127.0.0.1:8080", address)

describe("people who calculate", needing(calculating, formatsHere), () => {
  it.scopedLive("run the page's commands, the notebook, and readers of the other files", () =>
    Effect.gen(function* () {
      const { folder, service } = yield* serviceWithDrive
      const page = join(folder, "page.py")
      const checks = [
        "assert len(session) == len(points) == 13000, len(session)",
        "assert len(slowest) == len(means) == len(laps), (len(slowest), len(means), len(laps))"
      ]
      writeFileSync(page, `${pageOf(service.address)}\n${checks.join("\n")}\n`)
      expect(yield* succeeds(python, [page], folder)).toContain("km/h")
      expect(yield* succeeds(python, [here("python/exchange.py"), service.address, "1"], folder)).toContain(
        "all files agree"
      )
      const notebook = [here("python/notebook.py"), here("../../docs/notebooks/session.ipynb")]
      const env = { TELEMETRY_API: `${service.address}/api/v1`, TELEMETRY_SESSION: "1" }
      expect(yield* succeeds(python, notebook, folder, env)).toContain("acceleration = ")
    })
  )
})

const lapsIn = ({ sessions }: Awaited<ReturnType<typeof readFile>>) =>
  sessions.map(({ laps }) => laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime]))

describe("captures by another writer", needing(calculating, casesHere), () => {
  it.scopedLive("give the laps of the same datagrams, at the capture's times", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const file = join(sharedFolder("data/cases"), "f1-flashback-over-the-line.ndjson.gz")
      yield* succeeds(python, [here("python/captures.py"), file, folder], folder)
      const expected = lapsIn(yield* Effect.promise(() => readFile(file)))
      for (const name of ["game.pcap", "game.pcapng"]) {
        const read = yield* Effect.promise(() => readFile(join(folder, name)))
        expect([name, read.format, read.partial, lapsIn(read)]).toEqual([name, "pcap", undefined, expected])
        const { columns, started } = read.sessions[0]!
        const first = started.clockZero! + columns.get(POINTS)!.get("timestamp")![0]!
        expect(first - 1_700_000_000).toBeLessThan(1)
      }
    })
  )
})
