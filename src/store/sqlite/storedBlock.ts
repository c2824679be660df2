/** A block as a row of `point_blocks`, and whether it is still what was written. */
import { PointsDamaged } from "../../domain/errors.ts"
import { crc32c } from "./crc32c.ts"

/** What is summed of a block: where it belongs, and its bytes. */
export interface Summed {
  readonly session_id: number
  readonly first_point: number
  readonly last_point: number
  readonly points: number
  readonly data: Uint8Array
}

export interface StoredBlock extends Summed {
  readonly id: number
  /** Null in blocks of versions that had none: these are read as they are. */
  readonly checksum: number | null
}

const KEY_DOUBLES = 4

/**
 * CRC-32C of the blob, and then of session, first point, last point and number of points, each a double, little endian. Whether
 * the block is of the tail is left out: a writer changes that alone.
 */
export const checksumOf = ({ data, first_point, last_point, points, session_id }: Summed): number => {
  const key = new DataView(new ArrayBuffer(KEY_DOUBLES * 8))
  // SQLite keeps no -0.
  for (const [index, value] of [session_id, first_point, last_point, points].entries())
    key.setFloat64(index * 8, value + 0, true)
  return crc32c(new Uint8Array(key.buffer), crc32c(data))
}

/** What `decode` makes of the block. Throws PointsDamaged where the block is not what was written, or cannot be decoded. */
export const opened = <A>(store: string, block: StoredBlock, decode: (data: Uint8Array) => A): A => {
  const { checksum, data, first_point: first, last_point: last, session_id: sessionId } = block
  const damaged = (reason: string) => new PointsDamaged({ store, sessionId, first, last, reason })
  if (checksum !== null && checksum !== checksumOf(block)) throw damaged("its checksum is another")
  try {
    return decode(data)
  } catch (cause) {
    throw damaged(`it cannot be decoded: ${String(cause)}`)
  }
}
