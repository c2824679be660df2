/** The port of the analysts' tables, which a store may have beside its points: see questdb/AnalystTables.ts. */
import { Context, type Effect } from "effect"

export class AnalystTables extends Context.Tag("store/AnalystTables")<
  AnalystTables,
  {
    /** To be called when the session has ended. Returns immediately. */
    readonly ended: (sessionId: number) => Effect.Effect<void>
  }
>() {}
