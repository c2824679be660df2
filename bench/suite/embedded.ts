/** The service with its embedded store, and the plain program with the same blocks on the same SQLite (baselines/pipeline.ts). */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Ingester, Kept, Storing } from "./ingesting.ts"
import { startProgram, startService } from "./programs.ts"

type Row = { readonly rows: number | null; readonly bytes: number | null }

/** Two statements: one for the rows and bytes of the points' blocks, one for those of the samples'. */
const keptIn = async (file: string, points: string, samples: string): Promise<Kept> => {
  const database = new DatabaseSync(file, { readOnly: true })
  const ofPoints = database.prepare(points).get() as Row
  const ofSamples = database.prepare(samples).get() as Row
  database.close()
  return {
    points: ofPoints.rows ?? 0,
    samples: ofSamples.rows ?? 0,
    bytes: (ofPoints.bytes ?? 0) + (ofSamples.bytes ?? 0)
  }
}

const serviceBlocks = (where: string) =>
  `SELECT sum(length) AS rows, sum(length(data)) AS bytes FROM blocks WHERE ${where}`

const service = async (): Promise<Ingester> => {
  const program = await startService()
  return {
    program,
    url: program.url,
    kept: () =>
      keptIn(
        join(program.data, "telemetry.sqlite"),
        serviceBlocks("group_name = 'points'"),
        serviceBlocks("group_name <> 'points'")
      ),
    stop: program.stop
  }
}

const plainBlocks = (where: string) =>
  `SELECT sum(points) AS rows, sum(length(data)) AS bytes FROM blocks WHERE ${where}`

const plain = async (): Promise<Ingester> => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const file = join(folder, "pipeline.sqlite")
  const program = await startProgram("baselines/pipeline.ts", [file])
  return {
    program,
    url: program.line.replace("listening on ", ""),
    kept: () => keptIn(file, plainBlocks("grouped = 0"), plainBlocks("grouped > 0")),
    stop: async () => {
      await program.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

export const embedded: Pick<Storing, "plain" | "service"> = { service, plain }
