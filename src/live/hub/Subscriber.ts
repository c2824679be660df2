import type { ChannelSelection } from "../channels/ChannelSelection.ts"
import type { EventMessage, LiveEvent } from "./messages.ts"
import type { MessageBatch } from "./MessageBatch.ts"

/** What a client subscribes to. */
export interface SubscriptionOptions {
  /** Only this session; undefined is all. */
  readonly sessionId: number | undefined
  /** Hz; undefined is as much as the configuration allows. */
  readonly rate: number | undefined
  readonly events: ReadonlySet<LiveEvent["type"]>
  /** Each telemetry message has its point's number in the session, and how many points before it were left out on purpose. */
  readonly numbered?: boolean
  /** The client is sent a message with each ping: a browser does not tell a page of pings. */
  readonly heartbeat?: boolean
  /** The number of the last point that the client has. It first gets the points since then. */
  readonly since?: number | undefined
  /** Telemetry messages have these channels beside the point. */
  readonly channels?: ChannelSelection | undefined
}

/** An event with exactly the fields of its schema, and as a WebSocket's frame; all subscribers share it. */
export interface EncodedEvent {
  readonly event: EventMessage
  readonly frame: Buffer
}

/** A client of the hub. Each call returns at once, whatever happens to the message, and costs a bounded amount of memory. */
export interface Subscriber {
  readonly options: SubscriptionOptions
  readonly send: (batch: MessageBatch) => void
  readonly sendEvent: (event: EncodedEvent) => void
  /** The hub is going away. */
  readonly dismiss: () => void
}

export const wants = ({ events, sessionId }: SubscriptionOptions, event: LiveEvent): boolean =>
  events.has(event.type) && (sessionId === undefined || sessionId === event.sessionId)
