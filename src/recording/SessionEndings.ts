import { Context, Effect, Layer } from "effect"

/** Who wants to know that a session has ended and is stored whole: the automatic export. */
export class SessionEndings extends Context.Tag("recording/SessionEndings")<
  SessionEndings,
  { readonly ended: (sessionId: number) => Effect.Effect<void> }
>() {
  /** Nobody does. */
  static readonly ignored = Layer.succeed(this, { ended: () => Effect.void })
}
