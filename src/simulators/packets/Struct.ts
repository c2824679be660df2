/**
 * A packed structure as a table of its fields, in their order and by the sheet's names. Readers and writers are made of it once;
 * reading a number allocates nothing. Drivers read by it, emulators write by it, and tests hold both to bytes of others.
 */

import { isNumber, type NumberType, type Place, type Read, reader, sizeOf, writers } from "./numbers.ts"

type TextType = `text${number}`
/** A number; an integer of 64 bits; so many bytes of UTF-8, filled up with zeros; or so many bytes that are left as they are. */
export type Type = NumberType | "u64" | TextType | number

/**
 * A line of a table. `unit`: as the sheet has it, for readers of the table. `at`: where it begins, in bytes, if that is not
 * where the one before ends.
 */
export type Field<Name extends string = string, T extends Type = Type> = readonly [
  name: Name,
  type: T,
  unit?: string | undefined,
  at?: number
]
export type FieldValue = number | bigint | string
export type FieldValues = Readonly<Record<string, FieldValue>>

type ReadBig = (bytes: Buffer, base?: number) => bigint
type ReadText = (bytes: Buffer, base?: number) => string

/** The names of a table's fields that have one of these types. */
export type NamesOf<F extends Field, T extends Type = NumberType> = F extends Field
  ? F[1] extends T
    ? F[0]
    : never
  : never

const bytesOf = (type: Type): number => {
  if (typeof type === "number") return type
  if (type === "u64") return 8
  return isNumber(type) ? sizeOf(type) : Number(type.slice("text".length))
}

/** Ends at the first zero byte; a character that was cut in two there is none. */
const textIn = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes
    .toString("utf8", 0, end === -1 ? bytes.length : end)
    .replace(/\uFFFD+$/, "")
    .trim()
}

/** What is too long ends in three dots, as games do it, and in a whole character. */
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
    return (bytes, value, base) => bytes.writeBigUInt64LE(BigInt(value), base + at)
  }
  if (isNumber(type)) {
    const write = writers[type]
    return (bytes, value, base) => write(bytes, Number(value), base + at)
  }
  const room = bytesOf(type)
  return (bytes, value, base) => {
    bytes.fill(0, base + at, base + at + room)
    shortened(String(value), room).copy(bytes, base + at)
  }
}

/** The same field for each of several elements, whose ends its names have: an array, a vector, four wheels. */
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
  /** A reader for each number that the table has; one type may stand for the tables of several versions. */
  readonly read: { readonly [Name in NamesOf<F>]: Read }
  readonly readBig: { readonly [Name in NamesOf<F, "u64">]: ReadBig }
  readonly readText: { readonly [Name in NamesOf<F, TextType>]: ReadText }
  /** Where each number stands, by its name. */
  readonly places: ReadonlyMap<string, Place>
  readonly #writers = new Map<string, Write>()

  constructor(fields: ReadonlyArray<F>) {
    const read: Record<string, Read> = {}
    const readBig: Record<string, ReadBig> = {}
    const readText: Record<string, ReadText> = {}
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
      } else if (typeof type === "string") {
        const end = next
        readText[name] = (bytes, base = 0) => textIn(bytes.subarray(base + offset, base + end))
      }
      if (typeof type === "string") this.#writers.set(name, writerOf(type, offset))
    }
    this.fields = fields
    this.size = size
    this.places = places
    this.read = read as Struct<F>["read"]
    this.readBig = readBig as Struct<F>["readBig"]
    this.readText = readText as Struct<F>["readText"]
  }

  /** Writes the fields that there are values for, of a structure that begins at `base`. Values of other fields are left out. */
  write(bytes: Buffer, base: number, values: FieldValues): void {
    for (const name in values) this.#writers.get(name)?.(bytes, values[name]!, base)
  }
}
