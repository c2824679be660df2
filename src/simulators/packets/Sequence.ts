/**
 * A packed structure whose fields have no fixed places, as texts and lists come with their lengths: a table of fields in their order,
 * read by a cursor. Little endian.
 */
import invariant from "tiny-invariant"
import {
  isNumber,
  type NumberType,
  type Place,
  type Read,
  reader,
  readNumber,
  sizeOf,
  writers
} from "./numbers.ts"
import { type Field, type FieldValues, Struct, type StructValues } from "./Struct.ts"

/** Where in its bytes a structure is read. Past their end everything is 0 or empty, and `isBroken` says so. */
export class Cursor {
  readonly bytes: Buffer
  at: number
  isBroken = false

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  /** Where so many bytes begin, which are thereby passed; -1 where they are not there. */
  take(count: number): number {
    const { at } = this
    if (this.isBroken || at + count > this.bytes.length) {
      this.isBroken = true
      return -1
    }
    this.at = at + count
    return at
  }

  number(type: NumberType): number {
    const at = this.take(sizeOf(type))
    return at < 0 ? 0 : readNumber(type, this.bytes, at)
  }
}

/** Something of a structure: how it is read, passed over and written. */
export interface Part<A, Written = A> {
  next(cursor: Cursor): A
  skip(cursor: Cursor): void
  encode(value: Written): Buffer
}

/** A number, a text of up to 255 bytes of UTF-8 or of up to 65535, a structure of fixed places, or something else. */
type Type = NumberType | "text" | "longText" | Struct | Part<unknown>

type ValueOf<T> = T extends NumberType
  ? number
  : T extends "text" | "longText"
    ? string
    : T extends Struct<infer F extends Field>
      ? StructValues<F>
      : T extends Part<infer A>
        ? A
        : never

/** To be written, of a structure of fixed places some fields may be left out: they are 0. */
type WrittenOf<T> = T extends NumberType
  ? number
  : T extends "text" | "longText"
    ? string
    : T extends Struct
      ? FieldValues
      : T extends Part<unknown, infer W>
        ? W
        : never

const numberPart = (type: NumberType): Part<number> => ({
  next: (cursor) => cursor.number(type),
  skip: (cursor) => void cursor.take(sizeOf(type)),
  encode: (value) => {
    const bytes = Buffer.alloc(sizeOf(type))
    writers[type](bytes, value, 0)
    return bytes
  }
})

/** What is no UTF-8 is replaced, control characters are left out. */
const textPart = (count: "u8" | "u16", most: number): Part<string> => ({
  next: (cursor) => {
    const length = cursor.number(count)
    const at = cursor.take(length)
    return at < 0 ? "" : cursor.bytes.toString("utf8", at, at + length).replace(/\p{Cc}/gu, "")
  },
  skip: (cursor) => void cursor.take(cursor.number(count)),
  encode: (value) => {
    const text = Buffer.from(value).subarray(0, most)
    return Buffer.concat([numberPart(count).encode(text.length), text])
  }
})
const texts = { text: textPart("u8", 255), longText: textPart("u16", 65_535) }

const structPart = (struct: Struct): Part<FieldValues> => ({
  next: (cursor) => {
    const at = cursor.take(struct.size)
    return at < 0 ? {} : struct.values(cursor.bytes, at)
  },
  skip: (cursor) => void cursor.take(struct.size),
  encode: (values) => struct.bytes(values)
})

