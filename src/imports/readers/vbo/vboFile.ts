/** The sections before the rows of a `.vbo` file (formats.md, 3.4). */
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { decoderOf, lineBytes, textLines } from "../../tables/textLines.ts"

/** Two points of a line of [laptiming], as the file has them: minutes, each longitude or latitude first. */
export interface TimingLine {
  readonly isStart: boolean
  readonly values: readonly [number, number, number, number]
}

export interface VboHead {
  /** Epoch seconds of midnight of the file's day, UTC; undefined if it has none. */
  readonly day: number | undefined
  /** By [column names], in lower case. */
  readonly columns: ReadonlyArray<string>
  /** The unit of each column that its title or [channel units] gives. */
  readonly units: ReadonlyMap<string, string>
  readonly gates: ReadonlyArray<TimingLine>
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly comments: ReadonlyArray<string>
}

const CREATED = /^File created on (\d{1,2})\/(\d{1,2})\/(\d{4})/i
const SECTION = /^\[([^\]]+)\]\s*$/

export const isVbo = (head: Uint8Array): boolean => {
  const text = decoderOf(head).decode(head)
  return /^\[column names\]\s*$/im.test(text) && /^\[data\]\s*$/im.test(text)
}

const dayIn = (lines: ReadonlyArray<string>): number | undefined => {
  const [, day, month, year] = lines.flatMap((line) => CREATED.exec(line) ?? [])
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000
  return date >= 0 ? date : undefined
}

const gateOf = (line: string): ReadonlyArray<TimingLine> => {
  const [, kind = "", rest = ""] = /^(Start|Split)\s+(.*)$/i.exec(line) ?? []
  const values = rest.trim().split(/\s+/).slice(0, 4).map(Number)
  const [a, b, c, d] = values
  if (values.length < 4 || !values.every(Number.isFinite)) return []
  return [{ isStart: kind.toLowerCase() === "start", values: [a!, b!, c!, d!] }]
}

/** `Venue : Lignano` among the comments. */
const commented = (comments: ReadonlyArray<string>, ...names: ReadonlyArray<string>): string => {
  for (const line of comments) {
    const [, key = "", value = ""] = /^([^:]+?)\s*:\s*(.*)$/.exec(line) ?? []
    if (names.includes(key.toLowerCase()) && value !== "") return value
  }
  return ""
}

/** The unit at the end of a title such as `velocity kmh`. */
const unitOfTitle = (titles: ReadonlyArray<string>, column: string): string | undefined => {
  const title = titles.find((one) => one.toLowerCase().startsWith(`${column} `))
  return title?.slice(column.length + 1).trim()
}

/** Columns that every file has, or that have titles of their own: they have no entry in [channel units]. */
const STANDARD = new Set(["sats", "time", "lat", "long", "lng", "velocity", "heading", "height", "vert-vel"])

/** The head, and the lines of rows after it. Throws UnreadableFile without rows. */
export const openVbo = (file: SourceFile): VboHead => {
  const sections = new Map<string, Array<string>>([["", []]])
  let section = ""
  for (const { lines } of textLines(file)) {
    for (const line of lines) {
      const [, name] = SECTION.exec(line.trim()) ?? []
      if (name !== undefined) section = name.toLowerCase()
      if (section === "data") return headOf(sections)
      if (name !== undefined) sections.set(section, [])
      else if (line.trim() !== "") sections.get(section)!.push(line.trim())
    }
  }
  throw new UnreadableFile("The file has no section [data]")
}

const headOf = (sections: ReadonlyMap<string, ReadonlyArray<string>>): VboHead => {
  const of = (name: string) => sections.get(name) ?? []
  const columns = of("column names")
    .join(" ")
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => name !== "")
  if (!columns.includes("time")) throw new UnreadableFile("The file has no column of time")
  const titles = of("header")
  const modules = columns.filter((name) => !STANDARD.has(name))
  const channelUnits = of("channel units")
  const units = new Map<string, string>()
  for (const column of columns) {
    const unit = unitOfTitle(titles, column) ?? channelUnits[modules.indexOf(column)]
    if (unit !== undefined) units.set(column, unit)
  }
  const comments = of("comments")
  const [, name = ""] = of("session data").flatMap((line) => /^name\s+(.*)$/i.exec(line) ?? [])
  return {
    day: dayIn(of("")),
    columns,
    units,
    gates: of("laptiming").flatMap(gateOf),
    circuit: name || commented(comments, "venue", "track", "circuit"),
    vehicle: commented(comments, "vehicle", "car"),
    driver: commented(comments, "driver", "racer"),
    comments
  }
}

const DATA = /^[^\S\n]*\[data\][^\S\n]*(?:\n|$)/im

/** The rows, as the bytes of whole lines. */
export function* rowsOf(file: SourceFile) {
  let isData = false
  for (const { bytes, ...rest } of lineBytes(file)) {
    if (isData) {
      yield { ...rest, bytes }
      continue
    }
    // One character is one byte.
    const found = DATA.exec(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"))
    if (found === null) continue
    isData = true
    yield { ...rest, bytes: bytes.subarray(found.index + found[0].length) }
  }
}
