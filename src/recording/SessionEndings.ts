import { Context, Duration, Effect, Layer } from "effect"
import * as PendingSessions from "../store/PendingSessions.ts"

/** Is told that a session has ended and is stored whole. */
export class SessionEndings extends Context.Tag("recording/SessionEndings")<
  SessionEndings,
  { readonly ended: (sessionId: number) => Effect.Effect<void> }
>() {
  /** Tells no one. */
  static readonly ignored = Layer.succeed(this, { ended: () => Effect.void })

  /**
   * Does `afterwards` for each session that ends, one after another, beside the recording and never in its way. When
   * the service stops, it is still done for the sessions that ended with it.
   */
  static readonly layer = <R>(afterwards: (sessionId: number) => Effect.Effect<void, never, R>) =>
    Layer.scoped(
      this,
      Effect.map(
        PendingSessions.make({
          leftBefore: Effect.succeed([]),
          run: afterwards,
          onBehind: () => Effect.void,
          endsWithin: Duration.infinity
        }),
        ({ add }) => ({ ended: add })
      )
    )
}
