/** The formats that can be imported, and how a file's format is recognised: by its first bytes, never by its name. */
import { LDX } from "./companions.ts"
import type { FileReader } from "./FileReader.ts"
import { UnreadableFile } from "./FileReader.ts"
import { readers as captures } from "./readers/captures/captures.ts"
import { reader as gpx } from "./readers/gpx/gpx.ts"
import { reader as iracing } from "./readers/iracing/ibt.ts"
import { reader as lmu } from "./readers/lmu/lmu.ts"
import { reader as motec } from "./readers/motec/ld.ts"
import { reader as raceChrono } from "./readers/racechrono/raceChrono.ts"
import { reader as recording } from "./readers/recording/recording.ts"
import { readers as tables } from "./readers/tables/csv.ts"
import { reader as vbo } from "./readers/vbo/vbo.ts"

export const fileReaders: ReadonlyArray<FileReader> = [
  iracing,
  motec,
  lmu,
  recording,
  vbo,
  raceChrono,
  gpx,
  ...captures,
  ...tables
]

const isLdx = (head: Uint8Array) =>
  /^\uFEFF?\s*(?:<\?[^>]*>\s*)?<LDXFile[\s>]/.test(Buffer.from(head).toString())

const titles = () => fileReaders.map(({ title }) => title).join(", ")

/** The marks at the begin of texts in UTF-16, in either order of bytes. */
const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** The one reader that knows the file by its first bytes. Throws `UnreadableFile` if there is none, or more than one. */
export const readerOf = (head: Uint8Array, size: number): FileReader => {
  const knowing = fileReaders.filter((reader) => reader.recognises(head, size))
  const [only, ...others] = knowing
  if (only !== undefined && others.length === 0) return only
  if (isUtf16(head)) throw new UnreadableFile("The file is a text in UTF-16: save it as UTF-8")
  throw new UnreadableFile(
    only === undefined
      ? `The file is of no known format. Known are ${titles()}`
      : `The file could be ${knowing.map(({ title }) => title).join(" or ")}`
  )
}

/** The format of a file, or of one that belongs to another. Throws `UnreadableFile` as `readerOf` does. */
export const formatOf = (head: Uint8Array, size: number): string =>
  isLdx(head) ? LDX.format : readerOf(head, size).format
