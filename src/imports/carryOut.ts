/** The commands of ImportCommands, carried out on the queue and the catalog. */
import { Clock, Effect, Fiber } from "effect"
import { ImportNotFound, LapsNotCut, TooManyImports } from "../domain/errors.ts"
import { noReport } from "../domain/FileImport.ts"
import type { FileImports } from "../store/FileImports.ts"
import { LDX } from "./companions.ts"
import type { ChangeImports, ImportCommand } from "./ImportCommands.ts"
import type { QueueState } from "./queueState.ts"
import type { Uploads } from "./uploads/UploadFolder.ts"

/** Files that wait, to arrive completely or to be read. */
const MAX_WAITING = 1000

type Of<Type extends ImportCommand["type"]> = Extract<ImportCommand, { readonly type: Type }>

interface Queue {
  /** Cuts the laps of the import by the file at `path`. Succeeds with the import. */
  readonly cutAnew: (importId: number, path: string) => ReturnType<ChangeImports>
  readonly state: QueueState
  readonly imports: FileImports["Type"]
  readonly folder: Uploads
  /** Something may be begun. */
  readonly wake: Effect.Effect<unknown>
  readonly changed: (importId: number) => void
}

export const carryOut = ({ changed, cutAnew, folder, imports, state, wake }: Queue): ChangeImports => {
  const add = Effect.fnUntraced(function* ({ batch, name, options, size }: Of<"add">) {
    if (state.waiting.length + state.uploading.size >= MAX_WAITING) {
      return yield* new TooManyImports({ limit: MAX_WAITING })
    }
    const added = yield* imports.addImport({
      name,
      size,
      sha256: null,
      state: "uploading",
      options,
      ...(batch === undefined ? {} : { batch })
    })
    state.uploading.set(added.id, { batch: added.batch, options })
    changed(added.id)
    return added
  })

  const forget = Effect.fnUntraced(function* (id: number) {
    state.uploading.delete(id)
    yield* imports.removeImport(id)
    yield* folder.remove(id)
    yield* wake
    changed(id)
  })

  /** The import of the same bytes: one that is done, or one that waits or is read. */
  const same = Effect.fnUntraced(function* (sha256: string) {
    const done = yield* imports.importOf(sha256)
    if (done._tag === "Some") return done.value
    const job = state.ofBytes(sha256)
    return job === undefined ? undefined : yield* imports.fileImport(job.id)
  })

  const uploaded = Effect.fnUntraced(function* ({ format, id, sha256, size }: Of<"uploaded">) {
    const upload = state.uploading.get(id)
    if (upload === undefined) return yield* new ImportNotFound({ importId: id })
    const { batch, options } = upload
    if (options.of !== undefined) {
      if (format !== LDX.format) return yield* new LapsNotCut({ importId: options.of, because: "no .ldx" })
      const cut = yield* cutAnew(options.of, folder.pathOf(id))
      yield* forget(id)
      return cut
    }
    const now = yield* Clock.currentTimeMillis
    state.arrived(batch, now)
    const there = options.again === true ? undefined : yield* same(sha256)
    if (there !== undefined) {
      yield* forget(id)
      return there
    }
    const received = { sha256, size, report: { ...noReport, format } }
    // A file that belongs to another one is read with it.
    const isDone = format === LDX.format
    const change = isDone
      ? ({ state: "done", finished: now / 1000 } as const)
      : ({ state: "queued" } as const)
    const changedTo = yield* imports.changeImport(id, { ...received, ...change })
    state.uploading.delete(id)
    if (!isDone) state.waiting.push({ id, name: changedTo.name, batch, sha256, format, options })
    yield* wake
    return changedTo
  })

  const cancelled = Effect.fnUntraced(function* (id: number) {
    const now = yield* Clock.currentTimeMillis
    yield* folder.remove(id)
    yield* wake
    return yield* imports.changeImport(id, {
      state: "cancelled",
      finished: now / 1000,
      report: { ...noReport, detail: "It was cancelled" }
    })
  })

  const remove = Effect.fnUntraced(function* ({ id }: Of<"remove">) {
    const run = state.running.get(id)
    if (run !== undefined) {
      run.cancel()
      yield* Fiber.interrupt(run.fiber)
    }
    const found = yield* imports.fileImport(id)
    if (run !== undefined && found.finished !== null) {
      yield* folder.remove(id)
      return found
    }
    const isWaiting = state.withdraw(id)
    const isUploading = state.uploading.delete(id)
    if (run !== undefined || isWaiting || isUploading) return yield* cancelled(id)
    yield* forget(id)
    return found
  })

  const drop = Effect.fnUntraced(function* ({ id }: Of<"drop">) {
    const found = yield* imports.fileImport(id)
    if (state.uploading.has(id)) yield* forget(id)
    return found
  })

  return (command) => {
    switch (command.type) {
      case "add":
        return add(command)
      case "uploaded":
        return uploaded(command)
      case "remove":
        return remove(command)
      case "drop":
        return drop(command)
    }
  }
}
