/** The files that a user means: paths as given, and the files of folders whose names end as those of known formats. */
import { createHash } from "node:crypto"
import { createReadStream, lstatSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { Data, Effect } from "effect"
import { fileReaders } from "../../imports/fileReaders.ts"

export interface FoundFile {
  readonly path: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Epoch seconds. */
  readonly modified: number
}

export class FileUnreadable extends Data.TaggedError("FileUnreadable")<{
  readonly path: string
  readonly cause: unknown
}> {}

export interface FoundFiles {
  readonly files: ReadonlyArray<FoundFile>
  /** Sentences about what is left out. */
  readonly left: ReadonlyArray<string>
}

/** A file that changed this recently, s, is still being written. */
const SETTLED_AFTER_S = 5

const endings = fileReaders.flatMap((reader) => reader.endings)

const isKnown = (name: string) => endings.some((ending) => name.toLowerCase().endsWith(ending))

export const found = (path: string): FoundFile => {
  const { mtimeMs, size } = lstatSync(path)
  return { path, name: basename(path), size, modified: mtimeMs / 1000 }
}

/** The files of a folder, without links out of it. `.ldx` files go with their `.ld`. */
const within = (folder: string, isRecursive: boolean): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isRecursive ? within(path, isRecursive) : []
    return entry.isFile() && isKnown(entry.name) ? [path] : []
  })

/** `now`: epoch seconds. Throws the system's error for a path that is not there. */
export const filesAt = (paths: ReadonlyArray<string>, isRecursive: boolean, now: number): FoundFiles => {
  const left: Array<string> = []
  const files = paths.flatMap((path) => {
    if (!lstatSync(path).isDirectory()) return [found(path)]
    return within(path, isRecursive)
      .map(found)
      .filter((file) => {
        const isWritten = now - file.modified < SETTLED_AFTER_S
        if (isWritten) left.push(`left: ${file.path} is being written`)
        return !isWritten
      })
  })
  return { files: files.toSorted((a, b) => a.modified - b.modified || a.path.localeCompare(b.path)), left }
}

/** SHA-256 of a file's bytes, as hexadecimal digits. */
export const digestOf = (path: string): Effect.Effect<string, FileUnreadable> =>
  Effect.tryPromise({
    try: async () => {
      const hash = createHash("sha256")
      for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
      return hash.digest("hex")
    },
    catch: (cause) => new FileUnreadable({ path, cause })
  })
