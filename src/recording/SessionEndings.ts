import { Context, Effect, Fiber, Layer, Mailbox, Stream } from "effect"

/** Who is told that a session has ended and is stored whole. */
export class SessionEndings extends Context.Tag("recording/SessionEndings")<
  SessionEndings,
  { readonly ended: (sessionId: number) => Effect.Effect<void> }
>() {
  /** Nobody is. */
  static readonly ignored = Layer.succeed(this, { ended: () => Effect.void })

  /**
   * Does `afterwards` for each session that ends, one after another, beside the recording and never in its way. When
   * the service stops, it is still done for the sessions that ended with it.
   */
  static readonly layer = <R>(afterwards: (sessionId: number) => Effect.Effect<void, never, R>) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const ended = yield* Mailbox.make<number>()
        const working = yield* Effect.forkDaemon(Stream.runForEach(Mailbox.toStream(ended), afterwards))
        yield* Effect.addFinalizer(() => Effect.zipRight(ended.end, Fiber.await(working)))
        return { ended: (sessionId) => Effect.asVoid(ended.offer(sessionId)) }
      })
    )
}
