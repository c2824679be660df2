/**
 * A packed structure as a table of its fields, in their order and by the sheet's names. Readers and writers are compiled
 * from it once; reading a number allocates nothing. Drivers read with it, emulators write with it, and tests compare both
 * with foreign bytes.
 */

import { isNumber, type NumberType, type Place, type Read, reader, sizeOf, writers } from "./numbers.ts"
import { textOf } from "./texts.ts"

type TextType = `text${number}`

/** A field of this many bytes, and its decoding where it is neither a number nor a text as of `texts.ts`. */
export interface Coded {
  readonly bytes: number
  readonly decode: (bytes: Buffer) => string
  /** A longer text is cut off; a shorter one is filled up with zeros. */
  readonly encode: (value: string) => Buffer
}

/**
 * A number; an integer of 64 bits; a text of fixed size (`texts.ts`), filled up with zeros; bytes with another text encoding; or bytes
 * that are not decoded.
 */
export type Type = NumberType | "u64" | TextType | Coded | number

/**
 * A line of a table. `unit`: as in the sheet, for readers of the table. `at`: where it begins, in bytes, if that is not
 * where the one before ends.
 */
export type Field<Name extends string = string, T extends Type = Type> = readonly [
  name: Name,
  type: T,
  unit?: string | undefined,
  at?: number
]
export type FieldValue = number | bigint | string | Uint8Array
export type FieldValues = Readonly<Record<string, FieldValue>>

type ReadBig = (bytes: Buffer, base?: number) => bigint
type ReadText = (bytes: Buffer, base?: number) => string
type ReadBytes = (bytes: Buffer, base?: number) => Buffer

type ValueOf<T extends Type> = T extends NumberType
  ? number
  : T extends "u64"
    ? bigint
    : T extends TextType | Coded
      ? string
      : Buffer
/** All values of a table, by its names. */
export type StructValues<F extends Field> = { readonly [X in F as X[0]]: ValueOf<X[1]> }

/** All values of this table. */
export type ValuesIn<S> = S extends Struct<infer F> ? StructValues<F> : never

/** The names of a table's fields that have one of these types. */
export type NamesOf<F extends Field, T extends Type = NumberType> = F extends Field
  ? F[1] extends T
    ? F[0]
    : never
  : never

const bytesOf = (type: Type): number => {
  if (typeof type === "number") return type
  if (typeof type === "object") return type.bytes
  if (type === "u64") return 8
  return isNumber(type) ? sizeOf(type) : Number(type.slice("text".length))
}

/** Ends at the first zero byte. Some games put one at the end of a text that they cut. */
const textIn = (bytes: Buffer): string => {
  const zero = bytes.indexOf(0)
  const end = zero === -1 ? bytes.length : zero
  return textOf(bytes.subarray(0, end), end >= bytes.length - 1).trim()
}

/** A text that is too long ends in three dots, as games do it, and in a whole character. */
const shortened = (value: string, room: number): Buffer => {
  const whole = Buffer.from(value)
  if (whole.length <= room) return whole
  const characters = [...value]
  while (Buffer.byteLength(`${characters.join("")}…`) > room) characters.pop()
  return Buffer.from(`${characters.join("")}…`)
}

type Write = (bytes: Buffer, value: FieldValue, base: number) => void

const writerOf = (type: Type, at: number): Write => {
  if (type === "u64") {
    // From its digits: a double would lose the last digits of a 64-bit number.
    return (bytes, value, base) => bytes.writeBigUInt64LE(BigInt(String(value)), base + at)
  }
  if (isNumber(type)) {
    const write = writers[type]
    return (bytes, value, base) => write(bytes, Number(value), base + at)
  }
  const room = bytesOf(type)
  const inBytes = (value: FieldValue): Uint8Array => {
    if (typeof value === "object") return value
    return typeof type === "object" ? type.encode(String(value)) : shortened(String(value), room)
  }
  return (bytes, value, base) => {
    bytes.fill(0, base + at, base + at + room)
    bytes.set(inBytes(value).subarray(0, room), base + at)
  }
}

