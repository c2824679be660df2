/**
 * The store's thread of pipeline.ts for QuestDB: rows by the service's encoder, posted over one kept connection, one
 * request at a time. Laps go into SQLite, as the service's catalog does there.
 */
import { Agent } from "node:http"
import { parentPort, workerData } from "node:worker_threads"
import { DatabaseSync } from "node:sqlite"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import type { QuestdbAddress } from "../../src/platform/addresses/questdb.ts"
import { RowEncoder } from "../../src/store/questdb/RowEncoder.ts"
import { RowLayout } from "../../src/store/questdb/RowLayout.ts"
import { groupTable, tablesOf } from "../../src/store/questdb/schema.ts"
import { benchGroup, channelNames } from "../suite/benchGroups.ts"
import { postRows } from "../suite/postRows.ts"
import type { StoreOptions, ToStore } from "./pipelineStore.ts"

const { file, questdb } = workerData as StoreOptions & { readonly questdb: QuestdbAddress }

const database = new DatabaseSync(file)
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
database.exec("CREATE TABLE laps (session INTEGER NOT NULL, number INTEGER NOT NULL, start REAL, end REAL)")
const insertLap = database.prepare("INSERT INTO laps VALUES (?, ?, ?, ?)")
const insertLaps = (batches: ReadonlyArray<ToStore>) => {
  database.exec("BEGIN")
  for (const { laps, session } of batches) for (const lap of laps) insertLap.run(session, ...lap)
  database.exec("COMMIT")
}

const encoder = new RowEncoder()
/** By the group's number, which is 0 for points. */
const layouts = [new RowLayout(tablesOf(questdb.prefix).points, channels)]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const layoutOf = ({ data, group, length }: ToStore): RowLayout =>
  (layouts[group] ??= new RowLayout(groupTable(questdb.prefix, benchGroup(group - 1)), [
    "timestamp",
    ...channelNames(group - 1, data.length / length - 1)
  ]))

/** A request has rows of one table; those of the points come last, as the service's do. */
const post = async (batches: ReadonlyArray<ToStore>) => {
  encoder.clear()
  for (const batch of batches) {
    const layout = layoutOf(batch)
    const rows = new RowBatch(batch.length, batch.data, layout.channels)
    encoder.add(layout, String(batch.session), rows, 0, batch.length)
  }
  await postRows(agent, questdb, encoder.bytes)
}

parentPort!.on("message", async (batches: ReadonlyArray<ToStore>) => {
  const numbers = [...new Set(batches.map(({ group }) => group))].sort((a, b) => b - a)
  for (const number of numbers) await post(batches.filter(({ group }) => group === number))
  if (batches.some(({ laps }) => laps.length > 0)) insertLaps(batches)
  parentPort!.postMessage(
    batches.map(({ data, group, length, session }) => ({
      session,
      group,
      rows: length,
      values: data.length
    })),
    []
  )
})
