/**
 * CRC-32C, the Castagnoli polynomial, as in iSCSI (RFC 3720, appendix B.4). Node has only the CRC-32 of zlib. Libraries are
 * native, or take one byte at a time; this function takes eight ("slicing by 8", Kounavis and Berry 2005).
 */

/** The polynomial 0x1EDC6F41, its bits reversed. */
const POLYNOMIAL = 0x82f63b78
const VALUES = 256
const SLICES = 8

/** Row `n` has, for each byte value, the change of the sum by a byte that `n` bytes follow. */
const tables = new Int32Array(SLICES * VALUES)
for (let byte = 0; byte < VALUES; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  tables[byte] = crc
}
for (let at = VALUES; at < tables.length; at++) {
  const before = tables[at - VALUES]!
  tables[at] = (before >>> 8) ^ tables[before & 0xff]!
}

/** The sum of the bytes, continued from the sum `before`: an integer of 32 bits. */
export const crc32c = (bytes: Uint8Array, before = 0): number => {
  let crc = ~before
  let at = 0
  for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    crc =
      tables[7 * VALUES + (crc & 0xff)]! ^
      tables[6 * VALUES + ((crc >>> 8) & 0xff)]! ^
      tables[5 * VALUES + ((crc >>> 16) & 0xff)]! ^
      tables[4 * VALUES + (crc >>> 24)]! ^
      tables[3 * VALUES + bytes[at + 4]!]! ^
      tables[2 * VALUES + bytes[at + 5]!]! ^
      tables[VALUES + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) crc = tables[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}
