/**
 * Memory of a reader's rows, which is used again once the rows are stored. A piece has megabytes of rows. New memory for each
 * piece would have to be cleared, and V8 would leave it uncollected until there is much of it, in the reader's thread and in
 * the one that stores. A thread reads one file, so it has one such memory.
 */
let free: Array<ArrayBuffer> = []

/** Memory for this many values, which are any numbers until they are set. */
export const rowMemory = (values: number): Float64Array => {
  const bytes = values * Float64Array.BYTES_PER_ELEMENT
  const place = free.findIndex(({ byteLength }) => byteLength === bytes)
  return place < 0 ? new Float64Array(values) : new Float64Array(free.splice(place, 1)[0]!)
}

/** These buffers are nobody else's any more. What was free before, and fitted nothing, is dropped. */
export const giveBack = (buffers: ReadonlyArray<ArrayBuffer>): void => {
  free = [...buffers]
}
