/** Whether what games send is kept beside their sessions, and where. */
import { Context, Effect, Layer, Runtime, type Scope } from "effect"
import { rawFileOf } from "./rawFolder.ts"
import { RawCapture } from "./RawCapture.ts"

type Keep = (bytes: Buffer) => void

export class RawDatagrams extends Context.Reference<RawDatagrams>()("recording/RawDatagrams", {
  defaultValue: () => ({
    /**
     * Keeps the datagrams that it is called with beside the session that is being recorded; undefined if none are kept. What
     * was kept is written when the scope has ended.
     */
    capture: (_sessionId: () => number | null): Effect.Effect<Keep | undefined, never, Scope.Scope> =>
      Effect.succeed(undefined)
  })
}) {}

const NANOS = 1e9

/** `data`: the data folder. */
export const layer = (data: string) =>
  Layer.effect(
    RawDatagrams,
    Effect.gen(function* () {
      const run = Runtime.runFork(yield* Effect.runtime())
      const clock = yield* Effect.clock
      // A double has room for the nanoseconds since the begin of the process, but not since 1970.
      const [zero, first] = [clock.unsafeCurrentTimeMillis() / 1000, clock.unsafeCurrentTimeNanos()]
      const now = () => zero + Number(clock.unsafeCurrentTimeNanos() - first) / NANOS
      return {
        capture: (sessionId: () => number | null) =>
          Effect.acquireRelease(
            Effect.sync(
              () =>
                new RawCapture({
                  sessionId,
                  fileOf: (id) => rawFileOf(data, id),
                  now,
                  failed: (id, cause) =>
                    run(Effect.logWarning(`Not all raw datagrams of session ${id} are kept`, cause))
                })
            ),
            (capture) => Effect.promise(() => capture.end())
          ).pipe(
            Effect.map(
              (capture): Keep =>
                (bytes) =>
                  capture.keep(bytes)
            )
          )
      }
    })
  )
