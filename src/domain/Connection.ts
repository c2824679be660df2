import { Schema } from "effect"
import { expecting, shown } from "./messages.ts"
import { Host, Name, Port } from "./Configuration.ts"
import { DateTime } from "./DateTime.ts"
import type { Address } from "./errors.ts"
import { Id } from "./Id.ts"

export const MAX_FORWARDS = 8

/** Identifies an address. The host's case does not matter. */
export const addressKey = ({ host, port }: Address): string => `${host.toLowerCase()} ${port}`

/** A port, as text. */
const PORT = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
/** `HOST:PORT`, with an IPv6 address in brackets, as in URLs. */
const HOST_AND_PORT = String.raw`(?:\[([A-Fa-f0-9:.%]{2,60})\]|([A-Za-z0-9._-]{1,253})):(${PORT})`
const hostAndPort = new RegExp(`^${HOST_AND_PORT}$`)

/** The address in the text; undefined if the text is not an address. */
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
  // This message does not apply to an element that is not an address, which has a sentence of its own.
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
      "The simulator whose protocol to use. If omitted, the port decides; if no simulator uses the port, it is `native`"
  }),
  sessionId: Schema.optional(Id).annotations({
    description: "An existing session to record into"
  }),
  circuit: Schema.optional(Name).annotations({
    description: "Used if the simulator does not send the circuit; likewise `vehicle` and `driver`"
  }),
  vehicle: Schema.optional(Name),
  driver: Schema.optional(Name),
  forward: Schema.optional(Forward).annotations({
    description:
      "Addresses (`HOST:PORT`) to which the service forwards each datagram of the simulator, unchanged, for other programs such as SimHub. Only for simulators that send over UDP"
  })
}

/** The target of a connect, and its options. */
export type ConnectRequest = Schema.Struct.Type<typeof connectFields> & {
  /** Further options for the simulator's driver, by the names that it declares (simulators/driverOptions.ts). */
  readonly options: Readonly<Record<string, unknown>>
}

/** The same as the catalog keeps it. */
export const StoredConnectRequest = Schema.Struct({
  ...connectFields,
  options: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** A connection that the service keeps until a client ends it, also over restarts. */
export interface KeptConnection {
  readonly request: ConnectRequest
  /** Whether the service is to be connected. */
  readonly enabled: boolean
  /** The run of the service in which a client last asked for it (platform/processes.ts). */
  readonly run: string
  /** Whether no other node may keep this address. */
  readonly onlyHere?: boolean
}

/** The wish to turn a kept connection on or off. */
export interface EnableConnection extends Address {
  readonly enabled: boolean
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

/** A kept connection in answers: without the options for drivers, among which are passwords. */
export const ListedConnection = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  appName: Schema.String,
  simulator: Schema.NullOr(Schema.String).annotations({
    description: "The simulator that the client named; null if the port decides"
  }),
  enabled: Schema.Boolean.annotations({
    description: "Whether the service is to be connected. It opens enabled connections again when it starts"
  }),
  state: Schema.Literal("off", ...ConnectionState.literals)
}).annotations({ identifier: "ListedConnection" })
export type ListedConnection = typeof ListedConnection.Type

const Count = Schema.Int.pipe(Schema.nonNegative())

/** A fault in a simulator's data, in words for the person who wrote its feed. */
export const FeedNotice = Schema.Struct({
  reason: Schema.String,
  count: Count
}).annotations({ identifier: "FeedNotice" })
export type FeedNotice = typeof FeedNotice.Type

/** One connection, and the counts of its points: received = stored + dropped + rejected + dead + those still on their way. */
export const ConnectionStatus = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  appName: Schema.String,
  simulator: Schema.String,
  state: ConnectionState,
  sessionId: Schema.NullOr(Schema.Int),
  pointsReceived: Count,
  pointsStored: Count.annotations({ description: "Points that the store has acknowledged as durable" }),
  pointsDropped: Count.annotations({
    description: "Points lost because the intake was full (datagrams only)"
  }),
  pointsRejected: Count,
  pointsDead: Count.annotations({
    description:
      "Points that the store refused to keep, for a reason that a retry would not change; the log has it"
  }),
  rejected: Schema.Record({ key: Schema.String, value: Count }).annotations({
    description: "points_rejected by reason"
  }),
  samplesReceived: Count.annotations({ description: "Rows of all channel groups except the points" }),
  samplesStored: Count,
  samplesDropped: Count,
  samplesRejected: Count,
  samplesDead: Count,
  samplesMissing: Count,
  samplesNotFinite: Count.annotations({
    description:
      "Values of samples that were not finite numbers, or too large for their unit; they are stored as absent"
  }),
  messagesRefused: Count.annotations({
    description: "Messages that violate the protocol, in full or in part"
  }),
  notices: Schema.Array(FeedNotice).annotations({
    description: "Problems with the simulator's messages, and how often each occurred; the first 16"
  }),
  sessionsRefused: Count.annotations({
    description:
      "Sessions beyond 5 a second, which the service does not begin (datagrams only; it reads other feeds more slowly)"
  }),
  lapsRefused: Count.annotations({
    description:
      "Laps beyond 100 a second, which the service does not keep (datagrams only; it reads other feeds more slowly)"
  }),
  foreignSender: Count.annotations({
    description:
      "Datagrams of this simulator's protocol that came from another address or port than those of the connected simulator (datagrams only)"
  }),
  foreignSenders: Schema.Array(Schema.String).annotations({
    description: "Address and port of the first senders of those datagrams"
  }),
  forwarded: Count.annotations({
    description: "Datagrams forwarded to the addresses of `forward`, counted once for each address"
  }),
  notForwarded: Count.annotations({
    description: "Datagrams that the operating system did not accept for forwarding"
  }),
  gaps: Count.annotations({ description: "Jumps in the sequence numbers of the feed" }),
  pointsMissing: Count.annotations({ description: "Points that those jumps skipped" }),
  datagramsUnknown: Count.annotations({
    description:
      "Datagrams that arrived while the connection waits for its simulator, and are not the simulator's (datagrams only)"
  }),
  lastTelemetry: Schema.NullOr(DateTime)
}).annotations({ identifier: "ConnectionStatus" })

export type ConnectionStatus = typeof ConnectionStatus.Type
