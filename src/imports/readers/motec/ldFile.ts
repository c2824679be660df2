/** The layout of MoTeC's `.ld` logs (formats.md, 3.2): header, list of channels, and samples. */
import { isUnit } from "../../tables/units.ts"
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"

const MAGIC = 0x40
const HEADER_BYTES = 1762
/** Some writers' entries are shorter than MoTeC's 124 bytes; all that is read is in these. */
const ENTRY_BYTES = 84
const MAX_CHANNELS = 4096
/** What is read of an event, and where it has the position of its venue. */
const EVENT_BYTES = 1156
const VENUE_BYTES = 1102

export type Stored = "i8" | "i16" | "i32" | "f16" | "f32"
const bytesOf: Readonly<Record<Stored, number>> = { i8: 1, i16: 2, i32: 4, f16: 2, f32: 4 }

export interface LdChannel {
  readonly name: string
  readonly unit: string
  /** Hz; not always whole. */
  readonly rate: number
  /** The number of samples that the file has, and where they stand. */
  readonly count: number
  readonly at: number
  readonly stored: Stored
  /** value = (stored / divisor x factor + shift) x multiplier. */
  readonly shift: number
  readonly multiplier: number
  readonly divisor: number
  readonly factor: number
}

export interface LdFile {
  readonly date: string
  readonly time: string
  readonly driver: string
  readonly vehicle: string
  readonly venue: string
  /** Texts of the head, for the session's facts. */
  readonly texts: Readonly<Record<string, string>>
  readonly channels: ReadonlyArray<LdChannel>
  /** Channels of which the samples cannot be read. */
  readonly leftOut: ReadonlyArray<string>
  /** The first thing that is missing of a damaged file. */
  readonly damage: string | undefined
}

const windows1252 = new TextDecoder("windows-1252")

const textAt = (bytes: Uint8Array, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return windows1252.decode(end < 0 ? field : field.subarray(0, end)).trim()
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const isLd = (head: Uint8Array, size: number): boolean => {
  if (head.length < 16) return false
  const view = viewOf(head)
  return view.getUint32(0, true) === MAGIC && view.getUint32(4, true) === 0 && view.getUint32(8, true) < size
}

const storedAs = (type: number, bytes: number): Stored | undefined => {
  if (type === 7) return bytes === 2 ? "f16" : bytes === 4 ? "f32" : undefined
  if (type !== 0 && type !== 3 && type !== 5) return undefined
  return bytes === 1 ? "i8" : bytes === 2 ? "i16" : bytes === 4 ? "i32" : undefined
}

/** Some writers have 16 bits in a position, and text behind them. */
const position = (given: number, length: number, size: number): number | undefined =>
  [given, given & 0xffff].find((at) => at > 0 && at + length <= size)

/** Texts of the event, its venue and its vehicle. */
const eventTexts = (file: SourceFile, given: number): Readonly<Record<string, string>> => {
  const at = position(given, EVENT_BYTES, file.size)
  if (at === undefined) return {}
  const event = file.bytes(at, EVENT_BYTES)
  const texts = {
    event: textAt(event, 0, 64),
    event_session: textAt(event, 64, 64),
    comment: textAt(event, 128, 1024)
  }
  const venueAt = position(viewOf(event).getUint32(1152, true), VENUE_BYTES, file.size)
  if (venueAt === undefined) return texts
  const venue = file.bytes(venueAt, VENUE_BYTES)
  const vehicleAt = position(viewOf(venue).getUint32(1098, true), 64, file.size)
  return {
    ...texts,
    venue: textAt(venue, 0, 64),
    ...(vehicleAt === undefined ? {} : { vehicle: textAt(file.bytes(vehicleAt, 64), 0, 64) })
  }
}

interface Entry {
  readonly next: number
  readonly name: string
  readonly channel: LdChannel | undefined
  readonly missing: number
}

const entryAt = (entry: Uint8Array, size: number): Entry => {
  const view = viewOf(entry)
  const [next, at, counted] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)]
  const [type, bytes, rate] = [view.getUint16(18, true), view.getUint16(20, true), view.getUint16(22, true)]
  const [shift, multiplier, scale, decimals] = [24, 26, 28, 30].map((offset) =>
    view.getInt16(offset, true)
  ) as [number, number, number, number]
  const name = textAt(entry, 32, 32)
  const unit = textAt(entry, 72, 12)
  // M1 devices write the unit into the short name.
  const short = textAt(entry, 64, 8)
  const stored = storedAs(type, bytes)
  if (stored === undefined || rate === 0) return { next, name, channel: undefined, missing: 0 }
  const count = Math.max(0, Math.min(counted, Math.floor((size - at) / bytes)))
  return {
    next,
    name,
    missing: counted - count,
    channel: {
      name,
      unit: unit === "" && isUnit(short) ? short : unit,
      rate,
      count,
      at,
      stored,
      shift,
      multiplier: multiplier === 0 ? 1 : multiplier,
      // By division: 199 / 10 is 19.9, and 199 x 0.1 is 19.900000000000002.
      divisor: (scale === 0 ? 1 : scale) * 10 ** Math.max(0, decimals),
      factor: 10 ** Math.max(0, -decimals)
    }
  }
}

