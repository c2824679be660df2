import { Context, Duration, Effect, Layer } from "effect"
import * as PendingSessions from "../../store/PendingSessions.ts"

/** Receives the sessions that have ended and are stored completely. */
export class SessionEndings extends Context.Tag("recording/SessionEndings")<
  SessionEndings,
  { readonly ended: (sessionId: number) => Effect.Effect<void> }
>() {
  /** Ignores all endings. */
  static readonly ignored = Layer.succeed(this, { ended: () => Effect.void })

  /**
   * Runs `afterwards` for each session that ends, one after another, in the background of the recording. When the service
   * stops, it still runs for the sessions that ended with it.
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
