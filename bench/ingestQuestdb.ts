/**
 * The same as `ingest`, and as `ingestChannels` at the pace of simulators, with QuestDB as the store: through the service, and through the same plain program with rows
 * of the service's own encoder, which it posts from a thread (baselines/pipelineQuestdb.ts).
 *
 *   npm run bench -- ingestQuestdb        (RUNS, POINTS, ONLY=part of a title by environment)
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { QuestdbAddress } from "../src/platform/addresses/questdb.ts"
import { definitions, groupDefinition, groupTable, tablesOf } from "../src/store/questdb/schema.ts"
import { countApplied, flagOf, sql, withQuestdb } from "./questdbServer.ts"
import { benchGroup, channelGroups } from "./suite/benchGroups.ts"
import { scaled, smoke } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { compareChannels, compareIngest, FEEDS, type Ingester, paced } from "./suite/ingesting.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"

/** The contents of a run's store: its own tables, with so many channels beyond the ten. */
interface Into {
  readonly address: QuestdbAddress
  readonly channels: number
}

const groupTables = ({ address, channels }: Into) =>
  channelGroups(channels).map((names, g) => ({ table: groupTable(address.prefix, benchGroup(g)), names }))

/** When it stops, it removes its tables. */
const ingester = (
  into: Into,
  program: Program,
  url: string,
  clear: () => void = () => undefined
): Ingester => {
  const { address } = into
  const { points } = tablesOf(address.prefix)
  const groups = groupTables(into).map(({ table }) => table)
  return {
    program,
    url,
    kept: async () => {
      const samples = await Promise.all(groups.map((table) => countApplied(address, table)))
      return {
        points: await countApplied(address, points),
        samples: samples.reduce((sum, rows) => sum + rows, 0)
      }
    },
    stop: async () => {
      await program.stop()
      clear()
      for (const table of [points, ...groups]) await sql(address, `DROP TABLE ${table}`)
    }
  }
}

const service = async (into: Into): Promise<Ingester> => {
  const program = await startService(["--points", flagOf(into.address)])
  return ingester(into, program, program.url)
}

const plain = async (into: Into): Promise<Ingester> => {
  const { address } = into
  const groups = groupTables(into).map(({ names, table }) => groupDefinition(table, names, undefined))
  const tables = definitions(tablesOf(address.prefix), undefined).map(({ text }) => text)
  for (const text of [...tables, ...groups]) await sql(address, text)
  const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const program = await startProgram("baselines/pipeline.ts", [
    join(folder, "laps.sqlite"),
    JSON.stringify(address)
  ])
  return ingester(into, program, program.line.replace("listening on ", ""), () =>
    rmSync(folder, { recursive: true })
  )
}

await withQuestdb("ingestQuestdb", async ({ at }) => {
  let prefixes = 0
  /** Each run has tables of its own. */
  const into = (channels: number) => ({
    service: () => service({ address: at(`r${prefixes++}_`), channels }),
    plain: () => plain({ address: at(`r${prefixes++}_`), channels })
  })
  await compareIngest({
    into: "ingest into QuestDB",
    ...into(0),
    least: 0.8,
    points: setting("POINTS", scaled(2_000_000, 20_000)),
    // In smoke runs, a rate checks nothing more than saturation does.
    rates: smoke ? [] : [FEEDS * 60, 100_000, 300_000]
  })
  const simulators = paced(20, 150, 60)
  await compareChannels("20 feeds of 150 channels at 60 Hz into QuestDB", into(150), simulators)
})
