import { Schema } from "effect"
import { expecting } from "./expecting.ts"
import { Host, Name, Port } from "./Configuration.ts"
import { Id } from "./Id.ts"
import { plainPattern } from "./text.ts"

const MAX_PASSWORD = 64
const password = new RegExp(plainPattern(MAX_PASSWORD), "u")

/** What the password and lock fields may hold: as long as any simulator takes, and no control characters. */
const Password = Schema.String.pipe(Schema.pattern(password)).annotations({
  ...expecting(`at most ${MAX_PASSWORD} characters of text`),
  jsonSchema: { type: "string", pattern: password.source }
})

const StartLine = Schema.Struct({
  x1: Schema.Finite,
  y1: Schema.Finite,
  x2: Schema.Finite,
  y2: Schema.Finite
}).annotations({ identifier: "StartLine" })

const extraFields = {
  password: Schema.optional(Password).annotations({
    description: "Assetto Corsa Competizione: the connection password of its broadcasting.json"
  }),
  admin_password: Schema.optional(Password).annotations({
    description: "Live for Speed: the host's admin password"
  }),
  steering_lock: Schema.optional(
    Schema.Finite.pipe(Schema.between(90, 3600)).annotations(expecting("between 90 and 3600 degrees"))
  ).annotations({
    description:
      "Degrees from lock to lock of the steering wheel, where a simulator tells degrees only; 900 where left out"
  }),
  replays: Schema.optional(Schema.Boolean).annotations({
    description:
      "Gran Turismo 7: record replays, too. They show a car that is not on track, so nothing of them is recorded without"
  }),
  start_line: Schema.optional(StartLine).annotations({
    description: "Across the track in metres of the points' x and y, where a simulator knows no laps (BeamNG)"
  })
}

/** What only some simulators have a use for. */
const SimulatorExtras = Schema.Struct(extraFields)
export type SimulatorExtras = typeof SimulatorExtras.Type
export const extras = Object.keys(extraFields) as ReadonlyArray<keyof SimulatorExtras>

/** What to connect to, and how. */
export const ConnectRequest = Schema.Struct({
  host: Host,
  port: Port,
  app_name: Name,
  simulator: Schema.optional(Name).annotations({
    description:
      "The driver; left out, it follows from the port, and is native where no driver claims the port"
  }),
  session_id: Schema.optional(Id).annotations({
    description: "Record into this existing session"
  }),
  circuit: Schema.optional(Name).annotations({ description: "Used where the simulator does not say" }),
  vehicle: Schema.optional(Name),
  driver: Schema.optional(Name),
  ...extraFields
}).annotations({ identifier: "ConnectionRequest" })

export type ConnectRequest = typeof ConnectRequest.Type

/** A link whose handshake has succeeded. */
export interface Connected {
  readonly host: string
  readonly port: number
  readonly app_name: string
  readonly simulator: string
  /** Null until the simulator says that a session runs. */
  readonly session_id: number | null
}

export const ConnectionState = Schema.Literal("connecting", "connected", "reconnecting")
export type ConnectionState = typeof ConnectionState.Type

const Count = Schema.Int.pipe(Schema.nonNegative())

/** One connection and what became of its points. received = stored + dropped + rejected + those on their way. */
export const ConnectionStatus = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  app_name: Schema.String,
  simulator: Schema.String,
  state: ConnectionState,
  session_id: Schema.NullOr(Schema.Int),
  points_received: Count,
  points_stored: Count.annotations({ description: "Acknowledged by the store as durable" }),
  points_dropped: Count.annotations({ description: "Lost because the intake was full (datagrams only)" }),
  points_rejected: Count,
  rejected: Schema.Record({ key: Schema.String, value: Count }).annotations({
    description: "points_rejected by reason"
  }),
  samples_received: Count.annotations({ description: "Rows of all channel groups but the points" }),
  samples_stored: Count,
  samples_dropped: Count,
  samples_rejected: Count,
  samples_missing: Count,
  samples_not_finite: Count.annotations({
    description: "Values of samples that were no finite number, and are absent"
  }),
  messages_refused: Count.annotations({ description: "Messages that broke their shape" }),
  sessions_refused: Count.annotations({
    description:
      "Sessions beyond 5 a second, which are not begun (datagrams only; others are read more slowly)"
  }),
  laps_refused: Count.annotations({
    description: "Laps beyond 100 a second, which are not kept (datagrams only; others are read more slowly)"
  }),
  foreign_sender: Count.annotations({
    description:
      "Datagrams of the simulator's kind that came from another address or port than the one that is heard (datagrams only)"
  }),
  foreign_senders: Schema.Array(Schema.String).annotations({
    description: "The first of those who sent them, address and port"
  }),
  gaps: Count.annotations({ description: "Jumps in the feed's sequence" }),
  points_missing: Count.annotations({ description: "Points that those jumps skipped" }),
  last_telemetry: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ConnectionStatus" })

export type ConnectionStatus = typeof ConnectionStatus.Type
