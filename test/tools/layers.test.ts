/** The layers of `src` (oxlint.config.ts): invented files, and the linter's findings about their imports. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./sources.ts"

/** A file, its import, and whether that is allowed. */
const examples: ReadonlyArray<readonly [file: string, imported: string, may: boolean]> = [
  ["src/domain/analysis/madeUp.ts", "../Lap.ts", true],
  ["src/domain/madeUp.ts", "./analysis/comparison.ts", true],
  ["src/domain/madeUp.ts", "../analysis/compare/comparison.ts", false],
  ["src/domain/madeUp.ts", "../platform/Timing.ts", false],
  ["src/domain/madeUp.ts", "node:fs", false],
  ["src/analysis/place/madeUp.ts", "../../domain/Lap.ts", true],
  ["src/analysis/place/madeUp.ts", "../../store/Laps.ts", false],
  ["src/platform/madeUp.ts", "../recording/feed/Recorder.ts", false],
  ["src/recording/feed/madeUp.ts", "../../live/hub/LivePublisher.ts", true],
  ["src/recording/feed/madeUp.ts", "../../live/hub/Hub.ts", false],
  ["src/recording/feed/madeUp.ts", "../../store/Sessions.ts", true],
  ["src/recording/feed/madeUp.ts", "../../store/sqlite/SqliteStore.ts", false],
  ["src/archive/madeUp.ts", "../store/questdb/QuestdbStore.ts", false],
  ["src/archive/madeUp.ts", "../operations/laps.ts", false],
  ["src/operations/madeUp.ts", "../api/rest/route.ts", false],
  ["src/operations/madeUp.ts", "@effect/platform/HttpServerRequest", false],
  ["src/operations/madeUp.ts", "@effect/sql/SqlClient", false],
  ["src/api/rest/madeUp.ts", "../trpc/router.ts", false],
  ["src/api/rest/routes/madeUp.ts", "../../trpc/router.ts", false],
  ["src/api/trpc/madeUp.ts", "../rest/route.ts", false],
  ["src/api/trpc/madeUp.ts", "../../operations/laps.ts", true],
  ["src/api/rest/madeUp.ts", "../../store/sqlite/SqliteStore.ts", false],
  ["src/store/sqlite/madeUp.ts", "../questdb/QuestdbStore.ts", false],
  ["src/store/sqlite/madeUp.ts", "../../recording/intake/Intake.ts", false],
  ["src/simulators/connection/madeUp.ts", "../../store/Sessions.ts", true],
  ["src/simulators/connection/madeUp.ts", "../../store/Deletions.ts", false],
  ["src/simulators/drivers/gt7/madeUp.ts", "../lfs/LfsDriver.ts", false],
  ["src/simulators/drivers/gt7/madeUp.ts", "../../udp/listening.ts", true],
  ["src/simulators/drivers/lfs/madeUp.ts", "../outgauge/layout.ts", true],
  ["src/cluster/madeUp.ts", "../app/Settings.ts", false],
  ["src/maintenance/migrate/madeUp.ts", "../../app/Settings.ts", true],
  ["src/maintenance/migrate/madeUp.ts", "../../api/server.ts", false],
  ["src/app/madeUp.ts", "@effect/platform", false]
]

it("the linter refuses imports of folders that a folder may not know, and no others", () => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-layers-"))
  try {
    cpSync(join(root, "oxlint.config.ts"), join(folder, "oxlint.config.ts"))
    cpSync(join(root, "package.json"), join(folder, "package.json"))
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    cpSync(join(root, "src/simulators/drivers"), join(folder, "src/simulators/drivers"), { recursive: true })
    const files = examples.map(([file, imported], index) => {
      const path = join(folder, file.replace("madeUp", `madeUp${index}`))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `import { a } from "${imported}"\n\nexport const b = a\n`)
      return path
    })
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint")
    const all = ["--format", "json", "--allow", "all", ...files]
    const output = (() => {
      try {
        return execFileSync(process.execPath, [oxlint, ...all], { cwd: folder, encoding: "utf8" })
      } catch (error) {
        return String((error as { readonly stdout: string }).stdout)
      }
    })()
    const { diagnostics } = JSON.parse(output) as {
      readonly diagnostics: ReadonlyArray<{ readonly code: string; readonly filename: string }>
    }
    const refused = new Set(
      diagnostics
        .filter(({ code }) => code.includes("no-restricted-imports"))
        .map(({ filename }) => Number(/madeUp(\d+)/.exec(filename)![1]))
    )
    const found = examples.map(([file, imported], index) => [file, imported, !refused.has(index)] as const)
    expect(found).toEqual(examples)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
