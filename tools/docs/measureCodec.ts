/**
 * Measures the figures of docs/codec.md: bytes per value by kind of channel, and bytes per point.
 *
 *   npm run measure:codec -- FOLDER
 *
 * Writes the columns into FOLDER. If FOLDER has a peers.json, made of them by codec/peers.py, its figures are printed too.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { channels } from "../../src/domain/pointChannels.ts"
import { BLOCK_ROWS } from "../../src/store/sqlite/blockCodec.ts"
import { packWhole, unpackWhole } from "../../src/store/sqlite/wholeColumns.ts"
import { type MeasuredColumn, measuredColumns } from "./codec/columns.ts"
import { needSharedData } from "./sharedData.ts"

needSharedData()

interface Peers {
  readonly zstd: number
  readonly parquet: number
  readonly bestParquet: number
}

const folder = process.argv[2]
if (folder === undefined) throw new Error("which folder? npm run measure:codec -- FOLDER")
mkdirSync(folder, { recursive: true })

const columns = measuredColumns()
const bytesOf = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

const described = columns.map(({ kind, name, source, values }, index) => {
  const file = `${index}.f64`
  writeFileSync(join(folder, file), bytesOf(values))
  return { file, source, kind, name }
})
writeFileSync(join(folder, "columns.json"), JSON.stringify(described))

const peersFile = join(folder, "peers.json")
const peers = existsSync(peersFile)
  ? (JSON.parse(readFileSync(peersFile, "utf8")) as ReadonlyArray<Peers>)
  : undefined

const blocksOf = ({ values }: MeasuredColumn): ReadonlyArray<Float64Array> =>
  Array.from({ length: Math.ceil(values.length / BLOCK_ROWS) }, (_, block) =>
    values.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
  )

const packed = (values: Float64Array, effort: "quick" | "thorough"): number => {
  const bytes = packWhole(values, effort)
  const found = new Float64Array(values.length)
  unpackWhole(bytes, found)
  if (!bytesOf(found).equals(bytesOf(values))) throw new Error("a column came back as another")
  return bytes.length
}

const sum = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0)

const measured = columns.map((column, index) => {
  const blocks = blocksOf(column)
  return {
    ...column,
    sizes: {
      quick: sum(blocks.map((values) => packed(values, "quick"))),
      thorough: sum(blocks.map((values) => packed(values, "thorough"))),
      zlib: sum(blocks.map((values) => deflateSync(bytesOf(values)).length)),
      ...peers?.[index]
    }
  }
})
type Measured = (typeof measured)[number]
type Size = keyof Measured["sizes"]

/** Bytes per value over all columns. */
const bytesAValue = (of: ReadonlyArray<Measured>, size: Size): number =>
  sum(of.map(({ sizes }) => sizes[size] ?? Number.NaN)) / sum(of.map(({ values }) => values.length))

const shown = (value: number) => (Number.isNaN(value) ? "" : value.toFixed(value < 0.1 ? 3 : 2))
const row = (cells: ReadonlyArray<string>) => console.log(`| ${cells.join(" | ")} |`)

const sizes: ReadonlyArray<readonly [Size, string]> = [
  ["quick", "service, quick"],
  ["thorough", "service, thorough"],
  ["zlib", "zlib 6"],
  ["zstd", "zstd 19"],
  ["parquet", "Parquet"],
  ["bestParquet", "Parquet, best"]
]

const isReal = ({ source }: Measured) => !source.startsWith("simulator")
for (const [title, of] of [
  ["the bundled simulator's groups", measured.filter(({ source }) => source === "simulator, groups")],
  ["real simulators and cars", measured.filter(isReal)]
] as const) {
  console.log(`\nbytes a value, ${title}\n`)
  row(["kind of channel", "columns", ...sizes.map(([, name]) => name)])
  row(["---", "---", ...sizes.map(() => "---")])
  const kinds = [...new Set(of.map(({ kind }) => kind))].toSorted()
  for (const kind of [...kinds, undefined]) {
    const these = of.filter((one) => kind === undefined || one.kind === kind)
    const cells = sizes.map(([size]) => shown(bytesAValue(these, size)))
    row([kind ?? "**all**", String(these.length), ...cells])
  }
}

console.log("\nbytes a point of ten channels\n")
row(["points of", "quick", "thorough", "zlib 6"])
row(["---", "---", "---", "---"])
const ten = new Set<string>(channels)
for (const source of new Set(measured.map((one) => one.source))) {
  const these = measured.filter((one) => one.source === source && ten.has(one.name))
  if (new Set(these.map(({ name }) => name)).size !== ten.size) continue
  const bytes = (["quick", "thorough", "zlib"] as const).map(
    (size) => sum(these.map((one) => one.sizes[size])) / these[0]!.values.length
  )
  row([source, ...bytes.map((value) => value.toFixed(2))])
}
