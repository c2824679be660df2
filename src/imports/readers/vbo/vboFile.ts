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
  const hasColumns = /^\[column names\]\s*$/im.test(text) || /^\[header\]\s*$[^[]*^latitude\s*$/im.test(text)
  return hasColumns && /^\[data\]\s*$/im.test(text)
}

const dayIn = (lines: ReadonlyArray<string>): number | undefined => {
  const [, day, month, year] = lines.flatMap((line) => CREATED.exec(line) ?? [])
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000
  return date >= 0 ? date : undefined
}

const gateOf = (line: string): ReadonlyArray<TimingLine> => {
  const [, kind = "", rest = ""] = /^(Start|Split)\s+(.*)$/i.exec(line) ?? []
  const cells = rest.trim().split(/\s+/).slice(0, 4)
  const values = cells.map((cell) => Number(cell.replace(",", ".")))
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

/** Takes the lines of a file's sections. Those of rows are left out. */
class Sections {
  readonly #lines = new Map<string, Array<string>>([["", []]])
  section = ""

  take(line: string): void {
    const text = line.trim()
    const [, name] = SECTION.exec(text) ?? []
    if (name !== undefined) {
      this.section = name.toLowerCase()
      this.#lines.set(this.section, [])
    } else if (text !== "" && this.section !== "data") this.#lines.get(this.section)!.push(text)
  }

  of(name: string): ReadonlyArray<string> {
    return this.#lines.get(name) ?? []
  }
}

/** The sections after the rows, which loggers write when a drive ends, are within the last bytes. */
const TAIL_BYTES = 64 * 1024

const tailOf = (file: SourceFile): ReadonlyArray<string> => {
  const bytes = file.bytes(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES)
  const lines = decoderOf(bytes).decode(bytes).split(/\r?\n/)
  return lines.slice(lines.findLastIndex((line) => /^\[data\]\s*$/i.test(line)) + 1)
}

/** What the sections before and after the rows tell. Throws UnreadableFile without rows. */
export const openVbo = (file: SourceFile): VboHead => {
  const sections = new Sections()
  for (const { lines } of textLines(file)) {
    for (const line of lines) {
      sections.take(line)
      if (sections.section !== "data") continue
      for (const last of tailOf(file)) sections.take(last)
      return headOf(sections)
    }
  }
  throw new UnreadableFile("The file has no section [data]")
}

/** The columns that the titles of [header] mean where a file has no [column names]; others have their titles as names. */
const columnsByTitle: Readonly<Record<string, string>> = {
  satellites: "sats",
  latitude: "lat",
  longitude: "long",
  "vertical velocity": "vert-vel",
  "long accel": "longacc",
  "lat accel": "latacc"
}

const columnOfTitle = (title: string): string => {
  const name = title.toLowerCase().replace(/\s+(kmh|km\/h|knots|mph|m\/s|g)$/, "")
  return columnsByTitle[name] ?? name.replace(/\s+/g, "_")
}

const headOf = (sections: Sections): VboHead => {
  const of = (name: string) => sections.of(name)
  const titles = of("header")
  const named = of("column names").join(" ").toLowerCase().split(/\s+/)
  const columns = of("column names").length > 0 ? named : titles.map(columnOfTitle)
  if (!columns.includes("time")) throw new UnreadableFile("The file has no column of time")
  const channelUnits = of("channel units").map((unit) => (unit === "(null)" ? "" : unit))
  const units = new Map<string, string>()
  for (const [n, column] of columns.entries()) {
    // The list is of the last columns: those of the device itself have none, or have it in their titles.
    const unit = unitOfTitle(titles, column) ?? channelUnits[n - columns.length + channelUnits.length]
    if (unit !== undefined) units.set(column, unit)
  }
  const comments = of("comments")
  const [, name = ""] = [...of("session data"), ...of("circuit details")].flatMap(
    (line) => /^(?:name|circuit)\s+(.*)$/i.exec(line) ?? []
  )
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

const MAX_SECTION_BYTES = 64

/** Where the next section begins, in whole lines; -1 if none does. */
const sectionIn = (lines: Buffer): number => {
  for (let at = 0; at >= 0; at = lines.indexOf("\n[", at) + 1 || -1) {
    const [line = ""] = lines.toString("latin1", at, at + MAX_SECTION_BYTES).split("\n")
    if (SECTION.test(line.trim())) return at
  }
  return -1
}

/** The rows, as the bytes of whole lines. */
export function* rowsOf(file: SourceFile) {
  let isData = false
  for (const { bytes, ...rest } of lineBytes(file)) {
    let lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    if (!isData) {
      // One character is one byte.
      const found = DATA.exec(lines.toString("latin1"))
      if (found === null) continue
      isData = true
      lines = lines.subarray(found.index + found[0].length)
    }
    const end = sectionIn(lines)
    yield { ...rest, bytes: end < 0 ? lines : lines.subarray(0, end) }
    if (end >= 0) return
  }
}
