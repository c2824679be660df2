/** A worker's side of the relay: the primary's connections, asked from here; the primary's live points, shown here. */
import cluster from "node:cluster"
import { Context, Deferred, Effect, Layer } from "effect"
import type { Connected } from "../domain/Connection.ts"
import { type ConnectError, StoreUnavailable } from "../domain/errors.ts"
import { PointBatch } from "../domain/PointBatch.ts"
import { LiveHub } from "../live/LiveHub.ts"
import { LiveRate } from "../live/LiveRate.ts"
import type { Family } from "../observability/prometheus.ts"
import { RecordingCounts } from "../observability/RecordingCounts.ts"
import type { KnownSimulator } from "../simulators/Driver.ts"
import { Simulators, type SimulatorsStatus } from "../simulators/Simulators.ts"
import { decodeExit, type Question, type ToPrimary, type ToWorker } from "./messages.ts"

const tell = (message: ToPrimary) => Effect.sync(() => void process.send?.(message))

/** Without the primary nothing is recorded, and nobody would end this process. */
const orphaned = () => void process.kill(process.pid, "SIGTERM")

const unavailable = (cause: unknown) => new StoreUnavailable({ store: "recording", cause })

export class Primary extends Context.Tag("relay/Primary")<
  Primary,
  { readonly ask: (question: Question) => Effect.Effect<unknown, ConnectError> }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const hub = yield* LiveHub
      const waiting = new Map<number, Deferred.Deferred<unknown, ConnectError>>()
      let asked = 0

      const receive = (message: ToWorker) => {
        switch (message.type) {
          case "points":
            return hub.publish(message.sessionId, new PointBatch(message.length, message.data))
          case "event":
            return hub.announce(message.event)
          case "rate":
            return hub.setRate(message.hz)
          case "answer": {
            const reply = waiting.get(message.id)
            if (reply !== undefined) Deferred.unsafeDone(reply, decodeExit(message.answer))
          }
        }
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("message", receive).once("disconnect", orphaned)),
        () => Effect.sync(() => process.off("message", receive).off("disconnect", orphaned))
      )

      return {
        ask: (question) =>
          Effect.acquireUseRelease(
            Effect.gen(function* () {
              const id = ++asked
              const reply = yield* Deferred.make<unknown, ConnectError>()
              waiting.set(id, reply)
              return { id, reply }
            }),
            ({ id, reply }) => Effect.zipRight(tell({ type: "ask", id, question }), Deferred.await(reply)),
            ({ id }) => Effect.sync(() => waiting.delete(id))
          )
      }
    })
  )

  /** The primary's connections. The answers have the types that the same call has there. */
  static readonly simulators = Layer.effect(
    Simulators,
    Effect.map(Primary, ({ ask }) => ({
      connect: (request) => Effect.map(ask({ kind: "connect", request }), (answer) => answer as Connected),
      disconnect: (address) =>
        ask({ kind: "disconnect", address }).pipe(
          Effect.map((answer) => answer as number),
          Effect.mapError(unavailable)
        ),
      status: ask({ kind: "status" }).pipe(
        Effect.map((answer) => answer as SimulatorsStatus),
        Effect.mapError(unavailable)
      ),
      known: ask({ kind: "known" }).pipe(
        Effect.map((answer) => answer as ReadonlyArray<KnownSimulator>),
        Effect.mapError(unavailable)
      )
    }))
  )

  /** What the primary counts; what this process counts besides is told apart by its number. */
  static readonly counts = Layer.effect(
    RecordingCounts,
    Effect.map(Primary, ({ ask }) => ({
      families: Effect.map(
        Effect.orDie(ask({ kind: "counts" })),
        (answer) => answer as ReadonlyArray<Family>
      ),
      worker: cluster.worker?.id
    }))
  )

  static readonly rate = Layer.succeed(LiveRate, { set: (hz) => tell({ type: "rate", hz }) })
}
