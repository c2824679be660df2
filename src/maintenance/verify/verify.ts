/**
 * Reads every block of a SQLite file, and checks it as the writer would. Changes nothing; a service may run meanwhile.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { PointsDamaged } from "../../domain/errors.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { verifyDictionaries } from "../../store/sql/SqlDictionaries.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import { decodeColumns } from "../../store/sqlite/blockCodec.ts"
import { opened, STORED, STORED_FROM, type StoredBlock } from "../../store/sqlite/storedBlock.ts"

/** The number of blocks in memory at a time, of at most 1 MiB each. */
const BLOCKS_AT_ONCE = 16

export interface Verified {
  readonly blocks: number
  readonly points: number
  /** Rows of groups other than the points. */
  readonly samples: number
  readonly damaged: ReadonlyArray<PointsDamaged>
  /** The number of different dictionaries that the sessions have, and the sessions whose dictionary is damaged. */
  readonly dictionaries: number
  readonly damagedChannels: ReadonlyArray<number>
  /** Errors that SQLite finds in its own pages and indexes. */
  readonly structure: ReadonlyArray<string>
}

const isIncreasing = (times: Float64Array): boolean => {
  for (let i = 1; i < times.length; i++) if (!(times[i]! > times[i - 1]!)) return false
  return true
}

const fitsRow = ({ length, timestamps }: RowBatch, block: StoredBlock): boolean =>
  length === block.length &&
  timestamps[0] === block.first &&
  timestamps[length - 1] === block.last &&
  isIncreasing(timestamps)

/** SQLite's findings about its pages; empty if it finds no fault. */
const findings = (check: "integrity_check" | "quick_check") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<Readonly<Record<string, string>>>(`PRAGMA ${check}`)
    return rows.map((row) => row[check]!).filter((found) => found !== "ok")
  }).pipe(
    // Reading ends at pages that SQLite cannot interpret.
    Effect.catchAll((error) => Effect.succeed([String(error.cause)]))
  )

/** Checks the pages alone, not the rows in them. */
export const quickCheck = findings("quick_check")

/** `store`: the name of the file in sentences. */
export const verify = Effect.fn("verify")(function* (store: string) {
  const sql = yield* SqlClient.SqlClient
  const damaged: Array<PointsDamaged> = []
  const structure: Array<string> = []
  let blocks = 0
  let points = 0
  let samples = 0

  const look = (block: StoredBlock) => {
    const { first, group_name: group, last, session_id: sessionId } = block
    blocks++
    if (group === POINTS) points += block.length
    else samples += block.length
    try {
      if (
        fitsRow(
          opened(store, block, (data, layout) => decodeColumns(data, layout, layout)),
          block
        )
      )
        return
      const reason = `its ${group === POINTS ? "points" : "samples"} are others`
      const of = group === POINTS ? {} : { group }
      damaged.push(new PointsDamaged({ store, sessionId, first, last, reason, ...of }))
    } catch (error) {
      if (!(error instanceof PointsDamaged)) throw error
      damaged.push(error)
    }
  }

  const allBlocks = Effect.gen(function* () {
    let id = 0
    for (;;) {
      const rows = yield* sql<StoredBlock>`SELECT ${sql.literal(STORED)} FROM ${sql.literal(STORED_FROM)}
        WHERE b.id > ${id} ORDER BY b.id LIMIT ${BLOCKS_AT_ONCE}`
      const last = rows.at(-1)
      if (last === undefined) return
      for (const row of rows) look(row)
      id = last.id
      yield* breathe
    }
  })
  /** Reading ends at pages that SQLite cannot interpret. */
  const broken = (error: SqlError) => Effect.sync(() => structure.push(String(error.cause)))

  structure.push(...(yield* findings("integrity_check")))
  let channels = { dictionaries: 0, sessionIds: [] as ReadonlyArray<number> }
  const allChannels = Effect.map(verifyDictionaries(sql), (found) => {
    channels = found
  })
  for (const [table, all] of [
    ["blocks", allBlocks],
    // Only if the catalog is in this file.
    ["dictionaries", allChannels]
  ] as const) {
    const found = yield* Effect.catchAll(
      sql`SELECT 1 AS found FROM sqlite_master WHERE name = ${table}`,
      (error) => Effect.as(broken(error), [])
    )
    if (found.length > 0) yield* Effect.catchAll(all, broken)
  }
  const verified: Verified = {
    blocks,
    points,
    samples,
    damaged,
    dictionaries: channels.dictionaries,
    damagedChannels: channels.sessionIds,
    structure
  }
  return verified
})
