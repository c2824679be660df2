/**
 * Tables that analysts join with the points: a row for each session that has ended, and a row for each of its laps.
 *
 * The catalog decides; these tables follow it. A session whose rows could not be written is pending. At the start, a
 * session is also pending if the table lacks it, or has it with fewer laps. This adds rows that the official client
 * lost, and sessions that ended while the server was away. A session without laps has nothing to join.
 */
import { Cause, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { Session } from "../../domain/Session.ts"
import { AnalystTables } from "../AnalystTables.ts"
import { Laps } from "../Laps.ts"
import * as PendingSessions from "../PendingSessions.ts"
import { RowStore } from "../RowStore.ts"
import { Sessions } from "../Sessions.ts"
import { BACKGROUND_PAUSE } from "../../platform/retryPolicies.ts"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { writeRows } from "./analystRows.ts"
import { Connections } from "./Connections.ts"
import { unavailable } from "./hanging.ts"
import { tablesOf } from "./schema.ts"

/** A server that is away must not delay the service, above all when the service stops. */
const WRITTEN_WITHIN = "10 seconds"
/** How long the tables are still filled after the service is asked to end. Missing rows are added at the next start. */
const ENDS_WITHIN = "2 seconds"
/** The number of sessions in a page from the catalog. */
const PAGE = 1000

/** Writes the rows of a session that has ended. A session that is gone has no rows. */
export const tabulate = (address: QuestdbAddress) =>
  Effect.fn("AnalystTables.tabulate")(
    function* (sessionId: number) {
      const session = yield* (yield* Sessions).session(sessionId)
      const laps = yield* (yield* Laps).laps(sessionId)
      yield* Effect.tryPromise({ try: () => writeRows(address, session, laps), catch: unavailable }).pipe(
        Effect.timeoutFail({
          duration: WRITTEN_WITHIN,
          onTimeout: () => unavailable(new Error(`no answer within ${WRITTEN_WITHIN}`))
        })
      )
    },
    Effect.catchTag("SessionNotFound", () => Effect.void)
  )

/** All sessions of the catalog, in pages. */
const allSessions = Effect.gen(function* () {
  const sessions = yield* Sessions
  const all: Array<Session> = []
  for (;;) {
    const { items } = yield* sessions.sessions({ limit: PAGE, offset: all.length })
    all.push(...items)
    if (items.length < PAGE) return all
  }
})

/** The sessions that have ended and are not in the tables with all their laps. */
const lacking = Effect.fn("AnalystTables.lacking")(function* (address: QuestdbAddress) {
  // The check makes the store of the points create the tables.
  yield* (yield* RowStore).check
  const { rows } = yield* Connections
  const tabulated = yield* rows(`SELECT session, max(laps) AS laps FROM ${tablesOf(address.prefix).sessions}`)
  const laps = new Map(tabulated.map((row) => [Number(row["session"]), Number(row["laps"])]))
  const open = new Set(yield* (yield* Sessions).unendedSessions)
  return (yield* allSessions)
    .filter(({ id, totalLaps }) => totalLaps > (laps.get(id) ?? 0) && !open.has(id))
    .map(({ id }) => id)
})

const behind = ({ cause }: StoreUnavailable) =>
  Effect.logWarning(
    `QuestDB's tables of sessions and laps are behind: tried again every ${Duration.toSeconds(BACKGROUND_PAUSE)} seconds`,
    Cause.fail(cause)
  )

/** Works as long as the scope. */
export const layer = (address: QuestdbAddress) =>
  Layer.scoped(
    AnalystTables,
    Effect.map(
      PendingSessions.make<Connections | Laps | RowStore | Sessions>({
        leftBefore: lacking(address),
        run: tabulate(address),
        onBehind: behind,
        endsWithin: ENDS_WITHIN
      }),
      ({ add }) => ({ ended: add })
    )
  ).pipe(Layer.provide(Connections.layer(address)))
