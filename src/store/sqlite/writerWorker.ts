/** Entry of the writer thread: carries out requests one after another, on a connection of its own. */
import { workerData } from "node:worker_threads"
// The thread imports single modules, here and everywhere: whole packages take a third of a second longer to load.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeWorkerRunner from "@effect/platform-node/NodeWorkerRunner"
import * as WorkerRunner from "@effect/platform/WorkerRunner"
import { Cause, Duration, Effect, Layer, Option, RcRef } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { endWhenAbandoned } from "../../platform/threads/abandon.ts"
import * as BlockWriter from "./BlockWriter.ts"
import * as SqliteFile from "./SqliteFile.ts"
import { fromThread, type WriterFailure, type WriterRequest, type WriterSettings } from "./writerProtocol.ts"

const settings = workerData as WriterSettings
endWhenAbandoned(settings.abandoned)

const carryOut = (request: WriterRequest, writer: BlockWriter.BlockWriter) => {
  switch (request._tag) {
    case "Write":
      return writer.write(request.batches.map(fromThread))
    case "Seal":
      return writer.seal(request.sessionId)
    case "Remove":
      return writer.remove(request.sessionId)
    case "Reclaim":
      return writer.reclaim
  }
}

const failureOf = (cause: Cause.Cause<StoreUnavailable>): WriterFailure => ({
  reason: Cause.pretty(Cause.map(cause, ({ cause }) => cause)),
  // A defect is a bug.
  refusal: Option.match(Cause.failureOption(cause), { onSome: ({ refusal }) => refusal, onNone: () => "bug" })
})

const runner = Layer.unwrapScoped(
  Effect.gen(function* () {
    // The first request opens the file. If that fails, this request fails and the next one tries again.
    const opened = yield* RcRef.make({
      acquire: Effect.flatMap(Layer.build(SqliteFile.layer(settings.filename)), (context) =>
        Effect.provide(BlockWriter.make, context)
      ),
      idleTimeToLive: Duration.infinity
    })
    return WorkerRunner.layer((request: WriterRequest) =>
      RcRef.get(opened).pipe(
        Effect.flatMap((writer) => carryOut(request, writer)),
        Effect.scoped,
        SqliteFile.orUnavailable,
        Effect.catchAllCause((cause): Effect.Effect<void, WriterFailure> =>
          Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.fail(failureOf(cause))
        )
      )
    )
  })
)

NodeRuntime.runMain(WorkerRunner.launch(Layer.provide(runner, NodeWorkerRunner.layer)))
