import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import type { SourceFile } from "./FileReader.ts"

/** A larger companion of a file is none. */
const MAX_SIBLING_BYTES = 16 << 20

const siblingOf = (path: string, name: string, ending: string): string | undefined => {
  const wanted = `${basename(name, extname(name))}${ending}`.toLowerCase()
  const folder = dirname(path)
  const found = readdirSync(folder).find((other) => other.toLowerCase() === wanted)
  if (found === undefined) return undefined
  const sibling = join(folder, found)
  return statSync(sibling).size > MAX_SIBLING_BYTES ? undefined : readFileSync(sibling, "utf8")
}

/** Opens a file for as long as `use` runs. `name`: the user's name of it, where the file has another one. */
export async function* withFile<A>(
  {
    modified,
    name,
    path
  }: { readonly path: string; readonly name: string; readonly modified?: number | undefined },
  use: (file: SourceFile) => Iterable<A> | AsyncIterable<A>
): AsyncGenerator<A, void, void> {
  const descriptor = openSync(path, "r")
  try {
    const { mtimeMs, size } = fstatSync(descriptor)
    const bytes = (position: number, length: number): Uint8Array => {
      const wanted = Math.max(0, Math.min(length, size - position))
      const buffer = new Uint8Array(wanted)
      let got = 0
      while (got < wanted) {
        const read = readSync(descriptor, buffer, got, wanted - got, position + got)
        if (read === 0) break
        got += read
      }
      return got === wanted ? buffer : buffer.subarray(0, got)
    }
    yield* use({
      name,
      path,
      size,
      modified: modified ?? mtimeMs / 1000,
      bytes,
      sibling: (ending) => siblingOf(path, name, ending)
    })
  } finally {
    closeSync(descriptor)
  }
}
