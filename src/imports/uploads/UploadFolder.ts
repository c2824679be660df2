/**
 * The folder of uploaded files: `imports` in the data folder, in which a file's name is the number of its import. Users'
 * names are labels, and never paths. Every process of the service has the folder: those that serve write files, the one
 * that records reads them.
 */
import { existsSync, readdirSync, statSync } from "node:fs"
import { type FileHandle, open, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Layer, type Scope } from "effect"
import { StoreUnavailable, TooManyUploads, UploadElsewhere } from "../../domain/errors.ts"
import { makeFolder } from "../../platform/makeFolder.ts"
import { forgetLock, lockForWriting } from "./oneWriter.ts"

/** Uploads under way in a process. Each holds a socket, and some 64 KiB. */
const MAX_OPEN = 32

export interface Uploads {
  /** The maximum size of a file, bytes. */
  readonly max: number
  /** Whether files stay when they were imported. */
  readonly keeps: boolean
  readonly pathOf: (id: number) => string
  readonly has: (id: number) => boolean
  /** The bytes of the file that are here; 0 without a file. */
  readonly received: (id: number) => Effect.Effect<number>
  /** Every file, with the time of its last change, ms since 1970. */
  readonly files: Effect.Effect<ReadonlyArray<{ readonly id: number; readonly changed: number }>>
  /**
   * Opens the file for reading and writing, and creates it if it is missing. No other upload writes it as long as the scope, in
   * no process: `wanted` ends when one wants to.
   */
  readonly open: (
    id: number
  ) => Effect.Effect<
    { readonly handle: FileHandle; readonly wanted: Effect.Effect<unknown> },
    StoreUnavailable | UploadElsewhere,
    Scope.Scope
  >
  /** Bytes that this user may still write to the folder's disk; undefined if the system does not say. */
  readonly free: Effect.Effect<number | undefined>
  readonly remove: (id: number) => Effect.Effect<void>
  /** Counts an upload as long as the scope. */
  readonly enter: Effect.Effect<void, TooManyUploads, Scope.Scope>
}

/** The failure of the system to keep an upload. */
export const notKept = (cause: unknown) => new StoreUnavailable({ store: "upload", cause })

/** Numbers only: nothing else in the folder is ours. */
const isUpload = (file: string) => /^[1-9]\d{0,15}$/.test(file)

export class UploadFolder extends Context.Tag("imports/UploadFolder")<UploadFolder, Uploads>() {
  /** `data`: the data folder. */
  static readonly layer = (data: string, { keeps, max }: { readonly keeps: boolean; readonly max: number }) =>
    Layer.sync(this, (): Uploads => {
      const folder = join(data, "imports")
      const pathOf = (id: number) => join(folder, String(id))
      let entered = 0
      const received = (id: number) =>
        Effect.orElseSucceed(
          Effect.tryPromise(async () => (await stat(pathOf(id))).size),
          () => 0
        )
      return {
        max,
        keeps,
        pathOf,
        has: (id) => existsSync(pathOf(id)),
        received,
        files: Effect.sync(() =>
          existsSync(folder)
            ? readdirSync(folder)
                .filter(isUpload)
                .map((file) => ({ id: Number(file), changed: statSync(join(folder, file)).mtimeMs }))
            : []
        ),
        open: (id) =>
          Effect.gen(function* () {
            const path = pathOf(id)
            yield* Effect.mapError(makeFolder(folder), notKept)
            const wanted = yield* Effect.catchTag(lockForWriting(path), "StillWritten", () =>
              Effect.flatMap(received(id), (offset) => new UploadElsewhere({ offset }))
            )
            // Closing waits for what is being written.
            const handle = yield* Effect.acquireRelease(
              Effect.tryPromise({
                // "r+" does not create, "w+" empties, and "a+" ignores positions.
                try: () => open(path, existsSync(path) ? "r+" : "w+"),
                catch: notKept
              }),
              (file) => Effect.promise(() => file.close())
            )
            return { handle, wanted }
          }),
        free: Effect.orElseSucceed(
          Effect.tryPromise(async () => {
            const { bavail, bsize } = await statfs(data)
            return bavail * bsize
          }),
          () => undefined
        ),
        remove: (id) =>
          Effect.promise(async () => {
            await rm(pathOf(id), { force: true })
            forgetLock(pathOf(id))
          }),
        enter: Effect.acquireRelease(
          Effect.suspend(() => {
            if (entered >= MAX_OPEN) return new TooManyUploads({ limit: MAX_OPEN })
            entered++
            return Effect.void
          }),
          () => Effect.sync(() => entered--)
        )
      }
    })
}
