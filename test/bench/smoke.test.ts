import { expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Benchmark, benchmarks, needBrowser, needQuestdb } from "../../bench/names.ts"
import type { Measured } from "../../bench/suite/comparison.ts"
import { needing } from "../support/needing.ts"
import { questdbHere } from "../support/servers/questdb.ts"
import { browserHere } from "../support/pages.ts"

const program = (name: string) => fileURLToPath(new URL(`../../bench/${name}.ts`, import.meta.url))
const needsOf = (name: Benchmark) => [
  ...(needQuestdb.includes(name) ? [questdbHere] : []),
  ...(needBrowser.includes(name) ? [browserHere] : [])
]

interface Result {
  readonly smoke: boolean
  readonly comparisons: ReadonlyArray<Measured>
}

for (const name of benchmarks) {
  it(`${name} runs once with a small load and reports its measurements`, needing(...needsOf(name)), () => {
    const results = mkdtempSync(join(tmpdir(), "telemetry-bench-results-"))
    try {
      const env = { ...process.env, BENCH_SMOKE: "1", BENCH_RESULTS: results }
      const { status, stderr } = spawnSync(process.execPath, [program(name)], { env, encoding: "utf8" })
      expect([status, stderr]).toEqual([0, stderr])
      const { comparisons, smoke } = JSON.parse(readFileSync(join(results, `${name}.json`), "utf8")) as Result
      expect(smoke).toBe(true)
      expect(comparisons.length).toBeGreaterThan(0)
      for (const { ratios, rounds } of comparisons) {
        const subjects = Object.entries(rounds)
        expect(subjects.length).toBeGreaterThan(0)
        for (const [subject, runs] of subjects) {
          expect([subject, runs.length]).toEqual([subject, 1])
          expect(Object.keys(runs[0]!)).not.toEqual([])
        }
        for (const { of, to } of ratios) expect(Object.keys(rounds)).toEqual(expect.arrayContaining([of, to]))
      }
    } finally {
      rmSync(results, { recursive: true, force: true })
    }
  })
}
