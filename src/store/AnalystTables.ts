/** The port of what analysts join the points with, where there are such tables: see questdb/AnalystTables.ts. */
import { Context, type Effect } from "effect"

export class AnalystTables extends Context.Tag("store/AnalystTables")<
  AnalystTables,
  {
    /** The session has ended. Returns at once. */
    readonly ended: (sessionId: number) => Effect.Effect<void>
  }
>() {}
