import type { ChannelSelection } from "../channels/ChannelSelection.ts"
import { textFrame } from "./frames.ts"
import { type EventMessage, eventMessage, type LiveEvent } from "./messages.ts"
import type { MessageBatch } from "./MessageBatch.ts"

/** The options of a client's subscription. */
export interface SubscriptionOptions {
  /** Only this session; undefined means all. */
  readonly sessionId: number | undefined
  /** Hz; undefined means as much as the configuration allows. */
  readonly rate: number | undefined
  readonly events: ReadonlySet<LiveEvent["type"]>
  /** Each telemetry message has its point's number in the session, and how many points before it were left out on purpose. */
  readonly numbered?: boolean
  /** Whether the client gets a message with each ping: a browser does not show pings to a page. */
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

export const encodedEvent = (of: LiveEvent): EncodedEvent => {
  const event = eventMessage(of)
  return { event, frame: textFrame(JSON.stringify(event)) }
}

/**
 * A client of the hub. Each call returns immediately, whatever happens to the message, and costs a limited amount of
 * memory.
 */
export interface Subscriber {
  readonly options: SubscriptionOptions
  readonly send: (batch: MessageBatch) => void
  readonly sendEvent: (event: EncodedEvent) => void
  /**
   * Points of its session did not come here: `first` is the number of the next one, and `newest` that of the last one before;
   * undefined if none came. The store has them, or will have them.
   */
  readonly missed?: (newest: number | undefined, first: number) => void
  /** The hub is going away. */
  readonly dismiss: () => void
}

export const wants = ({ events, sessionId }: SubscriptionOptions, event: LiveEvent): boolean =>
  events.has(event.type) &&
  (sessionId === undefined || event.type === "on_air" || sessionId === event.sessionId)
