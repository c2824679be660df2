/** A recording by the test's own simulator, which pauses in the middle for as long as the test needs. */
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { Deferred, Effect, identity, Stream } from "effect"
import { type LongReplay, MESSAGE_POINTS } from "../blackbox/longReplay.ts"
import { feedServer, type Peer } from "../simulators/native/feedServer.ts"

const SESSION_END = JSON.stringify({ type: "session_end" })

const sent = ({ socket }: Peer, message: string) =>
  Effect.async<void>((resume) => socket.send(message, () => resume(Effect.void)))

/** The replay, paused after four fifths until the test lets it go on. */
export const heldReplay = Effect.fn(function* ({ file, points }: LongReplay) {
  const { peer, port } = yield* feedServer()
  const goOn = yield* Deferred.make<void>()
  const sending = Effect.gen(function* () {
    const service = yield* peer
    let left = Math.floor((0.8 * points) / MESSAGE_POINTS)
    yield* Stream.fromAsyncIterable(createInterface({ input: createReadStream(file) }), identity).pipe(
      Stream.runForEach((line) =>
        Effect.andThen(left-- === 0 ? Deferred.await(goOn) : Effect.void, sent(service, line))
      )
    )
    yield* sent(service, SESSION_END)
  })
  yield* Effect.forkScoped(sending)
  return { address: `http://127.0.0.1:${port}`, goOn: Deferred.succeed(goOn, undefined) }
})
