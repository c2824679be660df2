/**
 * Writes a session that has ended to the exports folder, where the configuration asks for it.
 *
 * Until a file is complete its name is `session-ID.part`. If a store fails meanwhile, that file stays, empty or half
 * written, and marks the session's export as pending: the service tries again until the store is back, also after its
 * next start.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Cause, Context, Duration, Effect, Layer, Option, Stream } from "effect"
import { betweenCommas } from "../domain/channelPattern.ts"
import { StoreUnavailable, TooManyAnswers } from "../domain/errors.ts"
import { Configurations } from "../store/Configurations.ts"
import { Deletions } from "../store/Deletions.ts"
import * as PendingSessions from "../store/PendingSessions.ts"
import { sessionFile } from "./files.ts"

const unfinishedName = (sessionId: number) => `session-${sessionId}.part`

/** The session of which the file of this name is an export, or marks one as pending. */
const exportedBy = (name: string): number | undefined => {
  const id = /^session-(\d{1,15})\.[a-z]+$/.exec(name)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The session whose export the file of this name marks as pending, if any. */
const pendingBy = (name: string): ReadonlyArray<number> => {
  const id = /^session-(\d+)\.part$/.exec(name)?.[1]
  return id === undefined ? [] : [Number(id)]
}

const make = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { configuration } = yield* Configurations
  const { removedForRoom } = yield* Deletions
  const unfinished = (sessionId: number) => path.join(folder, unfinishedName(sessionId))
  const makeFolder = fs.makeDirectory(folder, { recursive: true })

  // Read now, before exports that are under way have files.
  const left = yield* Effect.gen(function* () {
    return (yield* fs.exists(folder)) ? (yield* fs.readDirectory(folder)).flatMap(pendingBy) : []
  }).pipe(
    Effect.catchAll((error) =>
      Effect.as(Effect.logWarning(`Could not look for unfinished exports in ${folder}`, error), [])
    )
  )

  const write = Effect.fn("AutoExport.write")(function* (sessionId: number) {
    const { autoExport, exportChannels, exportFormat } = yield* configuration
    if (!autoExport) return yield* fs.remove(unfinished(sessionId), { force: true })
    const channels = betweenCommas(exportChannels)
    const file = yield* sessionFile(sessionId, exportFormat, { channels, lacking: "left out" })
    yield* makeFolder
    const target = path.join(folder, file.name)
    yield* Effect.retry(Stream.run(file.text, fs.sink(unfinished(sessionId))), {
      while: (error) => error instanceof TooManyAnswers
    })
    yield* fs.rename(unfinished(sessionId), target)
    yield* Effect.logInfo(`Exported session ${sessionId} to ${target}`)
  })

  /** The file that marks the export as pending over a restart. */
  const postpone = Effect.fnUntraced(function* (sessionId: number, { cause, store }: StoreUnavailable) {
    yield* makeFolder
    yield* fs.writeFileString(unfinished(sessionId), "")
    yield* Effect.logWarning(
      `The ${store} store is away: session ${sessionId} is exported when it is back`,
      Cause.fail(cause)
    )
  })

  const giveUp = (sessionId: number, cause: Cause.Cause<unknown>) =>
    Effect.logError(`Could not export session ${sessionId}`, cause).pipe(
      Effect.zipRight(Effect.ignore(fs.remove(unfinished(sessionId), { force: true })))
    )

  const { doNow } = yield* PendingSessions.make({
    leftBefore: Effect.succeed(left),
    run: (sessionId, isRetry) =>
      write(sessionId).pipe(
        Effect.tapErrorTag("StoreUnavailable", (failure) =>
          isRetry ? Effect.void : postpone(sessionId, failure)
        ),
        Effect.catchAllCause((cause) => {
          const failure = Option.getOrUndefined(Cause.failureOption(cause))
          return failure instanceof StoreUnavailable ? failure : giveUp(sessionId, cause)
        })
      ),
    onBehind: () => Effect.void,
    // A pending export then has its file.
    endsWithin: Duration.zero
  })

  const names = Effect.gen(function* () {
    return (yield* fs.exists(folder)) ? yield* fs.readDirectory(folder) : []
  })

  const removed = Effect.fn("AutoExport.removed")(
    function* (sessionIds: ReadonlyArray<number>) {
      for (const name of yield* names) {
        const id = exportedBy(name)
        if (id !== undefined && sessionIds.includes(id))
          yield* fs.remove(path.join(folder, name), { force: true })
      }
    },
    (removing, sessionIds) =>
      Effect.catchAll(removing, (error) =>
        Effect.logWarning(
          `Could not remove the exports of sessions ${sessionIds.join(", ")} from ${folder}`,
          error
        )
      )
  )

  const tidy = Effect.gen(function* () {
    const exported = (yield* names).flatMap((name) => exportedBy(name) ?? [])
    const gone = yield* removedForRoom([...new Set(exported)])
    if (gone.length > 0) yield* removed(gone)
  })

  return { ended: doNow, removed: (sessionId: number) => removed([sessionId]), tidy }
})

export class AutoExport extends Context.Tag("export/AutoExport")<
  AutoExport,
  {
    /** Returns when the session's file is complete, or cannot be written now. */
    readonly ended: (sessionId: number) => Effect.Effect<void>
    /** Removes the session's files. */
    readonly removed: (sessionId: number) => Effect.Effect<void>
    /** Removes the files of all sessions that were removed to make room, by whichever node. */
    readonly tidy: Effect.Effect<void, StoreUnavailable | PlatformError>
  }
>() {
  /** `folder`: where the files go. A file appears there under its own name only when it is complete. */
  static readonly layer = (folder: string) => Layer.scoped(this, make(folder))
}
