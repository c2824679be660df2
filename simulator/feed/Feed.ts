/** The contents of a native feed, apart from its transport: the port between feeds and their server. */
import { Data, type Effect } from "effect"

/** A reader that has sent its hello. */
export interface FeedClient {
  /** The name from its hello. */
  readonly appName: string
  /** The rate that it requests, Hz. */
  readonly rate: number | undefined
  /** Whether it reads groups of channels in addition to points; otherwise it is sent none. */
  readonly groups: boolean
  /** Sends a message: text, or bytes that must not change afterwards. False: wait for `drained` before the next. */
  readonly offer: (message: string | Uint8Array) => boolean
  /** Ends when the client has taken most of the sent bytes. */
  readonly drained: Effect.Effect<void>
}

/** The feed cannot go on; the connection is closed and the reason logged. */
export class FeedBroken extends Data.TaggedError("FeedBroken")<{ readonly reason: string }> {}

export interface Feed {
  /** Sends to one client, from the session message on. Never ends: a feed without further messages waits. */
  readonly serve: (client: FeedClient) => Effect.Effect<never, FeedBroken>
}
