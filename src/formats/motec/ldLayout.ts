/**
 * The bytes of a MoTeC `.ld` log (formats.md, 4.2). Positions and constants are those of logs of MoTeC's own loggers: a
 * written file with them did open in i2. Little endian throughout.
 */

const EVENT_AT = 1762
const VENUE_AT = 4918
const VEHICLE_AT = 8020
const CHANNELS_AT = 13_384
const ENTRY_BYTES = 124
const FIRST_ID = 12_001

/** How samples are stored: single floats, whole numbers of 16 bits, or of 32 bits with seven decimals (degrees). */
export type LdStored = "float" | "short" | "degrees"

const types: Readonly<Record<LdStored, readonly [type: number, bytes: number, decimals: number]>> = {
  float: [7, 4, 0],
  short: [3, 2, 0],
  degrees: [5, 4, 7]
}

export const bytesOf = (stored: LdStored): number => types[stored][1]

export interface LdOutChannel {
  /** At most 32 characters. */
  readonly name: string
  /** At most 11 characters. */
  readonly unit: string
  readonly stored: LdStored
  /** Hz. */
  readonly rate: number
  readonly count: number
}

export interface LdTexts {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly session: string
  readonly comment: string
  /** Epoch seconds of the first samples. */
  readonly start: number
}

/** Characters that Windows-1252 lacks become question marks. */
const text = (bytes: Buffer, at: number, length: number, value: string): void => {
  bytes.write(value.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, "?").slice(0, length - 1), at, "latin1")
}

const two = (value: number) => String(value).padStart(2, "0")

/** The head of the file, and where each channel's samples begin, bytes. Samples follow one another in order. */
export const ldHead = (
  channels: ReadonlyArray<LdOutChannel>,
  texts: LdTexts
): { readonly head: Buffer; readonly samplesAt: ReadonlyArray<number>; readonly size: number } => {
  const head = Buffer.alloc(CHANNELS_AT + channels.length * ENTRY_BYTES)
  const samplesAt: Array<number> = []
  let size = head.length
  for (const { count, stored } of channels) {
    samplesAt.push(size)
    size += count * bytesOf(stored)
  }
  if (size > 0xffff_ffff) return { head, samplesAt, size }
  const start = new Date(texts.start * 1000)
  head.writeUInt32LE(0x40, 0)
  head.writeUInt32LE(CHANNELS_AT, 8)
  head.writeUInt32LE(CHANNELS_AT + channels.length * ENTRY_BYTES, 12)
  head.writeUInt32LE(EVENT_AT, 36)
  head.writeUInt32LE(1_000_000, 66)
  head.writeUInt32LE(12_007, 70)
  text(head, 74, 8, "ADL")
  head.writeUInt16LE(420, 82)
  head.writeUInt16LE(0x80, 84)
  // An M1 repeats the number behind it; an ADL does not, and some readers take both for one number of 32 bits.
  head.writeUInt16LE(channels.length, 86)
  head.writeUInt32LE(0x0001_0064, 90)
  const day = `${two(start.getUTCDate())}/${two(start.getUTCMonth() + 1)}/${start.getUTCFullYear()}`
  text(head, 94, 16, day)
  text(head, 126, 16, start.toISOString().slice(11, 19))
  text(head, 158, 64, texts.driver)
  text(head, 222, 64, texts.vehicle)
  text(head, 350, 64, texts.circuit)
  head.writeUInt32LE(0xd2_0822, 1502)
  text(head, 1508, 64, texts.session)
  text(head, 1572, 64, texts.comment)
  text(head, EVENT_AT, 64, texts.circuit)
  text(head, EVENT_AT + 64, 64, texts.session)
  text(head, EVENT_AT + 128, 1024, texts.comment)
  head.writeUInt32LE(VENUE_AT, EVENT_AT + 1152)
  text(head, VENUE_AT, 64, texts.circuit)
  head.writeUInt32LE(VEHICLE_AT, VENUE_AT + 1098)
  text(head, VEHICLE_AT, 64, texts.vehicle)
  channels.forEach(({ count, name, rate, stored, unit }, n) => {
    const at = CHANNELS_AT + n * ENTRY_BYTES
    const [type, bytes, decimals] = types[stored]
    head.writeUInt32LE(n === 0 ? 0 : at - ENTRY_BYTES, at)
    head.writeUInt32LE(n === channels.length - 1 ? 0 : at + ENTRY_BYTES, at + 4)
    head.writeUInt32LE(samplesAt[n]!, at + 8)
    head.writeUInt32LE(count, at + 12)
    head.writeUInt16LE(FIRST_ID + n, at + 16)
    head.writeUInt16LE(type, at + 18)
    head.writeUInt16LE(bytes, at + 20)
    head.writeUInt16LE(rate, at + 22)
    head.writeInt16LE(1, at + 26)
    head.writeInt16LE(1, at + 28)
    head.writeInt16LE(decimals, at + 30)
    text(head, at + 32, 33, name)
    text(head, at + 64, 8, name.replace(/[^A-Za-z0-9]/g, "").slice(0, 7))
    text(head, at + 72, 12, unit)
  })
  return { head, samplesAt, size }
}

/** The samples of a channel as stored; values that do not fit are the nearest that do, absent ones 0. */
export const stored = (values: Float64Array, as: LdStored): Buffer => {
  const size = bytesOf(as)
  const bytes = Buffer.alloc(values.length * size)
  for (let i = 0; i < values.length; i++) {
    const value = Number.isNaN(values[i]) ? 0 : values[i]!
    if (as === "float") bytes.writeFloatLE(value, i * size)
    else if (as === "short")
      bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), i * size)
    else bytes.writeInt32LE(Math.round(value * 1e7), i * size)
  }
  return bytes
}
