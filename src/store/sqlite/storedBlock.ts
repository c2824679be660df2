/** A block as a row of `blocks`, and the check that it is still as it was written. */
import { partNames } from "../../domain/columnNames.ts"
import { type Columns, POINTS } from "../../domain/Dictionary.ts"
import { PointsDamaged } from "../../domain/errors.ts"
import { crc32c } from "./crc32c.ts"

/** The parts of a block that its checksum covers: its place, and its bytes. */
export interface Summed {
  readonly session_id: number
  readonly group_name: string
  /** The names of its columns, joined; null if the row names a layout that the file lacks. */
  readonly names: string | null
  readonly first: number
  readonly last: number
  readonly length: number
  readonly data: Uint8Array
}

export interface StoredBlock extends Summed {
  readonly id: number
  readonly checksum: number
}

/**
 * SQL that gives blocks as rows of `StoredBlock`: the selected columns and the tables, in which blocks are called `b`. A block
 * whose layout is missing is found, so that it is reported as damaged.
 */
export const STORED =
  "b.id, b.session_id, b.group_name, l.names, b.first_time AS first, b.last_time AS last, b.length, b.checksum, b.data"
export const STORED_FROM = "blocks AS b LEFT JOIN layouts AS l ON l.id = b.layout"

const KEY_DOUBLES = 4

/** The maximum number of layouts whose sum is remembered. */
const MAX_LABELS = 1024
const labels = new Map<string, number>()
const text = new TextEncoder()

/** CRC-32C of a group's name and of its columns' names; the block's own sum continues from it. */
const labelSum = ({ group_name, names }: Summed): number => {
  const label = `${group_name}:${names}`
  const known = labels.get(label)
  if (known !== undefined) return known
  const sum = crc32c(text.encode(label))
  if (labels.size === MAX_LABELS) labels.clear()
  labels.set(label, sum)
  return sum
}

/**
 * CRC-32C of `group:names`, of the blob, and then of session, first row, last row and number of rows, each a double, little
 * endian. Whether the block belongs to the tail is left out, because a writer changes that flag alone.
 */
export const checksumOf = (block: Summed): number => {
  const key = new DataView(new ArrayBuffer(KEY_DOUBLES * 8))
  // SQLite keeps no -0.
  for (const [index, value] of [block.session_id, block.first, block.last, block.length].entries())
    key.setFloat64(index * 8, value + 0, true)
  return crc32c(new Uint8Array(key.buffer), crc32c(block.data, labelSum(block)))
}

/**
 * Runs `decode` on the block and its columns. Throws PointsDamaged if the block has changed since it was written, or
 * cannot be decoded.
 */
export const opened = <A>(
  store: string,
  block: StoredBlock,
  decode: (data: Uint8Array, layout: Columns) => A
): A => {
  const { checksum, data, first, group_name: group, last, names, session_id: sessionId } = block
  const damaged = (reason: string) =>
    new PointsDamaged({ store, sessionId, first, last, reason, ...(group === POINTS ? {} : { group }) })
  if (names === null) throw damaged("its columns are not known")
  if (checksum !== checksumOf(block)) throw damaged("its checksum is another")
  try {
    return decode(data, partNames(names))
  } catch (cause) {
    throw damaged(`it cannot be decoded: ${String(cause)}`)
  }
}
