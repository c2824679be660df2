/**
 * The imports of uploaded files, in the process that records.
 *
 * Responsibilities: read the files that are here, the oldest first, `atOnce` at a time; go on after a restart; remove files
 * that are not needed any more. Commands are carried out one after another (carryOut.ts), except that a running import ends
 * beside them.
 *
 * Guarantees: a file whose upload was acknowledged is read, or its import says why not. The same bytes are not read twice
 * at a time. A file is removed when it was read.
 *
 * Hard cases: a MoTeC log has its laps in a second file, which may arrive later: it waits until its batch has been quiet for
 * some seconds. If the stores are away at the start, the queue begins when they are back.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { askingStore } from "../platform/retryPolicies.ts"
import { FileImports } from "../store/FileImports.ts"
import { carryOut } from "./carryOut.ts"
import { companionOf, LDX } from "./companions.ts"
import type { ChangeImports } from "./ImportCommands.ts"
import { type Job, QueueState } from "./queueState.ts"
import { removeBroken } from "./removeBroken.ts"
import { UploadFolder } from "./uploads/UploadFolder.ts"

/** An upload that broke, and a file that belongs to another one, are kept this long. */
const KEPT_MS = 24 * 3600_000

/** What cuts the laps of a session anew. */
type Recording = Effect.Effect.Context<ReturnType<(typeof import("./cutAnew.ts"))["cutAnew"]>>

export interface ImportQueueOptions {
  readonly atOnce: number
  /** Is told the number of each import that has changed. */
  readonly changed: (importId: number) => void
}

const makeQueue = Effect.fnUntraced(function* ({ atOnce, changed }: ImportQueueOptions) {
  const folder = yield* UploadFolder
  const store = yield* FileImports
  const scope = yield* Effect.scope
  const imports: FileImports["Type"] = {
    ...store,
    changeImport: (id, change) =>
      Effect.tap(store.changeImport(id, change), () => Effect.sync(() => changed(id)))
  }
  const state = new QueueState()
  const wake = yield* Effect.makeLatch(false)
  const turn = yield* Effect.makeSemaphore(1)
  const recording = yield* Effect.context<Recording>()
  const cutAnew = Effect.fnUntraced(function* (importId: number, path: string) {
    const cutting = yield* Effect.promise(() => import("./cutAnew.ts"))
    return yield* Effect.provideService(cutting.cutAnew(importId, path), FileImports, imports).pipe(
      Effect.provide(recording)
    )
  })
  const change = carryOut({ state, imports, folder, wake: wake.open, changed, cutAnew })
  const removeFile = (id: number) => (folder.keeps ? Effect.void : folder.remove(id))

  const read = Effect.fnUntraced(function* (job: Job, isCancelled: () => boolean) {
    const { runImport } = yield* Effect.promise(() => import("./runImport.ts"))
    const companion = yield* companionOf(job)
    const { format, id, name, options } = job
    const path = folder.pathOf(id)
    const siblings = companion === undefined ? {} : { [LDX.ending]: folder.pathOf(companion) }
    const done = yield* runImport(
      { id, name, format, path, siblings, modified: options.modified, options },
      isCancelled
    ).pipe(Effect.provideService(FileImports, imports))
    yield* removeFile(id)
    if (companion !== undefined && done.state !== "failed") yield* removeFile(companion)
  })

  const begin = Effect.fnUntraced(function* (job: Job) {
    let isCancelled = false
    const ended = Effect.zipRight(
      Effect.sync(() => state.running.delete(job.id)),
      wake.open
    )
    const fiber = yield* read(job, () => isCancelled).pipe(
      Effect.catchAllCause((cause) => Effect.logError(`The import of ${job.name} failed`, cause)),
      Effect.ensuring(ended),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
    state.running.set(job.id, { job, fiber, cancel: () => (isCancelled = true) })
  })

  /** Begins what may begin. Succeeds with the time after which more may, ms; undefined if nothing waits for a time. */
  const beginNext = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let soonest: number | undefined
    for (const job of state.waiting.slice()) {
      if (state.running.size >= atOnce) return undefined
      const wait = state.waitOf(job, now)
      if (wait > 0) soonest = Math.min(soonest ?? wait, wait)
      else if (state.withdraw(job.id)) yield* begin(job)
    }
    return soonest
  })

  const reading = Effect.gen(function* () {
    yield* wake.close
    const soonest = yield* turn.withPermits(1)(beginNext)
    yield* soonest === undefined ? wake.await : Effect.timeoutOption(wake.await, `${soonest} millis`)
  }).pipe(Effect.forever)

  const sweep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { changed: at, id } of yield* folder.files) {
      const isNeeded = state.running.has(id) || state.waiting.some((job) => job.id === id)
      if (isNeeded || now - at < KEPT_MS) continue
      if (state.uploading.has(id)) yield* change({ type: "drop", id })
      else yield* removeFile(id)
    }
  }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("Old uploads could not be removed", cause)))

  /** What was there before the start: half imports are removed, and begin again. */
  const load = Effect.gen(function* () {
    yield* removeBroken(folder.has)
    for (const { batch, format, id, name, options, sha256, state: was } of yield* imports.unfinishedImports) {
      if (was === "uploading") state.uploading.set(id, { batch, options })
      else state.waiting.push({ id, name, batch, sha256, format, options })
    }
  })

  let isReady = false
  const work = Effect.gen(function* () {
    isReady = true
    yield* Effect.forkIn(Effect.repeat(turn.withPermits(1)(sweep), Schedule.spaced("1 hour")), scope)
    yield* Effect.forkIn(reading, scope)
  })
  const later = Effect.zipRight(Effect.retry(Effect.sandbox(load), askingStore), work)
  yield* Effect.catchAllCause(Effect.zipRight(load, work), (cause) =>
    Effect.zipRight(
      Effect.logWarning("Imports go on when the stores are back", cause),
      Effect.forkIn(later, scope)
    )
  )

  return {
    change: (command) =>
      Effect.suspend(() => {
        if (!isReady) return new StoreUnavailable({ store: "catalog", cause: "imports are not loaded yet" })
        // To end an import takes as long as to remove what it stored.
        const isEnding = command.type === "remove" && state.running.has(command.id)
        return isEnding ? change(command) : turn.withPermits(1)(change(command))
      })
  } satisfies { readonly change: ChangeImports }
})

export class ImportQueue extends Context.Tag("imports/ImportQueue")<
  ImportQueue,
  { readonly change: ChangeImports }
>() {
  static readonly layer = (options: ImportQueueOptions) => Layer.scoped(this, makeQueue(options))
}
