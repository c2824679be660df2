/** Captures as lines `{"t": seconds since the first, "hex": "the datagram's bytes"}`, packed by gzip or not. */
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

const datagramOf = (line: string): Datagram | undefined => {
  try {
    const { hex, t } = JSON.parse(line) as { readonly hex?: unknown; readonly t?: unknown }
    if (typeof hex !== "string" || typeof t !== "number" || !(t >= 0)) return undefined
    const bytes = Buffer.from(hex, "hex")
    return bytes.length * 2 === hex.length ? { time: t, from: "", port: 0, bytes } : undefined
  } catch {
    return undefined
  }
}

export async function* capturedInLines(file: SourceFile): AsyncGenerator<Captured, void, void> {
  for await (const { damage, lines, read } of packedLines(file)) {
    const found = lines.map(datagramOf)
    const datagrams = found.filter((one) => one !== undefined)
    yield { datagrams, read, damage, leftOut: { unreadable_lines: found.length - datagrams.length } }
  }
}
