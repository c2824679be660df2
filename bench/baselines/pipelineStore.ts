/**
 * The store's thread of pipeline.ts: SQLite by better-sqlite3 alone, blocks as the service's (`encodePacked`), full
 * ones packed, the rest of a session as raw blocks until they fill one. Encodes before it opens the transaction.
 */
import { parentPort, workerData } from "node:worker_threads"
import Database from "better-sqlite3"
import { PointBatch } from "../../src/domain/PointBatch.ts"
import { BLOCK_POINTS, encodePacked, encodeRaw } from "../../src/store/sqlite/blockCodec.ts"

export interface ToStore {
  readonly session: number
  readonly length: number
  /** Ten columns, one after another. */
  readonly data: Float64Array<ArrayBuffer>
  /** Number, start and end of the laps that these points complete. */
  readonly laps: ReadonlyArray<readonly [number, number, number]>
}

export interface StoreOptions {
  /** Where SQLite keeps what it keeps. */
  readonly file: string
}

export type StoredCounts = ReadonlyArray<{ readonly session: number; readonly points: number }>

const database = new Database((workerData as StoreOptions).file)
database.pragma("journal_mode = WAL")
database.pragma("synchronous = FULL")
database.exec(`CREATE TABLE blocks (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, first REAL NOT NULL,
  last REAL NOT NULL, points INTEGER NOT NULL, packed INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX by_time ON blocks (session, last, first, points);
  CREATE INDEX tails ON blocks (session) WHERE packed = 0;
  CREATE TABLE laps (session INTEGER NOT NULL, number INTEGER NOT NULL, start REAL, end REAL)`)
const insert = database.prepare(
  "INSERT INTO blocks (session, first, last, points, packed, data) VALUES (?, ?, ?, ?, ?, ?)"
)
const dropTail = database.prepare("DELETE FROM blocks WHERE session = ? AND packed = 0")
const insertLap = database.prepare("INSERT INTO laps VALUES (?, ?, ?, ?)")

const tails = new Map<number, Array<PointBatch>>()

parentPort!.on("message", (batches: ReadonlyArray<ToStore>) => {
  const bySession = new Map<number, Array<PointBatch>>()
  for (const { data, length, session } of batches) {
    const own = bySession.get(session)
    if (own === undefined) bySession.set(session, [new PointBatch(length, data)])
    else own.push(new PointBatch(length, data))
  }
  const rows: Array<readonly [number, number, number, number, number, Uint8Array]> = []
  const stored: Array<StoredCounts[number]> = []
  const full: Array<number> = []
  for (const [session, parts] of bySession) {
    const points = parts.reduce((sum, part) => sum + part.length, 0)
    stored.push({ session, points })
    const tail = tails.get(session) ?? []
    const tailPoints = tail.reduce((sum, part) => sum + part.length, 0)
    const fills = tailPoints + points >= BLOCK_POINTS
    if (fills && tail.length > 0) full.push(session)
    const whole = PointBatch.concat(fills ? [...tail, ...parts] : parts)
    for (let from = 0; from < whole.length; from += BLOCK_POINTS) {
      const part = whole.slice(from, Math.min(from + BLOCK_POINTS, whole.length))
      const packed = part.length === BLOCK_POINTS
      const times = part.timestamps
      rows.push([
        session,
        times[0]!,
        times[part.length - 1]!,
        part.length,
        packed ? 1 : 0,
        packed ? encodePacked(part) : encodeRaw(part)
      ])
      if (!packed) tails.set(session, fills ? [part] : [...tail, part])
      else tails.delete(session)
    }
  }
  database.exec("BEGIN IMMEDIATE")
  for (const session of full) dropTail.run(session)
  for (const row of rows) insert.run(...row)
  for (const { laps, session } of batches) for (const lap of laps) insertLap.run(session, ...lap)
  database.exec("COMMIT")
  parentPort!.postMessage(stored, [])
})
