/**
 * The cost of a column of a group's table in QuestDB, configured as in docker-compose.servers.yml: on disk in the newest partition, in a
 * closed one, and in the write-ahead log, counted in the files' blocks; and in the server's memory. Our store writes two hours'
 * partitions of samples, whose number is checked. For comparison, a column of `points`, which has ten and is written too.
 *
 *   npm run bench -- questdbColumns        (RUNS by environment)
 */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { ManagedRuntime } from "effect"
import type { QuestdbAddress } from "../src/platform/addresses/questdb.ts"
import { POINTS } from "../src/domain/Dictionary.ts"
import { channels } from "../src/domain/pointChannels.ts"
import { RowBatch } from "../src/domain/RowBatch.ts"
import { RowStore, type SessionRows } from "../src/store/RowStore.ts"
import * as QuestdbStore from "../src/store/questdb/QuestdbStore.ts"
import { groupTable, tablesOf } from "../src/store/questdb/schema.ts"
import { countApplied, type Questdb, sql, withQuestdb } from "./questdbServer.ts"
import { benchGroup, channelNames, signal } from "./suite/benchGroups.ts"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { memoryOf } from "./suite/programs.ts"

const GROUPS = [50, 500]
const RATE = 60
/** In each partition: a minute of samples, in commits of a second. */
const SAMPLES = RATE * scaled(60, 5)
const HOUR_S = 3600
const EPOCH = 1.7e9 - (1.7e9 % HOUR_S)
/** The unit of st_blocks; stat(2). */
const BLOCK_BYTES = 512
const KIB = 1024

const bytesIn = (path: string): number =>
  readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inside = join(path, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(inside) : statSync(inside).blocks * BLOCK_BYTES)
  }, 0)

/** Bytes of a table's folders, by the beginning of their names: `2023-11-14T22` is an hour's, `wal1` one of the log. */
const bytesOf = (folder: string, begins: RegExp): number =>
  readdirSync(folder)
    .filter((name) => begins.test(name))
    .reduce((sum, name) => sum + bytesIn(join(folder, name)), 0)

const second = (names: ReadonlyArray<string>, start: number): RowBatch => {
  const batch = RowBatch.allocate(RATE, ["timestamp", ...names])
  for (let i = 0; i < RATE; i++) batch.timestamps[i] = start + i / RATE
  for (const [c, name] of names.entries()) batch.column(name).set(signal(c, batch.timestamps))
  return batch
}

type Rows = (start: number) => SessionRows

const samplesOf = (names: ReadonlyArray<string>): Rows => {
  const group = benchGroup(0)
  return (start) => ({ sessionId: 1, group, batch: second(names, start) })
}

const pointsOf: Rows = (start) => ({
  sessionId: 1,
  group: POINTS,
  batch: new RowBatch(RATE, second(channels.slice(1), start).data, channels)
})

const hourOf = (time: number) => new RegExp(`^${new Date(time * 1000).toISOString().slice(0, 13)}`)

/** Writes two partitions of a table with our store; `columns` are those with values. */
const measured = async (
  { pid, tables }: Questdb,
  address: QuestdbAddress,
  { columns, rows, table }: { readonly columns: number; readonly rows: Rows; readonly table: string }
): Promise<Figures> => {
  const runtime = ManagedRuntime.make(QuestdbStore.server(address))
  const store = await runtime.runPromise(RowStore)
  // The first table and the connections are in no figure.
  await runtime.runPromise(store.write([{ sessionId: 1, group: "warm", batch: second(["a"], EPOCH) }]))
  const before = memoryOf(pid).now
  for (const hour of [0, 1]) {
    for (let from = 0; from < SAMPLES; from += RATE) {
      await runtime.runPromise(store.write([rows(EPOCH + hour * HOUR_S + from / RATE)]))
    }
  }
  const counted = await countApplied(address, table)
  if (counted !== 2 * SAMPLES) throw new Error(`${table} has ${counted} rows of ${2 * SAMPLES}`)
  const memory = memoryOf(pid).now - before
  const name = readdirSync(tables).find((folder) => folder.split("~")[0] === table)!
  const folder = join(tables, name)
  const figures = {
    "KiB, newest partition": bytesOf(folder, hourOf(EPOCH + HOUR_S)) / columns / KIB,
    "bytes a value, closed partition": bytesOf(folder, hourOf(EPOCH)) / columns / SAMPLES,
    "KiB, write-ahead log": bytesOf(folder, /^wal/) / columns / KIB,
    "KiB of memory": memory / columns / KIB
  }
  await runtime.dispose()
  for (const one of [table, groupTable(address.prefix, "warm")]) await sql(address, `DROP TABLE ${one}`)
  return figures
}

await withQuestdb("questdbColumns", async (questdb) => {
  let prefixes = 0
  const ofGroup = (size: number) => ({
    name: `a column of a group of ${size}`,
    run: () => {
      const address = questdb.at(`c${prefixes++}_`)
      const rows = samplesOf(channelNames(0, size))
      return measured(questdb, address, {
        columns: size,
        rows,
        table: groupTable(address.prefix, benchGroup(0))
      })
    }
  })
  await compare({
    title: `a column of QuestDB's, ${2 * SAMPLES} rows of two hours`,
    subjects: [
      {
        name: "a column of points",
        run: () => {
          const address = questdb.at(`c${prefixes++}_`)
          const { points } = tablesOf(address.prefix)
          return measured(questdb, address, { columns: channels.length, rows: pointsOf, table: points })
        }
      },
      ...GROUPS.map(ofGroup)
    ]
  })
})
