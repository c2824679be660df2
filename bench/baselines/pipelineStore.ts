/**
 * The store's thread of pipeline.ts: SQLite by node:sqlite alone, blocks as the service's (`encodePacked`), full
 * ones packed, the rest of a session as raw blocks until they fill one. It encodes before it opens the transaction.
 */
import { parentPort, workerData } from "node:worker_threads"
import { DatabaseSync } from "node:sqlite"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { blockRows, encodePacked, encodeRaw } from "../../src/store/sqlite/blockCodec.ts"

export interface ToStore {
  readonly session: number
  /** 0 for points. */
  readonly group: number
  readonly length: number
  /** Columns, one after another; ten for points. */
  readonly data: Float64Array<ArrayBuffer>
  /** Number, start and end of the laps that these points complete. */
  readonly laps: ReadonlyArray<readonly [number, number, number]>
}

export interface StoreOptions {
  /** The path of the SQLite file. */
  readonly file: string
}

export type StoredCounts = ReadonlyArray<{
  readonly session: number
  readonly group: number
  readonly rows: number
  /** Over all columns. */
  readonly values: number
}>

const database = new DatabaseSync((workerData as StoreOptions).file)
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
database.exec(`CREATE TABLE blocks (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, grouped INTEGER NOT NULL,
  first REAL NOT NULL, last REAL NOT NULL, points INTEGER NOT NULL, packed INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX by_time ON blocks (session, grouped, last, first, points);
  CREATE INDEX tails ON blocks (session, grouped) WHERE packed = 0;
  CREATE TABLE laps (session INTEGER NOT NULL, number INTEGER NOT NULL, start REAL, end REAL)`)
const insert = database.prepare(
  "INSERT INTO blocks (session, grouped, first, last, points, packed, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
const dropTail = database.prepare("DELETE FROM blocks WHERE session = ? AND grouped = ? AND packed = 0")
const insertLap = database.prepare("INSERT INTO laps VALUES (?, ?, ?, ?)")

const names = new Map<number, ReadonlyArray<string>>()

/** Names of this many columns: the same number returns the same array, by which batches are distinguished. */
const columnsOf = (count: number): ReadonlyArray<string> => {
  const known = names.get(count)
  if (known !== undefined) return known
  const made = Array.from({ length: count }, (_, c) => (c === 0 ? "timestamp" : `c${c}`))
  names.set(count, made)
  return made
}

/** The rows of a session's group, in the service's format. */
interface Series {
  readonly session: number
  readonly group: number
  tail: Array<RowBatch>
}

const series = new Map<string, Series>()

const seriesOf = ({ group, session }: ToStore): Series => {
  const key = `${session} ${group}`
  const known = series.get(key) ?? { session, group, tail: [] }
  series.set(key, known)
  return known
}

const lengthOf = (parts: ReadonlyArray<RowBatch>) => parts.reduce((sum, { length }) => sum + length, 0)

type Row = readonly [number, number, number, number, number, number, Uint8Array]

parentPort!.on("message", (batches: ReadonlyArray<ToStore>) => {
  const parted = new Map<Series, Array<RowBatch>>()
  for (const batch of batches) {
    const of = seriesOf(batch)
    const part = new RowBatch(batch.length, batch.data, columnsOf(batch.data.length / batch.length))
    const own = parted.get(of)
    if (own === undefined) parted.set(of, [part])
    else own.push(part)
  }
  const rows: Array<Row> = []
  const stored: Array<StoredCounts[number]> = []
  const full: Array<Series> = []
  for (const [of, parts] of parted) {
    const { group, session, tail } = of
    const columns = parts[0]!.channels.length
    const added = lengthOf(parts)
    stored.push({ session, group, rows: added, values: added * columns })
    const size = blockRows(columns)
    const fills = lengthOf(tail) + added >= size
    if (fills && tail.length > 0) full.push(of)
    const whole = RowBatch.concat(fills ? [...tail, ...parts] : parts)
    if (fills) of.tail = []
    for (let from = 0; from < whole.length; from += size) {
      const part = whole.slice(from, Math.min(from + size, whole.length))
      const isPacked = part.length === size
      const times = part.timestamps
      const last = times[part.length - 1]!
      rows.push([
        session,
        group,
        times[0]!,
        last,
        part.length,
        isPacked ? 1 : 0,
        isPacked ? encodePacked(part) : encodeRaw(part)
      ])
      if (!isPacked) of.tail.push(part)
    }
  }
  database.exec("BEGIN IMMEDIATE")
  for (const { group, session } of full) dropTail.run(session, group)
  for (const row of rows) insert.run(...row)
  for (const { laps, session } of batches) for (const lap of laps) insertLap.run(session, ...lap)
  database.exec("COMMIT")
  parentPort!.postMessage(stored, [])
})
