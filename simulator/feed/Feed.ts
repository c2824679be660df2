/** What is said on a native feed, apart from how it gets there: the port between feeds and their server. */
import { Data, type Effect } from "effect"

/** A reader that has said hello. */
export interface FeedClient {
  /** Who it says it is. */
  readonly appName: string
  /** The rate that it asks for, Hz. */
  readonly rate: number | undefined
  /** Whether it reads groups of channels beside points: who does not is sent none. */
  readonly groups: boolean
  /** Sends a message: text, or bytes that nobody changes afterwards. False: wait for `drained` before the next. */
  readonly offer: (message: string | Uint8Array) => boolean
  /** Ends when the client has taken most of what it was sent. */
  readonly drained: Effect.Effect<void>
}

/** The feed cannot go on; the connection is closed and the reason reported. */
export class FeedBroken extends Data.TaggedError("FeedBroken")<{ readonly reason: string }> {}

export interface Feed {
  /** Speaks to one client from the session message on. Never ends: a feed with nothing left to say waits. */
  readonly serve: (client: FeedClient) => Effect.Effect<never, FeedBroken>
}
