/**
 * Checks whether QuestDB takes this service's writes: sends a test row in the same way as points, and reads it back. A
 * server that answers a ping may refuse writes: it is read-only, or requires a user.
 */
import { randomInt } from "node:crypto"
import { Clock, Effect } from "effect"
import type { Connections } from "./Connections.ts"
import { unavailable } from "./hanging.ts"
import type { Tables } from "./schema.ts"
import type { Sender } from "./Sender.ts"
import { ensureApplied } from "./tableHealth.ts"

/** A double represents a token below this exactly, and so do ILP's digits. */
const MAX_TOKEN = 2 ** 32

export const make = (
  { rows }: Pick<(typeof Connections)["Service"], "rows">,
  sender: Sender,
  tables: Tables
) =>
  Effect.gen(function* () {
    const table = tables.writeChecks
    const token = randomInt(MAX_TOKEN)
    const now = yield* Clock.currentTimeMillis
    yield* sender.send(Buffer.from(`${table} token=${token} ${now}000000\n`))
    yield* ensureApplied({ rows }, table)
    const found = yield* rows(`SELECT token FROM ${table} WHERE token = ${token} LIMIT 1`)
    if (found.length === 0) return yield* unavailable(new Error("a row that it took is not there"))
  }).pipe(
    Effect.catchTag("RowsRefused", ({ reason }) => unavailable(new Error(reason))),
    Effect.withSpan("questdb.writeCheck")
  )
