/** The consecutive parts of a packed structure, read by a cursor, and written: numbers, texts, lists. Little endian. */
import { type NumberType, reader, sizeOf, writers } from "./numbers.ts"
import { type Field, type FieldValues, Struct, type StructValues } from "./Struct.ts"
import { textOf } from "./texts.ts"

/** The position at which a structure is read. Past the end of its bytes all values are 0 or empty, and `isBroken` is true. */
export class Cursor {
  readonly bytes: Buffer
  at: number
  isBroken = false

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  /** Skips this many bytes and returns where they begin; -1 where there are not enough. */
  take(count: number): number {
    const { at } = this
    if (this.isBroken || at + count > this.bytes.length) {
      this.isBroken = true
      return -1
    }
    this.at = at + count
    return at
  }
}

/** One part of a structure: how it is read, skipped and written. */
export interface Part<A, Written = A> {
  /** Whether it is one number: cheap, so that other fields may depend on it. */
  readonly isOfNumber?: boolean
  next(cursor: Cursor): A
  skip(cursor: Cursor): void
  encode(value: Written): Buffer
}

/** A number, a text (`texts.ts`) of up to 255 bytes or of up to 65535, a structure of fixed places, or another part. */
export type Type = NumberType | "text" | "longText" | Struct | Part<unknown>

export type ValueOf<T> = T extends NumberType
  ? number
  : T extends "text" | "longText"
    ? string
    : T extends Struct<infer F extends Field>
      ? StructValues<F>
      : T extends Part<infer A>
        ? A
        : never

/** When a structure of fixed places is written, some fields may be left out: they are 0. */
export type WrittenOf<T> = T extends NumberType
  ? number
  : T extends "text" | "longText"
    ? string
    : T extends Struct
      ? FieldValues
      : T extends Part<unknown, infer W>
        ? W
        : never

const numberPart = (type: NumberType): Part<number> => {
  const read = reader(type, 0)
  const size = sizeOf(type)
  return {
    isOfNumber: true,
    next: (cursor) => {
      const at = cursor.take(size)
      return at < 0 ? 0 : read(cursor.bytes, at)
    },
    skip: (cursor) => void cursor.take(size),
    encode: (value) => {
      const bytes = Buffer.alloc(size)
      writers[type](bytes, value, 0)
      return bytes
    }
  }
}

/** Control characters are removed. */
const textPart = (count: Part<number>, most: number): Part<string> => ({
  next: (cursor) => {
    const length = count.next(cursor)
    const at = cursor.take(length)
    return at < 0
      ? ""
      : textOf(cursor.bytes.subarray(at, at + length), length === most).replace(/\p{Cc}/gu, "")
  },
  skip: (cursor) => void cursor.take(count.next(cursor)),
  encode: (value) => {
    const text = Buffer.from(value).subarray(0, most)
    return Buffer.concat([count.encode(text.length), text])
  }
})
const counts = { u8: numberPart("u8"), u16: numberPart("u16") } as const
const texts = { text: textPart(counts.u8, 255), longText: textPart(counts.u16, 65_535) }

const structPart = (struct: Struct): Part<FieldValues> => ({
  next: (cursor) => {
    const at = cursor.take(struct.size)
    return at < 0 ? {} : struct.values(cursor.bytes, at)
  },
  skip: (cursor) => void cursor.take(struct.size),
  encode: (values) => struct.bytes(values)
})

export const partOf = <T extends Type>(type: T): Part<ValueOf<T>, WrittenOf<T>> => {
  const given: Type = type
  const part =
    given instanceof Struct
      ? structPart(given)
      : typeof given === "object"
        ? given
        : given === "text" || given === "longText"
          ? texts[given]
          : numberPart(given)
  return part as Part<ValueOf<T>, WrittenOf<T>>
}

/** A list behind its length; no more elements are read than there are bytes for. */
export const list = <const T extends Type>(
  of: T,
  countedIn: keyof typeof counts
): Part<ReadonlyArray<ValueOf<T>>, ReadonlyArray<WrittenOf<T>>> => {
  const part = partOf(of)
  const count = counts[countedIn]
  return {
    next: (cursor) => {
      const all: Array<ValueOf<T>> = []
      for (let left = count.next(cursor); left > 0 && !cursor.isBroken; left--) all.push(part.next(cursor))
      return all
    },
    skip: (cursor) => {
      for (let left = count.next(cursor); left > 0 && !cursor.isBroken; left--) part.skip(cursor)
    },
    encode: (values) => Buffer.concat([count.encode(values.length), ...values.map((one) => part.encode(one))])
  }
}

/** The part `of`, with its value converted. */
export const meaning = <A, const T extends Type>(
  of: T,
  decode: (value: ValueOf<T>) => A,
  encode: (value: A) => WrittenOf<T>
): Part<A> => {
  const part = partOf(of)
  return {
    isOfNumber: part.isOfNumber === true,
    next: (cursor) => decode(part.next(cursor)),
    skip: (cursor) => part.skip(cursor),
    encode: (value) => part.encode(encode(value))
  }
}

/** A byte in which 0 means no. */
export const isSo = meaning("u8", (byte) => byte > 0, Number)
