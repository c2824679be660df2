import type { LiveEvent } from "./messages.ts"
import type { Parcel } from "./Parcel.ts"

/** What a client asked for. */
export interface Wish {
  /** Only this session; undefined is all. */
  readonly sessionId: number | undefined
  /** Hz; undefined is as much as the configuration allows. */
  readonly rate: number | undefined
  readonly events: ReadonlySet<LiveEvent["type"]>
  /** Each telemetry message says which of the session's points it is, and how many before it were left out on purpose. */
  readonly numbered?: boolean
  /** The number of the last point that the client has: what came since is sent first. */
  readonly since?: number | undefined
}

/** An event as every listener gets it: with exactly the fields of its schema, and as a WebSocket's frame. */
export interface Announcement {
  readonly event: LiveEvent
  readonly frame: Buffer
}

/**
 * Who is told what the hub publishes. Each call returns at once, whatever becomes of the message, and costs a
 * bounded amount of memory.
 */
export interface Listener {
  readonly wish: Wish
  readonly send: (parcel: Parcel) => void
  readonly sendEvent: (announcement: Announcement) => void
  /** The hub is going away. */
  readonly dismiss: () => void
}

export const wants = ({ events, sessionId }: Wish, event: LiveEvent): boolean =>
  events.has(event.type) && (sessionId === undefined || sessionId === event.session_id)
