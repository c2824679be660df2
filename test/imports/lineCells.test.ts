/** Cells of text lines, held to JavaScript's own reading of the same text. */
import { describe, expect, it } from "vitest"
import { LineCells, numberIn } from "../../src/imports/tables/LineCells.ts"

const encoder = new TextEncoder()

const read = (text: string) => {
  const bytes = encoder.encode(`x${text}x`)
  return numberIn(bytes, 1, bytes.length - 1)
}

/** A generator with a fixed seed. */
const numbersFrom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

describe("a number in bytes", () => {
  it("is the double that Number makes of its text", () => {
    const random = numbersFrom(45)
    const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("")
    const wrong: Array<string> = []
    for (let n = 0; n < 100_000; n++) {
      const sign = ["", "+", "-"][n % 3]!
      const whole = digits(Math.floor(random() * 18))
      const text = `${sign}${whole}${n % 5 === 0 ? "" : `.${digits(Math.floor(random() * 25))}`}`
      if (!/\d/.test(text)) continue
      if (!Object.is(read(text), Number(text))) wrong.push(text)
    }
    expect(wrong).toEqual([])
  })

  it("may be of an unusual form, and is absent where there is none", () => {
    for (const text of ["1e5", "-2.5E-3", "0x10", "-0", ".5", "5.", "000123.4500", "9007199254740993"]) {
      expect([text, read(text)]).toEqual([text, Number(text)])
    }
    for (const text of ["1,5", "+12,25e1"])
      expect([text, read(text)]).toEqual([text, Number(text.replace(",", "."))])
    for (const text of [
      ".",
      "-",
      "+",
      "--5",
      "1.2.3",
      "abc",
      "1,2,3",
      "1.2,3",
      "Infinity",
      "1e999",
      "\u00e9"
    ]) {
      expect([text, read(text)]).toEqual([text, Number.NaN])
    }
  })
})

/** What is read of each line. */
const allLines = (text: string, isWanted: ReadonlyArray<boolean>) => {
  const bytes = encoder.encode(text)
  const line = new LineCells(isWanted)
  const lines: Array<unknown> = []
  for (let at = 0; at < bytes.length;) {
    at = line.read(bytes, at)
    lines.push([...line.values, line.found, line.isWhole])
  }
  return lines
}

describe("the cells of lines", () => {
  it("are between blanks; a line may have fewer or more, or none", () => {
    expect(allLines("1 2.5\t 3\r\n 4  x 6 7\n\r\n \n8", [true, true, true])).toEqual([
      [1, 2.5, 3, 3, true],
      [4, Number.NaN, 6, 4, true],
      [Number.NaN, Number.NaN, Number.NaN, 0, false],
      [Number.NaN, Number.NaN, Number.NaN, 0, false],
      [8, Number.NaN, Number.NaN, 1, false]
    ])
  })

  it("that are not wanted are counted, and zeros of a damaged file are no blanks", () => {
    expect(allLines("1 2 3\n\0\0\0", [false, true, false])).toEqual([
      [Number.NaN, 2, Number.NaN, 3, true],
      [Number.NaN, Number.NaN, Number.NaN, 1, false]
    ])
  })
})
