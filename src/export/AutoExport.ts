/**
 * Writes each session to the exports folder when it ends, where the configuration says so.
 *
 * One file at a time, beside the recording, never in its way. A file appears under its name only when it is
 * complete. When the service stops, the sessions that ended with it are still written.
 */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Fiber, Layer, Mailbox, Stream } from "effect"
import { Archive } from "../archive/Archive.ts"
import { SessionEndings } from "../recording/SessionEndings.ts"
import { Catalog } from "../store/Catalog.ts"
import { sessionFile } from "./files.ts"

const writeSession = Effect.fn("AutoExport.writeSession")(function* (folder: string, sessionId: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { auto_export, export_format } = yield* (yield* Catalog).configuration
  if (!auto_export) return
  const file = yield* sessionFile(sessionId, export_format)
  yield* fs.makeDirectory(folder, { recursive: true })
  const target = path.join(folder, file.name)
  const unfinished = `${target}.part`
  yield* file.text.pipe(
    Stream.encodeText,
    Stream.run(fs.sink(unfinished)),
    Effect.zipRight(fs.rename(unfinished, target)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished)))
  )
  yield* Effect.logInfo(`Exported session ${sessionId} to ${target}`)
})

/** `folder`: where the files go. */
export const layer = (folder: string) =>
  Layer.scoped(
    SessionEndings,
    Effect.gen(function* () {
      const ended = yield* Mailbox.make<number>()
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | Catalog | Archive>()
      const writing = yield* Mailbox.toStream(ended).pipe(
        Stream.runForEach((sessionId) =>
          writeSession(folder, sessionId).pipe(
            Effect.catchAllCause((cause) => Effect.logError(`Could not export session ${sessionId}`, cause))
          )
        ),
        Effect.provide(context),
        Effect.forkDaemon
      )
      yield* Effect.addFinalizer(() => Effect.zipRight(ended.end, Fiber.await(writing)))
      return { ended: (sessionId) => Effect.asVoid(ended.offer(sessionId)) }
    })
  )