/** The same field for several elements, whose names have these endings: an array, a vector, four wheels. */
export const each = <const End extends string, Name extends string, T extends Type>(
  ends: ReadonlyArray<End>,
  name: Name,
  type: T,
  unit?: string
): ReadonlyArray<Field<`${Name}${End}`, T>> => ends.map((end) => [`${name}${end}`, type, unit])

/** These fields from the byte `offset` on. */
export const at = <const F extends Field>(
  offset: number,
  [first, ...rest]: readonly [F, ...ReadonlyArray<F>]
) => {
  const [name, type, unit] = first
  return [[name, type, unit, offset] as unknown as F, ...rest]
}

export class Struct<const F extends Field = Field> {
  readonly fields: ReadonlyArray<F>
  /** In bytes. */
  readonly size: number
  /** A reader for each number of the table; where one type describes the tables of several versions, some may be missing. */
  readonly read: { readonly [Name in NamesOf<F>]: Read }
  readonly readBig: { readonly [Name in NamesOf<F, "u64">]: ReadBig }
  readonly readText: { readonly [Name in NamesOf<F, TextType | Coded>]: ReadText }
  /** Fields that are not decoded: the bytes themselves, not a copy. */
  readonly readBytes: { readonly [Name in NamesOf<F, number>]: ReadBytes }
  /** Where each number begins, by its name. */
  readonly places: ReadonlyMap<string, Place>
  readonly #readers: Readonly<Record<string, (bytes: Buffer, base?: number) => unknown>>
  readonly #writers = new Map<string, Write>()

  constructor(fields: ReadonlyArray<F>) {
    const read: Record<string, Read> = {}
    const readBig: Record<string, ReadBig> = {}
    const readText: Record<string, ReadText> = {}
    const readBytes: Record<string, ReadBytes> = {}
    const places = new Map<string, Place>()
    let next = 0
    let size = 0
    for (const [name, type, , placed] of fields) {
      const offset = placed ?? next
      next = offset + bytesOf(type)
      size = Math.max(size, next)
      if (isNumber(type)) {
        read[name] = reader(type, offset)
        places.set(name, { type, at: offset })
      } else if (type === "u64") {
        readBig[name] = (bytes, base = 0) => bytes.readBigUInt64LE(base + offset)
      } else {
        const end = next
        const within: ReadBytes = (bytes, base = 0) => bytes.subarray(base + offset, base + end)
        const decode = typeof type === "object" ? type.decode : textIn
        if (typeof type === "number") readBytes[name] = within
        else readText[name] = (bytes, base) => decode(within(bytes, base))
      }
      this.#writers.set(name, writerOf(type, offset))
    }
    this.fields = fields
    this.size = size
    this.places = places
    this.read = read as Struct<F>["read"]
    this.readBig = readBig as Struct<F>["readBig"]
    this.readText = readText as Struct<F>["readText"]
    this.readBytes = readBytes as Struct<F>["readBytes"]
    this.#readers = { ...read, ...readBig, ...readText, ...readBytes }
  }

  /** Whether a whole structure begins at `base`. */
  fits(bytes: Buffer, base = 0): boolean {
    return bytes.length >= base + this.size
  }

  /** All values of a structure that begins at `base`. For frequent packets, readers of single numbers are cheaper. */
  values(bytes: Buffer, base = 0): StructValues<F> {
    const values: Record<string, unknown> = {}
    for (const name in this.#readers) values[name] = this.#readers[name]!(bytes, base)
    return values as StructValues<F>
  }

  /** Writes these values into a structure that begins at `base`. Other fields stay as they are; unknown names are ignored. */
  write(bytes: Buffer, base: number, values: FieldValues): void {
    for (const name in values) this.#writers.get(name)?.(bytes, values[name]!, base)
  }

  /** A new structure with these values, and zeros elsewhere. */
  bytes(values: FieldValues): Buffer {
    const bytes = Buffer.alloc(this.size)
    this.write(bytes, 0, values)
    return bytes
  }
}
