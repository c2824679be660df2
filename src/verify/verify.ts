/** Reads every block of a SQLite file, with the writer's eyes. Changes nothing; a service may run meanwhile. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { PointsDamaged } from "../domain/errors.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import { breathe } from "../threads/breathe.ts"
import { decodeBlock } from "../store/sqlite/blockCodec.ts"
import { opened, type StoredBlock } from "../store/sqlite/storedBlock.ts"

/** Blocks held at once: 16 of 327,688 bytes at most. */
const BLOCKS_AT_ONCE = 16

export interface Verified {
  readonly blocks: number
  readonly points: number
  /** Blocks of versions that had no checksum: decoded, and held to what their row says of them. */
  readonly unsummed: number
  readonly damaged: ReadonlyArray<PointsDamaged>
  /** What SQLite finds wrong with its own pages and indexes. */
  readonly structure: ReadonlyArray<string>
}

const isIncreasing = (times: Float64Array): boolean => {
  for (let i = 1; i < times.length; i++) if (!(times[i]! > times[i - 1]!)) return false
  return true
}

const fitsRow = ({ length, timestamps }: PointBatch, block: StoredBlock): boolean =>
  length === block.points &&
  timestamps[0] === block.first_point &&
  timestamps[length - 1] === block.last_point &&
  isIncreasing(timestamps)

/** `store`: what the file is called in sentences. */
export const verify = Effect.fn("verify")(function* (store: string) {
  const sql = yield* SqlClient.SqlClient
  const damaged: Array<PointsDamaged> = []
  const structure: Array<string> = []
  let blocks = 0
  let points = 0
  let unsummed = 0

  const look = (row: StoredBlock) => {
    const { first_point: first, last_point: last, session_id: sessionId } = row
    // A file of an earlier version lacks the column.
    const block = { ...row, checksum: row.checksum ?? null }
    blocks++
    points += block.points
    if (block.checksum === null) unsummed++
    try {
      if (fitsRow(opened(store, block, decodeBlock), block)) return
      damaged.push(new PointsDamaged({ store, sessionId, first, last, reason: "its points are others" }))
    } catch (error) {
      if (!(error instanceof PointsDamaged)) throw error
      damaged.push(error)
    }
  }

  const readAll = Effect.gen(function* () {
    let id = 0
    for (;;) {
      const rows = yield* sql<StoredBlock>`SELECT * FROM point_blocks WHERE id > ${id}
        ORDER BY id LIMIT ${BLOCKS_AT_ONCE}`
      const last = rows.at(-1)
      if (last === undefined) return
      for (const row of rows) look(row)
      id = last.id
      yield* breathe
    }
  })
  /** Pages that SQLite cannot make sense of end the reading. */
  const broken = (error: SqlError) => Effect.sync(() => structure.push(String(error.cause)))

  yield* sql<{ integrity_check: string }>`PRAGMA integrity_check`.pipe(
    Effect.map((rows) => {
      for (const { integrity_check: found } of rows) if (found !== "ok") structure.push(found)
    }),
    Effect.catchAll(broken)
  )
  const tables = yield* Effect.catchAll(
    sql`SELECT 1 AS found FROM sqlite_master WHERE name = 'point_blocks'`,
    (error) => Effect.as(broken(error), [])
  )
  if (tables.length > 0) yield* Effect.catchAll(readAll, broken)
  const verified: Verified = { blocks, points, unsummed, damaged, structure }
  return verified
})
