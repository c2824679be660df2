import { Schema } from "effect"
import { expecting, shown } from "./expecting.ts"
import { Host, Name, Port } from "./Configuration.ts"
import { DateTime } from "./DateTime.ts"
import type { Address } from "./errors.ts"
import { Id } from "./Id.ts"

export const MAX_FORWARDS = 8

/** A port, as text. */
const PORT = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
/** `HOST:PORT`, with an IPv6 address in brackets, as in URLs. */
const HOST_AND_PORT = String.raw`(?:\[([A-Fa-f0-9:.%]{2,60})\]|([A-Za-z0-9._-]{1,253})):(${PORT})`
const hostAndPort = new RegExp(`^${HOST_AND_PORT}$`)

/** Undefined where the text is not an address. */
export const addressIn = (text: string): Address | undefined => {
  const [, bracketed, plain, port] = hostAndPort.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined ? undefined : { host, port: Number(port) }
}

const Forward = Schema.Array(
  Schema.String.pipe(Schema.filter((text) => addressIn(text) !== undefined)).annotations({
    ...expecting("HOST:PORT, such as 127.0.0.1:20778 or [::1]:20778"),
    jsonSchema: { type: "string", pattern: `^${HOST_AND_PORT}$` }
  })
).pipe(
  // Does not apply to an element that is not an address: that has a sentence of its own.
  Schema.maxItems(MAX_FORWARDS, {
    message: ({ actual }) => `must be at most ${MAX_FORWARDS} addresses, got ${shown(actual)}`
  })
)

/** The fields that every connect has, whatever the simulator. */
export const connectFields = {
  host: Host,
  port: Port,
  appName: Name,
  simulator: Schema.optional(Name).annotations({
    description:
      "The driver; left out, it follows from the port, and is native where no driver claims the port"
  }),
  sessionId: Schema.optional(Id).annotations({
    description: "Record into this existing session"
  }),
  circuit: Schema.optional(Name).annotations({ description: "Used where the simulator does not say" }),
  vehicle: Schema.optional(Name),
  driver: Schema.optional(Name),
  forward: Schema.optional(Forward).annotations({
    description:
      "Where each datagram of the simulator is sent on to, untouched, for other programs such as SimHub: `HOST:PORT`. Of simulators that are heard over UDP"
  })
}

/** What to connect to, and how. */
export type ConnectRequest = Schema.Struct.Type<typeof connectFields> & {
  /** Further options for the simulator's driver, by the names that it declares (simulators/driverOptions.ts). */
  readonly options: Readonly<Record<string, unknown>>
}

/** A link whose handshake has succeeded. */
export interface Connected {
  readonly host: string
  readonly port: number
  readonly appName: string
  readonly simulator: string
  /** Null until the simulator reports that a session runs. */
  readonly sessionId: number | null
}

export const ConnectionState = Schema.Literal("connecting", "connected", "reconnecting")
export type ConnectionState = typeof ConnectionState.Type

const Count = Schema.Int.pipe(Schema.nonNegative())

/** One connection, and the counts of its points: received = stored + dropped + rejected + those still on their way. */
export const ConnectionStatus = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  appName: Schema.String,
  simulator: Schema.String,
  state: ConnectionState,
  sessionId: Schema.NullOr(Schema.Int),
  pointsReceived: Count,
  pointsStored: Count.annotations({ description: "Acknowledged by the store as durable" }),
  pointsDropped: Count.annotations({ description: "Lost because the intake was full (datagrams only)" }),
  pointsRejected: Count,
  rejected: Schema.Record({ key: Schema.String, value: Count }).annotations({
    description: "points_rejected by reason"
  }),
  samplesReceived: Count.annotations({ description: "Rows of all channel groups but the points" }),
  samplesStored: Count,
  samplesDropped: Count,
  samplesRejected: Count,
  samplesMissing: Count,
  samplesNotFinite: Count.annotations({
    description: "Values of samples that were no finite number, and are absent"
  }),
  messagesRefused: Count.annotations({ description: "Messages that broke their shape" }),
  sessionsRefused: Count.annotations({
    description:
      "Sessions beyond 5 a second, which are not begun (datagrams only; others are read more slowly)"
  }),
  lapsRefused: Count.annotations({
    description: "Laps beyond 100 a second, which are not kept (datagrams only; others are read more slowly)"
  }),
  foreignSender: Count.annotations({
    description:
      "Datagrams of the simulator's kind that came from another address or port than the one that is heard (datagrams only)"
  }),
  foreignSenders: Schema.Array(Schema.String).annotations({
    description: "The first of those who sent them, address and port"
  }),
  forwarded: Count.annotations({
    description: "Datagrams sent on to the addresses of `forward`, each counted once for each of them"
  }),
  notForwarded: Count.annotations({ description: "Those that the system did not take" }),
  gaps: Count.annotations({ description: "Jumps in the feed's sequence" }),
  pointsMissing: Count.annotations({ description: "Points that those jumps skipped" }),
  lastTelemetry: Schema.NullOr(DateTime)
}).annotations({ identifier: "ConnectionStatus" })

export type ConnectionStatus = typeof ConnectionStatus.Type
