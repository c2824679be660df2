/** A file does one thing: a longer one than this gives in its header the reason why it is not split. */
import { expect, it } from "vitest"
import { type Source, sourcesIn } from "./sources.ts"

const MAX_LINES = 250

/** The first comment of a file, in our languages that have comments. */
const HEADER = /^\/\*\*?[^]*?\*\//

const linesOf = (text: string) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0)

const tooLong = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources
    .map(({ path, text }) => ({ path, lines: linesOf(text), header: HEADER.exec(text)?.[0] ?? "" }))
    .filter(({ header, lines }) => lines > MAX_LINES && !/\bOver 250 lines: \w/.test(header))
    .map(
      ({ lines, path }) =>
        `${path} has ${lines} lines: split it, or say why not in its header ("Over 250 lines: ...")`
    )

const reported = (over: Partial<Source>, lines: number) =>
  tooLong([{ path: "src/madeUp.ts", text: (over.text ?? "") + "const x = 1\n".repeat(lines) }])

it("no file is long without a reason", () => {
  const sources = sourcesIn(["src", "simulator", "demo", "web/src", "bench", "tools"], /\.(?:tsx?|mjs|css)$/)
  expect(sources.length).toBeGreaterThan(600)
  expect(tooLong(sources)).toEqual([])
})

it("a long file is reported, unless its header has the reason", () => {
  expect(reported({}, MAX_LINES)).toEqual([])
  expect(reported({}, MAX_LINES + 1)).toEqual([
    'src/madeUp.ts has 251 lines: split it, or say why not in its header ("Over 250 lines: ...")'
  ])
  expect(reported({ text: "/**\n * Does it.\n *\n * Over 250 lines: it is a table.\n */\n" }, 300)).toEqual(
    []
  )
  expect(reported({ text: "/** Does it. Over 250 lines: */\n" }, 300)).toHaveLength(1)
  expect(reported({ text: "const a = 1\n/** Over 250 lines: it is a table. */\n" }, 300)).toHaveLength(1)
})
