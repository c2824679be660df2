/**
 * The common part of rows of one table with the same channels: their bytes as ILP, except for the values and the time.
 */
import { columnOf } from "./schema.ts"

/** Digits of nanoseconds since 1970. */
export const TIME_DIGITS = 19
/** "column==" followed by this byte announces the eight bytes of a double. */
const BINARY_DOUBLE = 16

interface Template {
  readonly bytes: Buffer
  /** For each written column: its position in the batch, and the offset of its eight bytes in the row. */
  readonly sources: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
  /** The offset of the time's digits. */
  readonly time: number
}

const templateOf = (table: string, key: string, written: ReadonlyArray<string | undefined>): Template => {
  const parts: Array<Buffer> = [Buffer.from(`${table},session=${key} `)]
  const sources: Array<number> = []
  const values: Array<number> = []
  let length = parts[0]!.length
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  written.forEach((name, c) => {
    if (name === undefined) return
    add(Buffer.from(`${c === 0 ? "" : ","}${name}==`))
    add(Buffer.from([BINARY_DOUBLE]))
    sources.push(c)
    values.push(length)
    add(Buffer.alloc(8))
  })
  add(Buffer.from(" "))
  const time = length
  add(Buffer.alloc(TIME_DIGITS, "0"))
  add(Buffer.from("\n"))
  return { bytes: Buffer.concat(parts), sources, values, time }
}

export class RowLayout {
  readonly table: string
  /** The channels of the batches. */
  readonly channels: ReadonlyArray<string>
  /** The column of each channel; undefined for a channel that is left out. */
  readonly #columns: ReadonlyArray<string | undefined>
  readonly #templates = new Map<string, Template>()

  /** `without`: channels for which the table has no column. */
  constructor(table: string, channels: ReadonlyArray<string>, without: ReadonlySet<string> = new Set()) {
    this.table = table
    this.channels = channels
    this.#columns = channels.map((channel) => (without.has(channel) ? undefined : columnOf(channel)))
  }

  template(key: string): Template {
    const known = this.#templates.get(key)
    if (known !== undefined) return known
    const template = templateOf(this.table, key, this.#columns)
    this.#templates.set(key, template)
    return template
  }

  /** The bytes that a row of the session takes. */
  rowBytes(key: string): number {
    return this.template(key).bytes.length
  }

  /** Drops the session's template; the session gets no more rows for now. */
  forget(key: string): void {
    this.#templates.delete(key)
  }

  /** Whether no session uses the layout now. */
  get isUnused(): boolean {
    return this.#templates.size === 0
  }
}
