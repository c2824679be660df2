/** The numbers that packets have, little endian as every simulator sends them, each with a reader made for its place: plain functions, which allocate nothing. */

/** The number in a structure that begins at `base`. */
export type Read = (bytes: Buffer, base?: number) => number

interface NumberFormat {
  readonly size: number
  readonly read: (at: number) => Read
  readonly write: (bytes: Buffer, value: number, at: number) => void
}

const of = (size: number, read: NumberFormat["read"], write: NumberFormat["write"]): NumberFormat => ({
  size,
  read,
  write
})

export const numbers = {
  u8: of(
    1,
    (at) =>
      (b, base = 0) =>
        b.readUInt8(at + base),
    (b, n, at) => b.writeUInt8(n, at)
  ),
  i8: of(
    1,
    (at) =>
      (b, base = 0) =>
        b.readInt8(at + base),
    (b, n, at) => b.writeInt8(n, at)
  ),
  u16: of(
    2,
    (at) =>
      (b, base = 0) =>
        b.readUInt16LE(at + base),
    (b, n, at) => b.writeUInt16LE(n, at)
  ),
  i16: of(
    2,
    (at) =>
      (b, base = 0) =>
        b.readInt16LE(at + base),
    (b, n, at) => b.writeInt16LE(n, at)
  ),
  u32: of(
    4,
    (at) =>
      (b, base = 0) =>
        b.readUInt32LE(at + base),
    (b, n, at) => b.writeUInt32LE(n, at)
  ),
  i32: of(
    4,
    (at) =>
      (b, base = 0) =>
        b.readInt32LE(at + base),
    (b, n, at) => b.writeInt32LE(n, at)
  ),
  f32: of(
    4,
    (at) =>
      (b, base = 0) =>
        b.readFloatLE(at + base),
    (b, n, at) => b.writeFloatLE(n, at)
  ),
  f64: of(
    8,
    (at) =>
      (b, base = 0) =>
        b.readDoubleLE(at + base),
    (b, n, at) => b.writeDoubleLE(n, at)
  )
} satisfies Readonly<Record<string, NumberFormat>>

export type NumberType = keyof typeof numbers