const partOf = <T extends Type>(type: T): Part<ValueOf<T>, WrittenOf<T>> => {
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

/** So many of them, behind their number; no more are read than there are bytes for. */
export const list = <const T extends Type>(
  of: T,
  count: "u8" | "u16"
): Part<ReadonlyArray<ValueOf<T>>, ReadonlyArray<WrittenOf<T>>> => {
  const part = partOf(of)
  return {
    next: (cursor) => {
      const all: Array<ValueOf<T>> = []
      for (let left = cursor.number(count); left > 0 && !cursor.isBroken; left--) all.push(part.next(cursor))
      return all
    },
    skip: (cursor) => {
      for (let left = cursor.number(count); left > 0 && !cursor.isBroken; left--) part.skip(cursor)
    },
    encode: (values) =>
      Buffer.concat([numberPart(count).encode(values.length), ...values.map((one) => part.encode(one))])
  }
}

/** What `of` says in other words. */
export const meaning = <A, const T extends Type>(
  of: T,
  decode: (value: ValueOf<T>) => A,
  encode: (value: A) => WrittenOf<T>
): Part<A> => {
  const part = partOf(of)
  return {
    next: (cursor) => decode(part.next(cursor)),
    skip: (cursor) => part.skip(cursor),
    encode: (value) => part.encode(encode(value))
  }
}

/** A byte that is 0 for no. */
export const isSo = meaning("u8", (byte) => byte > 0, Number)

/** By the values of the numbers before it: whether a field is there. */
type When = (before: Readonly<Record<string, unknown>>) => boolean

/** In a structure that tells its `version`: a field that came with this one. */
export const since =
  (version: number): When =>
  (before) =>
    Number(before["version"]) >= version

/** A line of a table. `unit`: as the sheet has it. `when`: not always there. */
export type SequenceField = readonly [
  name: string,
  type: Type,
  unit?: string | undefined,
  when?: When | undefined
]

/** By name; undefined what is not there. */
export type SequenceValues<F extends SequenceField> = {
  readonly [X in F as X[3] extends When ? never : X[0]]: ValueOf<X[1]>
} & { readonly [X in F as X[3] extends When ? X[0] : never]?: ValueOf<X[1]> }

type SequenceWritten<F extends SequenceField> = {
  readonly [X in F as X[3] extends When ? never : X[0]]: WrittenOf<X[1]>
} & { readonly [X in F as X[3] extends When ? X[0] : never]?: WrittenOf<X[1]> }

/** What a table reads. */
export type ValuesOf<S> = S extends Sequence<infer F> ? SequenceValues<F> : never
/** What it is written from. */
export type WrittenBy<S> = S extends Sequence<infer F> ? SequenceWritten<F> : never

interface Line {
  readonly name: string
  readonly part: Part<unknown>
  readonly when: When | undefined
}

export class Sequence<const F extends SequenceField> implements Part<SequenceValues<F>, SequenceWritten<F>> {
  readonly fields: ReadonlyArray<F>
  /** Where each number stands that stands in front of all that varies. */
  readonly places: ReadonlyMap<string, Place>
  readonly #lines: ReadonlyArray<Line>
  /** Some field is not always there: what others say decides. */
  readonly #isConditional: boolean

  constructor(fields: ReadonlyArray<F>) {
    this.fields = fields
    this.#lines = fields.map(([name, type, , when]) => ({
      name,
      part: partOf(type),
      when
    }))
    this.#isConditional = fields.some(([, , , when]) => when !== undefined)
    const places = new Map<string, Place>()
    let at = 0
    for (const [name, type, , when] of fields) {
      if (!isNumber(type) || when !== undefined) break
      places.set(name, { type, at })
      at += sizeOf(type)
    }
    this.places = places
  }

  /** Of one of those. */
  reader(name: F[0]): Read {
    const place = this.places.get(name)
    invariant(place !== undefined, `BUG: ${name} has no fixed place`)
    return reader(place.type, place.at)
  }

  /** The values of a structure that begins at `at`; undefined where it is cut short. What follows it is left as it is. */
  read(bytes: Buffer, at = 0): SequenceValues<F> | undefined {
    const cursor = new Cursor(bytes, at)
    const values = this.next(cursor)
    return cursor.isBroken ? undefined : values
  }

  /** Where each field that is there begins; undefined where the structure is cut short. */
  placesIn(bytes: Buffer, at = 0): Partial<Readonly<Record<F[0] | "end", number>>> | undefined {
    const cursor = new Cursor(bytes, at)
    const before: Record<string, unknown> = {}
    const places: Record<string, number> = {}
    for (const { name, part, when } of this.#lines) {
      if (when?.(before) === false) continue
      places[name] = cursor.at
      if (this.#isConditional) before[name] = part.next(cursor)
      else part.skip(cursor)
    }
    places["end"] = cursor.at
    return cursor.isBroken ? undefined : (places as Partial<Record<F[0] | "end", number>>)
  }

  next(cursor: Cursor): SequenceValues<F> {
    const values: Record<string, unknown> = {}
    for (const { name, part, when } of this.#lines) {
      if (when?.(values) !== false) values[name] = part.next(cursor)
    }
    return values as SequenceValues<F>
  }

  skip(cursor: Cursor): void {
    this.next(cursor)
  }

  encode(values: SequenceWritten<F>): Buffer {
    const given: Readonly<Record<string, unknown>> = values
    return Buffer.concat(
      this.#lines
        .filter(({ when }) => when?.(given) !== false)
        .map(({ name, part }) => part.encode(given[name]))
    )
  }
}
