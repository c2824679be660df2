/** Packed text that a kill has cut, and that goes on after it, as the import and the bundled simulator read it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { recordingLines } from "../../simulator/feed/recordingFile.ts"
import { withFile } from "../../src/imports/sourceFile.ts"
import { packedLines } from "../../src/imports/tables/packedLines.ts"

const folder = mkdtempSync(join(tmpdir(), "unpacked-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lines that pack badly, as datagrams do. */
const linesFrom = (seed: number, count: number) => {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  return Array.from({ length: count }, (_, t) =>
    JSON.stringify({ t, hex: next().toString(16).repeat(9) + next() })
  )
}
const packed = (lines: ReadonlyArray<string>) => gzipSync(lines.map((line) => `${line}\n`).join(""))

const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)

const read = async (bytes: Buffer) => {
  const path = join(folder, "cut.ndjson.gz")
  writeFileSync(path, bytes)
  const lines: Array<string> = []
  const damages: Array<string> = []
  for await (const piece of withFile({ path, name: path }, packedLines)) {
    lines.push(...piece.lines)
    if (piece.damage !== undefined) damages.push(piece.damage)
  }
  const played: Array<string> = []
  let failure: string | undefined
  try {
    for await (const some of recordingLines(path)) played.push(...some)
  } catch (error) {
    failure = (error as Error).message
  }
  expect(played).toEqual(lines)
  return { lines, damages, failure }
}

describe("packed text", () => {
  const [first, second, third] = [linesFrom(1, 4000), linesFrom(2, 3000), linesFrom(3, 2)]
  const [one, two, three] = [packed(first), packed(second), packed(third)]

  it("in several members is one text", async () => {
    expect(await read(Buffer.concat([one, two, three]))).toEqual({
      lines: [...first, ...second, ...third],
      damages: [],
      failure: undefined
    })
  })

  it.each([
    2,
    9,
    10,
    11,
    500,
    16_383,
    16_384,
    16_385,
    40_000,
    one.length - 9,
    one.length - 8,
    one.length - 1
  ])("that was cut at byte %i goes on with the next member", async (at) => {
    const { damages, failure, lines } = await read(Buffer.concat([one.subarray(0, at), two, three]))
    const before = lines.length - second.length - third.length
    expect(lines).toEqual([...first.slice(0, before), ...second, ...third])
    // As many lines as were packed by then, within the last piece of the packed text.
    expect(before / first.length).toBeGreaterThan(at / one.length - 0.3)
    expect(damages).toEqual([
      expect.stringMatching(
        /^Its packed text is damaged after \d+ bytes of text; what follows was read, too$/
      )
    ])
    expect(failure).toBeUndefined()
  })

  it("that was cut twice, and at its end, goes on in between, and says so", async () => {
    const { damages, failure, lines } = await read(Buffer.concat([cut(one), cut(two), three.subarray(0, 30)]))
    expect(damages).toHaveLength(3)
    expect(failure).toMatch(/^Its packed text is damaged after \d+ bytes of text$/)
    expect(lines.length).toBeGreaterThan(6900)
    expect(lines.every((line) => first.includes(line) || second.includes(line))).toBe(true)
  })
})
