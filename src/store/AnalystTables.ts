/** The port of the analysts' tables, which a store may have beside its points: see questdb/AnalystTables.ts. */
import { Context, type Effect } from "effect"

export class AnalystTables extends Context.Tag("store/AnalystTables")<
  AnalystTables,
  {
    /** The session has ended. Returns at once. */
    readonly ended: (sessionId: number) => Effect.Effect<void>
  }
>() {}
