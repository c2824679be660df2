/**
 * A packed structure whose fields have no fixed places, because texts and lists have lengths: a table of fields in their order,
 * read by a cursor. Little endian.
 */
import invariant from "tiny-invariant"
import { isNumber, type Place, type Read, reader, sizeOf } from "./numbers.ts"
import { Cursor, type Part, partOf, type Type, type ValueOf, type WrittenOf } from "./parts.ts"

/** Decides whether a field is present, by the values of the numbers before it. */
type When = (before: Readonly<Record<string, unknown>>) => boolean

/** For a structure that has its `version`: a field that exists since this one. */
export const since =
  (version: number): When =>
  (before) =>
    Number(before["version"]) >= version

/** A line of a table. `unit`: as in the sheet. `when`: the field is not always present. */
export type SequenceField = readonly [
  name: string,
  type: Type,
  unit?: string | undefined,
  when?: When | undefined
]

/** Values by name; undefined for absent fields. */
export type SequenceValues<F extends SequenceField> = {
  readonly [X in F as X[3] extends When ? never : X[0]]: ValueOf<X[1]>
} & { readonly [X in F as X[3] extends When ? X[0] : never]?: ValueOf<X[1]> }

type SequenceWritten<F extends SequenceField> = {
  readonly [X in F as X[3] extends When ? never : X[0]]: WrittenOf<X[1]>
} & { readonly [X in F as X[3] extends When ? X[0] : never]?: WrittenOf<X[1]> }

/** The values that a table reads. */
export type ValuesOf<S> = S extends Sequence<infer F> ? SequenceValues<F> : never
/** The values that it is written from. */
export type WrittenBy<S> = S extends Sequence<infer F> ? SequenceWritten<F> : never

interface Line {
  readonly name: string
  readonly part: Part<unknown>
  readonly when: When | undefined
}

export class Sequence<const F extends SequenceField> implements Part<SequenceValues<F>, SequenceWritten<F>> {
  readonly fields: ReadonlyArray<F>
  /** Where each number begins, as long as only fixed fields precede it. */
  readonly places: ReadonlyMap<string, Place>
  readonly #lines: ReadonlyArray<Line>
  /** Whether some field is not always present: the numbers before it decide. */
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

  /** For one of those fields. */
  reader(name: F[0]): Read {
    const place = this.places.get(name)
    invariant(place !== undefined, `BUG: ${name} has no fixed place`)
    return reader(place.type, place.at)
  }

  /** The values of a structure that begins at `at`; undefined where it is cut short. Bytes behind it are ignored. */
  read(bytes: Buffer, at = 0): SequenceValues<F> | undefined {
    const cursor = new Cursor(bytes, at)
    const values = this.next(cursor)
    return cursor.isBroken ? undefined : values
  }

  /** A reader of only these fields, which skips the others. It also returns the bytes, from which channels are read. */
  only<const Name extends F[0] & keyof SequenceValues<F>>(...names: ReadonlyArray<Name>) {
    const empty: Record<string, unknown> = { bytes: undefined }
    for (const name of names) empty[name] = undefined
    return (bytes: Buffer): (Pick<SequenceValues<F>, Name> & { readonly bytes: Buffer }) | undefined => {
      const cursor = new Cursor(bytes, 0)
      // A copy always has the same shape; an object that is built name by name does not.
      const values = { ...empty, bytes }
      this.#pass(cursor, undefined, values)
      return cursor.isBroken
        ? undefined
        : (values as unknown as Pick<SequenceValues<F>, Name> & { readonly bytes: Buffer })
    }
  }

  /** Where each present field begins; undefined where the structure is cut short. */
  placesIn(bytes: Buffer, at = 0): Partial<Readonly<Record<F[0] | "end", number>>> | undefined {
    const cursor = new Cursor(bytes, at)
    const places: Record<string, number> = {}
    this.#pass(cursor, places)
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
    this.#pass(cursor)
  }

  encode(values: SequenceWritten<F>): Buffer {
    const given: Readonly<Record<string, unknown>> = values
    return Buffer.concat(
      this.#lines
        .filter(({ when }) => when?.(given) !== false)
        .map(({ name, part }) => part.encode(given[name]))
    )
  }

  /** Walks through a structure; notes where its fields begin, and reads those that `values` has. It does not decode others. */
  #pass(cursor: Cursor, places?: Record<string, number>, values?: Record<string, unknown>): void {
    const before: Record<string, unknown> = {}
    for (const { name, part, when } of this.#lines) {
      if (when?.(before) === false) continue
      if (places !== undefined) places[name] = cursor.at
      const isWanted = values !== undefined && name in values
      if (!isWanted && !(this.#isConditional && part.isOfNumber === true)) {
        part.skip(cursor)
        continue
      }
      const value = part.next(cursor)
      if (isWanted) values[name] = value
      if (this.#isConditional) before[name] = value
    }
  }
}
