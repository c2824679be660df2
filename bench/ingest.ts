/**
 * From the socket to the disk: four packed native feeds through a real service process, validated, cut into laps, stored
 * durably in the embedded store and fanned out to 100 live subscribers at 60 Hz (suite/ingesting.ts). Against a plain
 * program that does the same with the same blocks on the same SQLite (baselines/pipeline.ts).
 *
 *   npm run bench -- ingest        (RUNS, POINTS, ONLY=part of a title by environment)
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { scaled, smoke } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { compareIngest, FEEDS, type Ingester, type Kept } from "./suite/ingesting.ts"
import { startProgram, startService } from "./suite/programs.ts"

const keptIn = async (file: string, table: string): Promise<Kept> => {
  const database = new Database(file, { readonly: true })
  const kept = database
    .prepare(`SELECT sum(points) AS points, sum(length(data)) AS bytes FROM ${table}`)
    .get() as Kept
  database.close()
  return kept
}

const service = async (): Promise<Ingester> => {
  const program = await startService()
  return {
    program,
    url: program.url,
    kept: () => keptIn(join(program.data, "telemetry.sqlite"), "point_blocks"),
    stop: program.stop
  }
}

const plain = async (): Promise<Ingester> => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const file = join(folder, "pipeline.sqlite")
  const program = await startProgram("baselines/pipeline.js", [file])
  return {
    program,
    url: program.line.replace("listening on ", ""),
    kept: () => keptIn(file, "blocks"),
    stop: async () => {
      await program.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

await compareIngest({
  into: "ingest",
  service,
  plain,
  points: setting("POINTS", scaled(2_000_000, 20_000)),
  // Small, a fast rate counts nothing that another does not.
  rates: [FEEDS * 60, ...(smoke ? [] : [100_000, 1_000_000])]
})
