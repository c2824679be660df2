/**
 * The same as `ingest`, with QuestDB as the store: through the service, and through the same plain program, which makes
 * rows with the service's own encoder and posts them from a thread (baselines/pipelineQuestdb.ts).
 *
 *   npm run bench -- ingestQuestdb        (RUNS, POINTS, ONLY=part of a title by environment)
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { QuestdbAddress } from "../src/addresses/questdb.ts"
import { definitions, tablesOf } from "../src/store/questdb/schema.ts"
import { countApplied, flagOf, sql, withQuestdb } from "./questdbServer.ts"
import { scaled, smoke } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { compareIngest, FEEDS, type Ingester } from "./suite/ingesting.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"

/** Its tables are removed when it ends. */
const ingester = (
  address: QuestdbAddress,
  program: Program,
  url: string,
  clear: () => void = () => undefined
): Ingester => ({
  program,
  url,
  kept: async () => ({ points: await countApplied(address) }),
  stop: async () => {
    await program.stop()
    clear()
    await sql(address, `DROP TABLE ${tablesOf(address.prefix).points}`)
  }
})

const service = async (address: QuestdbAddress): Promise<Ingester> => {
  const program = await startService(["--points", flagOf(address)])
  return ingester(address, program, program.url)
}

const plain = async (address: QuestdbAddress): Promise<Ingester> => {
  for (const text of definitions(tablesOf(address.prefix), undefined)) await sql(address, text)
  const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const program = await startProgram("baselines/pipeline.js", [
    join(folder, "laps.sqlite"),
    JSON.stringify(address)
  ])
  return ingester(address, program, program.line.replace("listening on ", ""), () =>
    rmSync(folder, { recursive: true })
  )
}

await withQuestdb("ingestQuestdb", async ({ at }) => {
  let prefixes = 0
  const ownTables = () => at(`r${prefixes++}_`)
  await compareIngest({
    into: "ingest into QuestDB",
    service: () => service(ownTables()),
    plain: () => plain(ownTables()),
    points: setting("POINTS", scaled(2_000_000, 20_000)),
    // In smoke runs, a rate checks nothing more than saturation does.
    rates: smoke ? [] : [FEEDS * 60, 100_000, 300_000]
  })
})
