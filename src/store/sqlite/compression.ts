import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"

/** A window of 64 KiB holds a whole column of a block; the default of 4 MiB only costs its allocation. */
const WINDOW_BITS = 16

/**
 * How much effort to spend: `quick` takes 58 us for a column of a block, `thorough` 160 us for 3 to 9 % fewer bytes (medians
 * of planes of floats and decimals). Reading takes the same time for both, and any version reads both.
 */
export type Effort = "quick" | "thorough"

/**
 * Brotli's levels. The levels between these two take nearly as long as the higher one, and save little of what it
 * saves; levels above are slower and save next to nothing.
 */
const QUALITIES: Readonly<Record<Effort, number>> = { quick: 1, thorough: 4 }

export const compress = (bytes: Uint8Array, effort: Effort): Uint8Array =>
  brotliCompressSync(bytes, {
    // Nearly every result fits in this. The default allocates 16 KiB for each column of a block: garbage that makes V8
    // collect its heap.
    chunkSize: Math.max(bytes.length >> 1, constants.Z_MIN_CHUNK),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITIES[effort],
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
    }
  })

/** Throws a RangeError if `packed` does not decompress to `length` bytes. */
export const decompress = (packed: Uint8Array, length: number): Uint8Array => {
  // One chunk, with extra room so that the end is detected; by default the result comes in several chunks, which are then
  // joined.
  const options = { maxOutputLength: length, chunkSize: length + constants.Z_MIN_CHUNK }
  const { buffer, byteLength, byteOffset } = brotliDecompressSync(packed, options)
  if (byteLength !== length) throw new RangeError("a column has fewer values than its block")
  // Not a Buffer, so that callers see one kind of array.
  return new Uint8Array(buffer, byteOffset, byteLength)
}
