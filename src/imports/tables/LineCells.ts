/** The cells of a text's lines, read from their bytes: the text of a large file would be as much garbage. Plain. */

const NEW_LINE = 0x0a
const SPACE = 0x20
const PLUS = 0x2b
const MINUS = 0x2d
const COMMA = 0x2c
const POINT = 0x2e
const ZERO = 0x30

/** Spaces and controls are between cells; zeros are of damaged files. */
const isBlank = (byte: number): boolean => byte <= SPACE && byte !== 0

/** The powers of ten that doubles have exactly. */
const POWERS = Array.from({ length: 23 }, (_, n) => 10 ** n)
/** Integers below this are exact, and so are the steps to them. */
const EXACT = 1e15

const otherNumber = (bytes: Uint8Array, from: number, to: number): number => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1")
  const value = Number(text.replace(",", "."))
  return Number.isFinite(value) ? value : Number.NaN
}

/**
 * The number that the bytes `from` to `to` are the text of, as `Number` has it, or with a decimal comma; NaN if they are none, or
 * no finite one. There is at least one byte.
 */
export const numberIn = (bytes: Uint8Array, from: number, to: number): number => {
  const isNegative = bytes[from] === MINUS
  const begin = isNegative || bytes[from] === PLUS ? from + 1 : from
  let point = to
  let value = 0
  let at = begin
  for (; at < to; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO && byte < ZERO + 10) value = value * 10 + (byte - ZERO)
    else if ((byte === POINT || byte === COMMA) && point === to) point = at
    else break
  }
  const decimals = Math.max(0, to - point - 1)
  const digits = to - begin - (point < to ? 1 : 0)
  // An integer over a power of ten is rounded once, and so to the nearest double.
  if (at < to || digits === 0 || value >= EXACT || decimals >= POWERS.length)
    return otherNumber(bytes, from, to)
  const magnitude = value / POWERS[decimals]!
  return isNegative ? -magnitude : magnitude
}

/** The cells of one line after another, with blanks between them. */
export class LineCells {
  /** The cells of the last line: numbers, NaN for one that is no number, is missing, or is not wanted. */
  readonly values: Float64Array
  readonly #isWanted: ReadonlyArray<boolean>
  /** The number of cells in the last line, which may have more than are expected. */
  found = 0

  /** `isWanted`: for each cell that is expected whether its value is needed. */
  constructor(isWanted: ReadonlyArray<boolean>) {
    this.values = new Float64Array(isWanted.length)
    this.#isWanted = isWanted
  }

  /** Whether the last line has all of the cells. */
  get isWhole(): boolean {
    return this.found >= this.values.length
  }

  /** Reads the line that begins at `from`. Returns where the next one begins. */
  read(bytes: Uint8Array, from: number): number {
    const { values } = this
    const { length } = bytes
    let at = from
    let found = 0
    for (;;) {
      while (at < length && isBlank(bytes[at]!) && bytes[at] !== NEW_LINE) at++
      if (at >= length || bytes[at] === NEW_LINE) break
      const begin = at
      while (at < length && !isBlank(bytes[at]!)) at++
      if (found < values.length) {
        values[found] = this.#isWanted[found] === true ? numberIn(bytes, begin, at) : Number.NaN
      }
      found++
    }
    values.fill(Number.NaN, Math.min(found, values.length))
    this.found = found
    return at + 1
  }
}