/** A channel that claims another length than most others has another rate. */
const MAX_OFF_SHARE = 0.02
const MAX_OFF_S = 1

const withTrueRates = (channels: ReadonlyArray<LdChannel>): ReadonlyArray<LdChannel> => {
  const lengths = channels.map(({ count, rate }) => count / rate).toSorted((a, b) => a - b)
  const usual = lengths[lengths.length >> 1] ?? 0
  return channels.map((channel) => {
    const off = Math.abs(channel.count / channel.rate - usual)
    return off > MAX_OFF_S && off > MAX_OFF_SHARE * usual && usual > 0
      ? { ...channel, rate: channel.count / usual }
      : channel
  })
}

/** Throws UnreadableFile if the header is damaged. */
export const openLd = (file: SourceFile): LdFile => {
  const head = file.bytes(0, HEADER_BYTES)
  if (head.length < HEADER_BYTES) throw new UnreadableFile("The file ends within its header")
  const view = viewOf(head)
  const channels: Array<LdChannel> = []
  const leftOut: Array<string> = []
  let damage: string | undefined
  const seen = new Set<number>()
  for (let at = view.getUint32(8, true); at !== 0;) {
    if (seen.has(at) || seen.size >= MAX_CHANNELS) {
      damage ??= `The list of channels runs in a circle at byte ${at}`
      break
    }
    if (at + ENTRY_BYTES > file.size) {
      damage ??= `The list of channels leaves the file at byte ${at}`
      break
    }
    seen.add(at)
    const { channel, missing, name, next } = entryAt(file.bytes(at, ENTRY_BYTES), file.size)
    if (missing > 0) damage ??= `${missing} samples of ${name} are missing at the end of the file`
    if (channel === undefined || channel.count === 0) leftOut.push(name)
    else channels.push(channel)
    at = next
  }
  const event = eventTexts(file, view.getUint32(36, true))
  const given = {
    session: textAt(head, 1508, 64),
    comment: textAt(head, 1572, 64),
    device: textAt(head, 74, 8)
  }
  return {
    date: textAt(head, 94, 16),
    time: textAt(head, 126, 16),
    driver: textAt(head, 158, 64),
    vehicle: textAt(head, 222, 64) || (event["vehicle"] ?? ""),
    venue: textAt(head, 350, 64) || (event["venue"] ?? ""),
    texts: Object.fromEntries(Object.entries({ ...event, ...given }).filter(([, text]) => text !== "")),
    channels: withTrueRates(channels),
    leftOut,
    damage
  }
}

const half = (bits: number): number => {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024)
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024)
}

/** The samples `from` to `until` of a channel, as values in its unit. */
export const readSamples = (
  file: SourceFile,
  channel: LdChannel,
  from: number,
  until: number
): Float64Array => {
  const { at, divisor, factor, multiplier, shift, stored } = channel
  const size = bytesOf[stored]
  const bytes = file.bytes(at + from * size, (until - from) * size)
  const view = viewOf(bytes)
  const length = Math.floor(bytes.length / size)
  const values = new Float64Array(length)
  switch (stored) {
    case "i8":
      for (let i = 0; i < length; i++) values[i] = view.getInt8(i)
      break
    case "i16":
      for (let i = 0; i < length; i++) values[i] = view.getInt16(2 * i, true)
      break
    case "i32":
      for (let i = 0; i < length; i++) values[i] = view.getInt32(4 * i, true)
      break
    case "f16":
      for (let i = 0; i < length; i++) values[i] = half(view.getUint16(2 * i, true))
      break
    case "f32":
      for (let i = 0; i < length; i++) values[i] = view.getFloat32(4 * i, true)
  }
  if (divisor !== 1 || factor !== 1 || shift !== 0 || multiplier !== 1) {
    for (let i = 0; i < length; i++) values[i] = ((values[i]! * factor) / divisor + shift) * multiplier
  }
  return values
}

/** Samples that are read together. */
const PIECE = 65_536

/** All samples of a channel, piece by piece. */
export function* samplesOf(file: SourceFile, channel: LdChannel): Generator<Float64Array, void, void> {
  for (let from = 0; from < channel.count; from += PIECE) {
    yield readSamples(file, channel, from, Math.min(channel.count, from + PIECE))
  }
}
