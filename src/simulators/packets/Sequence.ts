/**
 * A packed structure whose fields have no fixed places, as texts and lists come with their lengths: a table of fields in their order.
 * Little endian. Texts are of 255 bytes of UTF-8 at most, lists of 255 floats.
 */

type SequenceType = "text" | "list" | "f32" | "i32" | "u32" | "u8"

/** A line of a table. `unit`: as the sheet has it. `since`: the version of the structure that first had the field; else all have. */
export type SequenceField = readonly [
  name: string,
  type: SequenceType,
  unit?: string | undefined,
  since?: number
]

type ValueOf<T extends SequenceType> = T extends "text"
  ? string
  : T extends "list"
    ? ReadonlyArray<number>
    : number

/** By name; undefined what a version lacks. */
export type SequenceValues<F extends SequenceField> = {
  readonly [X in F as X[3] extends number ? never : X[0]]: ValueOf<X[1]>
} & { readonly [X in F as X[3] extends number ? X[0] : never]?: ValueOf<X[1]> }

type Value = string | number | ReadonlyArray<number>

const FLOAT_BYTES = 4

const fixed = { f32: 4, i32: 4, u32: 4, u8: 1 } as const

/** Of the field at `at`, where that many bytes are there; else more than there are. */
const bytesOf = (type: SequenceType, bytes: Buffer, at: number): number => {
  if (type !== "text" && type !== "list") return fixed[type]
  if (at >= bytes.length) return 1
  return 1 + bytes[at]! * (type === "list" ? FLOAT_BYTES : 1)
}

const readAt = (type: SequenceType, bytes: Buffer, at: number, size: number): Value => {
  switch (type) {
    case "text":
      return bytes.toString("utf8", at + 1, at + size)
    case "list":
      return Array.from({ length: bytes[at]! }, (_, n) => bytes.readFloatLE(at + 1 + FLOAT_BYTES * n))
    case "f32":
      return bytes.readFloatLE(at)
    case "i32":
      return bytes.readInt32LE(at)
    case "u32":
      return bytes.readUInt32LE(at)
    case "u8":
      return bytes[at]!
  }
}

const written = (type: SequenceType, value: Value): Buffer => {
  if (type === "text") {
    const text = Buffer.from(String(value)).subarray(0, 255)
    return Buffer.concat([Buffer.from([text.length]), text])
  }
  if (type === "list") {
    const list = value as ReadonlyArray<number>
    return Buffer.concat([Buffer.from([list.length]), ...list.map((one) => written("f32", one))])
  }
  const bytes = Buffer.alloc(fixed[type])
  const number = Number(value)
  if (type === "f32") bytes.writeFloatLE(number)
  else if (type === "i32") bytes.writeInt32LE(number)
  else if (type === "u32") bytes.writeUInt32LE(number)
  else bytes[0] = number
  return bytes
}

export class Sequence<const F extends SequenceField> {
  readonly fields: ReadonlyArray<F>

  constructor(fields: ReadonlyArray<F>) {
    this.fields = fields
  }

  /** Whether all of a structure that begins at `at` is there. */
  fits(bytes: Buffer, at: number, version: number): boolean {
    let next = at
    for (const [, type, , since = 0] of this.fields) {
      if (version >= since) next += bytesOf(type, bytes, next)
      if (next > bytes.length) return false
    }
    return true
  }

  /** The values of a structure that begins at `at`; undefined where it is cut short. What follows it is left as it is. */
  read(bytes: Buffer, at: number, version: number): SequenceValues<F> | undefined {
    if (!this.fits(bytes, at, version)) return undefined
    const values: Record<string, Value> = {}
    let next = at
    for (const [name, type, , since = 0] of this.fields) {
      if (version < since) continue
      const size = bytesOf(type, bytes, next)
      values[name] = readAt(type, bytes, next, size)
      next += size
    }
    return values as unknown as SequenceValues<F>
  }

  write(version: number, values: SequenceValues<F>): Buffer {
    const given = values as unknown as Readonly<Record<string, Value>>
    const told = this.fields.filter(([, , , since = 0]) => version >= since)
    return Buffer.concat(told.map(([name, type]) => written(type, given[name]!)))
  }
}
