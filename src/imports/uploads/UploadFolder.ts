/**
 * The folder of uploaded files: `imports` in the data folder, in which a file's name is the number of its import. Users'
 * names are labels, and never paths. Every process of the service has the folder: those that serve write files, the one
 * that records reads them.
 */
import { existsSync, readdirSync, statSync } from "node:fs"
import { type FileHandle, open, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Layer, type Scope } from "effect"
import { StoreUnavailable, TooManyUploads } from "../../domain/errors.ts"
import { makeFolder } from "../../platform/makeFolder.ts"

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
  /** Opens the file for reading and writing, and creates it if it is missing. */
  readonly open: (id: number) => Effect.Effect<FileHandle, StoreUnavailable, Scope.Scope>
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
      return {
        max,
        keeps,
        pathOf,
        has: (id) => existsSync(pathOf(id)),
        received: (id) =>
          Effect.orElseSucceed(
            Effect.tryPromise(async () => (await stat(pathOf(id))).size),
            () => 0
          ),
        files: Effect.sync(() =>
          existsSync(folder)
            ? readdirSync(folder)
                .filter(isUpload)
                .map((file) => ({ id: Number(file), changed: statSync(join(folder, file)).mtimeMs }))
            : []
        ),
        open: (id) =>
          Effect.acquireRelease(
            Effect.zipRight(
              makeFolder(folder),
              // "r+" does not create, "w+" empties, and "a+" ignores positions.
              Effect.tryPromise(async () => {
                const path = pathOf(id)
                return open(path, existsSync(path) ? "r+" : "w+")
              })
            ).pipe(Effect.mapError(notKept)),
            (handle) => Effect.promise(() => handle.close())
          ),
        free: Effect.orElseSucceed(
          Effect.tryPromise(async () => {
            const { bavail, bsize } = await statfs(data)
            return bavail * bsize
          }),
          () => undefined
        ),
        remove: (id) => Effect.promise(() => rm(pathOf(id), { force: true })),
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
