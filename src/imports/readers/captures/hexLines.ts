/**
 * Captures as lines `{"t": seconds since the first, "hex": "the datagram's bytes"}`, packed by gzip or not. A line may also have
 * `start`, the epoch seconds at which its time and those after it begin: the service's own raw datagrams have it.
 */
import { isPointTime } from "../../../domain/Time.ts"
import type { SourceFile } from "../../FileReader.ts"
import { headText, packedLines } from "../../tables/packedLines.ts"
import type { CaptureFormat, Captured, Datagram } from "./Datagram.ts"

const FIRST_LINE = /^\uFEFF?\s*\{(?=[^\n}]{0,4096}?"t"\s*:)[^\n}]*?"hex"\s*:/

export const format: CaptureFormat = {
  format: "capture",
  title: "capture of a game's datagrams (.ndjson, .ndjson.gz)",
  endings: [".ndjson", ".ndjson.gz"],
  recognises: (head) => FIRST_LINE.test(headText(head)),
  isDated: false
}

interface Line {
  readonly datagram: Datagram
  readonly start: number | undefined
}

const lineOf = (line: string): Line | undefined => {
  try {
    const { hex, start, t } = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (typeof hex !== "string" || typeof t !== "number" || !(t >= 0)) return undefined
    const bytes = Buffer.from(hex, "hex")
    if (bytes.length * 2 !== hex.length) return undefined
    return {
      datagram: { time: t, from: "", port: 0, bytes },
      start: typeof start === "number" && isPointTime(start) ? start : undefined
    }
  } catch {
    return undefined
  }
}

export async function* capturedInLines(file: SourceFile): AsyncGenerator<Captured, void, void> {
  let start: number | undefined
  for await (const { damage, lines, read } of packedLines(file)) {
    const found = lines.map(lineOf).filter((one) => one !== undefined)
    const datagrams = found.map((line) => {
      start = line.start ?? start
      return { ...line.datagram, time: (start ?? 0) + line.datagram.time }
    })
    const leftOut = { unreadable_lines: lines.length - datagrams.length }
    yield { datagrams, isDated: start !== undefined, read, damage, leftOut }
  }
}
