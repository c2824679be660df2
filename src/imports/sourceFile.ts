import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import type { SourceFile } from "./FileReader.ts"

/** A larger companion of a file is none. */
const MAX_SIBLING_BYTES = 16 << 20

/** The text of a companion; undefined if it is too large. */
export const textOf = (path: string): string | undefined =>
  statSync(path).size > MAX_SIBLING_BYTES ? undefined : readFileSync(path, "utf8")

const siblingOf = (path: string, name: string, ending: string): string | undefined => {
  const wanted = `${basename(name, extname(name))}${ending}`.toLowerCase()
  const folder = dirname(path)
  const found = readdirSync(folder).find((other) => other.toLowerCase() === wanted)
  return found === undefined ? undefined : textOf(join(folder, found))
}

/**
 * Opens a file for as long as `use` runs. `name`: the user's name of it, where the file has another one. `siblings`: the paths
 * of the files that belong to it, by their endings; where it is left out, they are looked for beside the file.
 */
export async function* withFile<A>(
  {
    modified,
    name,
    path,
    siblings
  }: {
    readonly path: string
    readonly name: string
    readonly modified?: number | undefined
    readonly siblings?: Readonly<Record<string, string>> | undefined
  },
  use: (file: SourceFile) => Iterable<A> | AsyncIterable<A>
): AsyncGenerator<A, void, void> {
  const descriptor = openSync(path, "r")
  try {
    const { mtimeMs, size } = fstatSync(descriptor)
    const bytes: SourceFile["bytes"] = (position, length, memory) => {
      const wanted = Math.max(0, Math.min(length, size - position))
      const buffer = memory ?? new Uint8Array(wanted)
      let got = 0
      while (got < wanted) {
        const read = readSync(descriptor, buffer, got, wanted - got, position + got)
        if (read === 0) break
        got += read
      }
      return got === buffer.length ? buffer : buffer.subarray(0, got)
    }
    yield* use({
      name,
      path,
      size,
      modified: modified ?? mtimeMs / 1000,
      bytes,
      sibling: (ending) => {
        if (siblings === undefined) return siblingOf(path, name, ending)
        const sibling = siblings[ending]
        return sibling === undefined ? undefined : textOf(sibling)
      }
    })
  } finally {
    closeSync(descriptor)
  }
}
