/**
 * Notices that the table of points was removed, renamed or emptied while the service ran. The service makes the table
 * anew and goes on recording, but the earlier points are missing, and users must know. `/health` reports it until the
 * service is started again.
 */
import { Clock, Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { formatDateTime } from "../../domain/Time.ts"
import type { Connections } from "./Connections.ts"

interface Seen {
  /** QuestDB's number of the table; a table that is made anew has another number. */
  readonly id: number
  readonly hasRows: boolean
}

const lossBetween = (before: Seen | undefined, now: Seen): string | undefined => {
  if (before === undefined) return undefined
  if (before.id !== now.id) return "was removed or renamed, and made anew"
  return before.hasRows && !now.hasRows ? "was emptied" : undefined
}

export const make = () => {
  let seen: Seen | undefined
  let loss: string | undefined
  return {
    /** Looks at the table, which must exist. Neither the service nor a TTL removes its newest partition, so it never becomes empty. */
    look: Effect.fn("questdb.losses.look")(function* (
      { rows }: Pick<(typeof Connections)["Service"], "rows">,
      table: string
    ) {
      const [there] = yield* rows("SELECT id FROM tables() WHERE table_name = $1", [table])
      const [counted] = yield* rows(`SELECT count() AS rows FROM ${table}`)
      const now: Seen = { id: Number(there?.["id"]), hasRows: Number(counted?.["rows"]) > 0 }
      const how = lossBetween(seen, now)
      seen = now
      if (how === undefined) return
      const at = formatDateTime((yield* Clock.currentTimeMillis) / 1000)
      loss = `QuestDB's table ${table} ${how}, which this service noticed at ${at}: points from before are not in it. Recording goes on. Bring them back, or start the service again to have this forgotten`
      yield* Effect.logError(loss)
    }),
    /** Fails after a loss. */
    check: Effect.suspend(() =>
      loss === undefined
        ? Effect.void
        : Effect.fail(new StoreUnavailable({ store: "questdb", cause: new Error(loss), reason: loss }))
    )
  }
}

export type Losses = ReturnType<typeof make>
