/**
 * Writes a session that has ended to the exports folder, where the configuration says so.
 *
 * Until it is whole a file is called `session-ID.part`. Where a store goes away meanwhile, that stays, empty or half, and
 * says that the session is owed: it is tried again until the store is back, by the next start of the service if need be.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Cause, Context, Effect, Layer, Stream } from "effect"
import { Archive } from "../archive/Archive.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import { Catalog } from "../store/Catalog.ts"
import { sessionFile } from "./files.ts"

const AGAIN_AFTER = "5 seconds"

const unfinishedName = (sessionId: number) => `session-${sessionId}.part`

/** The session that is owed by the file of this name, if any. */
const owedBy = (name: string): ReadonlyArray<number> => {
  const id = /^session-(\d+)\.part$/.exec(name)?.[1]
  return id === undefined ? [] : [Number(id)]
}

const make = Effect.fnUntraced(function* (folder: string) {
  const context = yield* Effect.context<Archive | Catalog | FileSystem.FileSystem | Path.Path>()
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const catalog = yield* Catalog
  const unfinished = (sessionId: number) => path.join(folder, unfinishedName(sessionId))
  const makeFolder = fs.makeDirectory(folder, { recursive: true })

  const left = Effect.gen(function* () {
    return (yield* fs.exists(folder)) ? (yield* fs.readDirectory(folder)).flatMap(owedBy) : []
  })
  const owed = new Set(
    yield* Effect.catchAll(left, (error) =>
      Effect.as(Effect.logWarning(`Could not look for unfinished exports in ${folder}`, error), [])
    )
  )
  const some = yield* Effect.makeLatch(owed.size > 0)
  // A session may end again while it is tried again.
  const turn = yield* Effect.makeSemaphore(1)

  const write = Effect.fn("AutoExport.write")(function* (sessionId: number) {
    const { auto_export, export_format } = yield* catalog.configuration
    if (!auto_export) return yield* fs.remove(unfinished(sessionId), { force: true })
    const file = yield* sessionFile(sessionId, export_format)
    yield* makeFolder
    const target = path.join(folder, file.name)
    yield* Stream.run(file.text, fs.sink(unfinished(sessionId)))
    yield* fs.rename(unfinished(sessionId), target)
    yield* Effect.logInfo(`Exported session ${sessionId} to ${target}`)
  })

  const owe = Effect.fnUntraced(function* (sessionId: number, { cause, store }: StoreUnavailable) {
    if (!owed.has(sessionId)) {
      yield* makeFolder
      yield* fs.writeFileString(unfinished(sessionId), "")
      yield* Effect.logWarning(
        `The ${store} store is away: session ${sessionId} is exported when it is back`,
        Cause.fail(cause)
      )
    }
    owed.add(sessionId)
    some.unsafeOpen()
  })

  const exported = (sessionId: number) =>
    write(sessionId).pipe(
      Effect.andThen(() => void owed.delete(sessionId)),
      Effect.catchTag("StoreUnavailable", (failure) => owe(sessionId, failure)),
      Effect.catchAllCause((cause) => {
        owed.delete(sessionId)
        return Effect.logError(`Could not export session ${sessionId}`, cause).pipe(
          Effect.zipRight(Effect.ignore(fs.remove(unfinished(sessionId), { force: true })))
        )
      }),
      Effect.provide(context),
      turn.withPermits(1)
    )

  const exportOwed = Effect.gen(function* () {
    yield* some.await
    for (const sessionId of owed) yield* exported(sessionId)
    if (owed.size === 0) some.unsafeClose()
  })
  yield* exportOwed.pipe(Effect.zipRight(Effect.sleep(AGAIN_AFTER)), Effect.forever, Effect.forkScoped)

  return { ended: exported }
})

export class AutoExport extends Context.Tag("export/AutoExport")<
  AutoExport,
  {
    /** Returns when the session's file is there, or not to be had now. */
    readonly ended: (sessionId: number) => Effect.Effect<void>
  }
>() {
  /** `folder`: where the files go; a file appears there under its name only when it is complete. */
  static readonly layer = (folder: string) => Layer.scoped(this, make(folder))
}
