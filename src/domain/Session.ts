import { Schema } from "effect"
import { DateTime } from "./DateTime.ts"
import { Id } from "./Id.ts"

/** Driver, vehicle and circuit: the names that identify a session. Each has 1 to 200 characters. */
export interface SessionNames {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
}

export const SessionSource = Schema.Literal("live", "import")
export type SessionSource = typeof SessionSource.Type

/** A driving session as every reader sees it. */
export const Session = Schema.Struct({
  id: Id,
  circuit: Schema.String,
  vehicle: Schema.String,
  driver: Schema.String,
  datetime: DateTime.annotations({
    jsonSchema: {
      type: "string",
      description: "Start of the session, UTC, YYYY-MM-DDTHH:mm:ss[.sss]",
      examples: ["2026-02-13T09:30:00"]
    }
  }),
  duration: Schema.Int.annotations({ description: "Whole seconds from the first point to the last" }),
  totalLaps: Schema.Int,
  bestLapTime: Schema.NullOr(Schema.Number).annotations({
    description: "Seconds; null before the first valid lap"
  }),
  tags: Schema.optional(Schema.Array(Schema.String)).annotations({
    description: "The tags that users gave; left out without any"
  }),
  circuitLayout: Schema.optional(Schema.String).annotations({
    description: "The layout of the circuit, if a user named it"
  }),
  circuitReported: Schema.optional(Schema.String).annotations({
    description: "The circuit as the simulator reported it, if a user corrected it"
  }),
  vehicleReported: Schema.optional(Schema.String).annotations({
    description: "The vehicle as the simulator reported it, if a user corrected it"
  }),
  driverReported: Schema.optional(Schema.String).annotations({
    description: "The driver as the simulator reported it, if a user corrected it"
  }),
  pinned: Schema.Boolean.annotations({
    description: "Whether the service never removes the session by itself (--keep, --keep-size)"
  }),
  source: SessionSource.annotations({
    description: "`live`: recorded from a simulator. `import`: made of a file"
  })
}).annotations({ identifier: "Session" })

export type Session = typeof Session.Type

/** How long a session outlives its link (native-feed.md), or the node that recorded it. */
export const REJOIN_WITHIN = "10 minutes"

/**
 * The data of a new session; `datetime`: its start, epoch seconds. `importId`: of the file that it is made of. `connection`: the
 * address (`addressKey`) of the connection over which it is recorded.
 */
export interface NewSession extends SessionNames {
  readonly datetime: number
  readonly importId?: number | undefined
  readonly connection?: string | undefined
}

/** The first and last point of a session, epoch seconds. */
export interface SessionBounds {
  readonly first: number
  readonly last: number
}

/** The wanted sessions, by names; a whole name must match, ignoring case. */
export type SessionNamesWanted = { readonly [K in keyof SessionNames]?: string | undefined }

/**
 * The order of a list: by start time, by fastest lap (sessions without one come last), or by a name and then the newest
 * first.
 */
export const sessionOrders = ["newest", "oldest", "fastest", "circuit", "vehicle", "driver"] as const
export type SessionOrder = (typeof sessionOrders)[number]

/** The sessions that a list shows. */
export interface SessionFilter extends SessionNamesWanted {
  /** Only sessions with this tag, ignoring case. */
  readonly tag?: string | undefined
  /** Words; each must be a part of one of the three names, ignoring case. */
  readonly search?: string | undefined
  /** The newest first by default. */
  readonly sort?: SessionOrder | undefined
  readonly limit: number
  readonly offset: number
}
