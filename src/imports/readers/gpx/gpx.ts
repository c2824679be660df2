/**
 * GPX: the points of tracks that have a time (formats.md, 3.6). Speed is not computed: it is that of the points, if they have
 * one. Laps are left to the recorder, unless a start line of the place is known. A scanner of the few tags that are needed; a DTD
 * is refused.
 */
import { isPointTime, parseDateTime } from "../../../domain/Time.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import {
  type FileReader,
  type Piece,
  type ReadOptions,
  type SourceFile,
  UnreadableFile
} from "../../FileReader.ts"
import { fileStarted } from "../../fileStarted.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { csvNumber } from "../../tables/csv.ts"
import { ours } from "../../tables/importedChannels.ts"
import { factsOfKnown, KNOWN_LINE, KnownLines } from "../../tables/KnownLines.ts"
import { SpeedUnit } from "../../tables/SpeedUnit.ts"
import { TableRows } from "../../tables/TableRows.ts"
import { decoderOf } from "../../tables/textLines.ts"
import { conversion } from "../../tables/units.ts"

const HEAD_BYTES = 64 * 1024
const CHUNK_BYTES = 1 << 18
/** A longer point is none, characters. */
const MAX_POINT = 64 * 1024

const POINT = /<trkpt\b([^<>]*?)(?:\/>|>((?:(?!<trkpt)[\s\S])*?)<\/trkpt>)/g

const isGpx = (head: Uint8Array): boolean => {
  const text = decoderOf(head).decode(head)
  return /^\s*<gpx[\s>]/.test(text.replace(/<\?[^>]*\?>|<!--[\s\S]*?-->/g, ""))
}

const attribute = (text: string, name: string): number =>
  csvNumber(new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(text)?.[1])

/** Extensions have names with a prefix, such as `gpxtpx:speed`. */
const textOf = (text: string, tag: string): string | undefined =>
  new RegExp(`<(?:\\w+:)?${tag}>\\s*([^<]*?)\\s*</`).exec(text)?.[1]

const SPEED = "speed"

/** What points may have besides coordinates: channels, and their tags. */
const optional = [
  ["altitude", "ele"],
  ["speed", SPEED],
  ["gps_heading", "course"],
  ["satellites", "sat"]
] as const

/** The text of the file in pieces that end with a whole point. `isCut`: the last one ends within a point. */
function* points(file: SourceFile) {
  const decoder = decoderOf(file.bytes(0, HEAD_BYTES))
  let rest = ""
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const bytes = file.bytes(at, CHUNK_BYTES)
    const text = rest + decoder.decode(bytes, { stream: true })
    const found = [...text.matchAll(POINT)]
    const last = found.at(-1)
    rest = last === undefined ? text : text.slice(last.index + last[0].length)
    const isCut = rest.includes("<trkpt")
    yield { found, read: Math.min(file.size, at + bytes.length), isCut }
    if (isCut && rest.length > MAX_POINT) return
    // Without the begin of a point only its first letters can matter.
    if (!isCut) rest = rest.slice(-"<trkpt".length)
  }
}

const timeOf = (inside: string): number | undefined => {
  const time = parseDateTime(textOf(inside, "time") ?? "")
  return time !== undefined && isPointTime(time) ? time : undefined
}

const fixOf = (attributes: string) => [attribute(attributes, "lat"), attribute(attributes, "lon")] as const

/** What a first reading of the points shows: laps by a start line that is known, and the unit of the speeds, if there are any. */
const look = (file: SourceFile, { startLines = [] }: ReadOptions, hasSpeed: boolean) => {
  const known = new KnownLines(startLines)
  const speeds = new SpeedUnit()
  for (const { found } of points(file)) {
    for (const [, attributes = "", inside = ""] of found) {
      const time = timeOf(inside)
      if (time === undefined) continue
      const fix = fixOf(attributes)
      known.add(time, ...fix)
      speeds.add(time, ...fix, csvNumber(textOf(inside, SPEED)))
    }
    if (!known.isAny && (!hasSpeed || speeds.isSure)) break
  }
  return { known: known.laps, unit: speeds.unit("m/s") }
}

function* pieces(file: SourceFile, options: ReadOptions): Generator<Piece, void, void> {
  const head = decoderOf(file.bytes(0, HEAD_BYTES)).decode(file.bytes(0, HEAD_BYTES))
  if (/<!DOCTYPE|<!ENTITY/i.test(head)) throw new UnreadableFile("The file has a DTD, which is not read")
  const present = optional.filter(([, tag]) => textOf(head, tag) !== undefined)
  const hasSpeed = present.some(([channel]) => channel === "speed")
  const { known, unit } = look(file, options, hasSpeed)
  const kept = present.filter(([channel]) => channel !== "speed" || unit !== undefined)
  const convert = conversion(unit ?? "m/s", ours("speed")!.unit)
  const rows = new TableRows(
    ["latitude", "longitude", ...kept.map(([channel]) => channel)].map((name, column) => ({
      channel: ours(name)!,
      column,
      convert: name === "speed" ? convert : undefined
    }))
  )
  let laps: Crossings | undefined
  let untimed = 0
  let damage: string | undefined
  for (const { found, isCut, read } of points(file)) {
    const events: Array<SimulatorEvent> = []
    for (const [, attributes = "", inside = ""] of found) {
      const time = timeOf(inside)
      if (time === undefined) {
        untimed++
        continue
      }
      if (laps === undefined) {
        laps = new Crossings(known?.crossings ?? [], time)
        events.push(
          SimulatorEvent.ChannelsDeclared({ groups: rows.declarations }),
          fileStarted({ circuit: "", vehicle: "", driver: "" }, time, laps.isAny)
        )
      }
      const cells = [...fixOf(attributes), ...kept.map(([, tag]) => csvNumber(textOf(inside, tag)))]
      rows.push(time, Float64Array.from(cells))
      if (rows.isFull) events.push(...rows.take(), ...laps.until(rows.last))
    }
    events.push(...rows.take(), ...(laps?.until(rows.last) ?? []))
    damage = isCut ? "The file ends within a point: what is before it was read" : undefined
    yield { events, read }
  }
  if (laps === undefined)
    throw new UnreadableFile(
      untimed > 0 ? "Its points have no times that can be read" : "It has no points of a track"
    )
  const { origin } = rows.plane
  yield {
    events: [...(laps.isAny ? laps.finish(rows.last) : []), SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [
      ...(known === undefined ? [] : [KNOWN_LINE]),
      ...(kept.length < present.length
        ? ["Its speeds are left out: they do not fit the way between its points in any unit"]
        : []),
      ...(untimed === 0 ? [] : [`${untimed} points without a time are left out`])
    ],
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [
      { ...(known === undefined ? {} : factsOfKnown(known)), ...(origin === undefined ? {} : { origin }) }
    ],
    ...(damage === undefined ? {} : { partial: damage })
  }
}

export const reader: FileReader = {
  format: "gpx",
  title: "GPX (.gpx)",
  endings: [".gpx"],
  recognises: isGpx,
  read: pieces
}
