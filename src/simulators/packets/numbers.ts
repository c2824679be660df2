/** The numbers in packets, little endian as every simulator sends them, and tables of their places, read without allocating. */

/** In bytes. */
const sizes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, f64: 8 } as const

export type NumberType = keyof typeof sizes

export const isNumber = (type: unknown): type is NumberType => typeof type === "string" && type in sizes
export const sizeOf = (type: NumberType): number => sizes[type]

const types = Object.keys(sizes) as ReadonlyArray<NumberType>
const [U8, I8, U16, I16, U32, I32, F32] = types.keys()

const numberAt = (view: DataView, code: number, at: number): number => {
  switch (code) {
    // First, because most numbers are of this type.
    case F32:
      return view.getFloat32(at, true)
    case U8:
      return view.getUint8(at)
    case I8:
      return view.getInt8(at)
    case U16:
      return view.getUint16(at, true)
    case I16:
      return view.getInt16(at, true)
    case U32:
      return view.getUint32(at, true)
    case I32:
      return view.getInt32(at, true)
    default:
      return view.getFloat64(at, true)
  }
}

/**
 * A view of the bytes that were read last: the numbers of a datagram are read together, and a view costs as much as
 * twenty of them.
 */
let viewed: Buffer = Buffer.alloc(0)
let view = new DataView(viewed.buffer, viewed.byteOffset, viewed.length)

const viewOf = (bytes: Buffer): DataView => {
  if (bytes !== viewed) {
    viewed = bytes
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return view
}

/** Reads the number in a structure that begins at `base`. */
export type Read = (bytes: Buffer, base?: number) => number

/** A reader of the number `at` bytes into a structure. */
export const reader = (type: NumberType, at: number): Read => {
  const code = types.indexOf(type)
  return (bytes, base = 0) => numberAt(viewOf(bytes), code, base + at)
}

export const writers: Readonly<Record<NumberType, (bytes: Buffer, value: number, at: number) => void>> = {
  u8: (b, n, at) => b.writeUInt8(n, at),
  i8: (b, n, at) => b.writeInt8(n, at),
  u16: (b, n, at) => b.writeUInt16LE(n, at),
  i16: (b, n, at) => b.writeInt16LE(n, at),
  u32: (b, n, at) => b.writeUInt32LE(n, at),
  i32: (b, n, at) => b.writeInt32LE(n, at),
  f32: (b, n, at) => b.writeFloatLE(n, at),
  f64: (b, n, at) => b.writeDoubleLE(n, at)
}

/** The place of a number in its structure. */
export interface Place {
  readonly type: NumberType
  readonly at: number
}

/** Several numbers of a structure: their types and places, and the target of each. */
export class NumberTable {
  readonly #codes: Uint8Array
  readonly #places: Uint32Array
  readonly #targets: Uint32Array

  constructor(numbers: ReadonlyArray<Place & { readonly target: number }>) {
    this.#codes = Uint8Array.from(numbers, ({ type }) => types.indexOf(type))
    this.#places = Uint32Array.from(numbers, ({ at }) => at)
    this.#targets = Uint32Array.from(numbers, ({ target }) => target)
  }

  /** Reads them from a structure that begins at `base` into their targets in `values`; numbers that are not finite become Infinity. */
  read(bytes: Buffer, base: number, values: Float64Array): void {
    const codes = this.#codes
    const places = this.#places
    const targets = this.#targets
    const from = viewOf(bytes)
    for (let n = 0; n < codes.length; n++) {
      const value = numberAt(from, codes[n]!, base + places[n]!)
      // x * 0 is 0 for every finite x and NaN for the others.
      values[targets[n]!] = value * 0 === 0 ? value : Infinity
    }
  }
}
