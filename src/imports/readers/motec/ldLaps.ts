/** Where a MoTeC log has the crossings of the line, in the order in which they are trusted (formats.md, 3.2). */
import type { SourceFile } from "../../FileReader.ts"
import { type Crossing, MAX_DIFFERENCE_S } from "../../tables/Crossings.ts"
import { type LdChannel, type LdFile, samplesOf } from "./ldFile.ts"

/** For the session's facts: its laps are those of the `.ldx` file. */
export const OF_LDX = "beacons of the .ldx file"

const BEACONS = /<MarkerGroup\b[^>]*\bName="Beacons"[^>]*>([\s\S]*?)<\/MarkerGroup>/i
const TIME = /<Marker\b[^>]*\bTime="([^"]*)"/gi

/** The beacons of a `.ldx` file, s since the first sample, in order; undefined if it is none, or has a DTD. */
export const beaconsOfLdx = (text: string): ReadonlyArray<number> | undefined => {
  if (!/<LDXFile\b/.test(text) || /<!DOCTYPE|<!ENTITY/i.test(text)) return undefined
  const [, group = ""] = BEACONS.exec(text) ?? []
  return [...group.matchAll(TIME)]
    .map(([, time]) => Number(time) / 1e6)
    .filter((time) => Number.isFinite(time) && time >= 0)
    .toSorted((a, b) => a - b)
}

/** A value from here on has the offset in ms in its low 14 bits. */
const OFFSET = 16_384
/** Codes of a beacon that is the line; others are splits. */
const LINE = new Set([100, 2])

/**
 * The crossings in the channel `Beacon` of an ADL. A sequence is a negative value, one with the offset, and the beacon's
 * code.
 */
export const beaconsOfAdl = (values: Float64Array, rate: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let opened: number | undefined
  let offset: number | undefined
  values.forEach((value, i) => {
    if (value < 0) {
      opened ??= i
    } else if (opened !== undefined && value >= OFFSET) {
      const low = value & (OFFSET - 1)
      offset = low >= OFFSET / 2 ? low - OFFSET : low
    } else if (opened !== undefined) {
      if (offset !== undefined && LINE.has(value)) found.push(opened / rate - 1 + offset / 1000)
      opened = undefined
      offset = undefined
    }
  })
  return found
}

const whole = (file: SourceFile, channel: LdChannel): Float64Array => {
  const values = new Float64Array(channel.count)
  let at = 0
  for (const piece of samplesOf(file, channel)) {
    values.set(piece, at)
    at += piece.length
  }
  return values
}

/** The largest channel that is read as a whole. */
const MAX_SAMPLES = 4_000_000

/** A lap's time so far is trusted to show its start up to here, s: later the counter is late. */
const MAX_RUNNING_S = 10

/** When the lap began, by the first of its running times in the second after `time`; undefined without one. */
const startBy = (since: Float64Array, rate: number, time: number): number | undefined => {
  const first = Math.ceil(time * rate)
  for (let i = first; i < since.length && i < first + rate; i++) {
    if (since[i]! < MAX_RUNNING_S) return i / rate - since[i]!
  }
  return undefined
}

/** When a counter of laps rises, s; by the time that has run since the line where the log has it. */
const ofCounter = (
  file: SourceFile,
  counter: LdChannel,
  running: LdChannel | undefined
): ReadonlyArray<number> => {
  const values = whole(file, counter)
  const since = running === undefined ? undefined : whole(file, running)
  const found: Array<number> = []
  for (let i = 1; i < values.length; i++) {
    if (!(values[i]! > values[i - 1]!)) continue
    const time = i / counter.rate
    found.push(since === undefined ? time : (startBy(since, running!.rate, time) ?? time))
  }
  return found
}

/** Where a channel goes up: a pulse at each line, or a count of them. */
const ofPulse = (file: SourceFile, channel: LdChannel): ReadonlyArray<number> => {
  const found: Array<number> = []
  const values = whole(file, channel)
  for (let i = 1; i < values.length; i++) if (values[i]! > values[i - 1]!) found.push(i / channel.rate)
  return found
}

export interface LdCrossings {
  /** s since the first sample, with the time of the lap that ends there, as the log reports it. */
  readonly crossings: ReadonlyArray<Crossing>
  /** For the session's facts. */
  readonly from: string
}

/** The log shows the time of the last lap this soon after the line, s. */
const SHOWN_WITHIN_S = 3

/** The crossings with the times of laps that the channel `Lap Time` shows after them. */
const withLapTimes = (
  file: SourceFile,
  channel: LdChannel | undefined,
  times: ReadonlyArray<number>
): ReadonlyArray<Crossing> => {
  if (channel === undefined) return times.map((time) => ({ time }))
  const values = whole(file, channel)
  return times.map((time, n) => {
    const computed = time - (times[n - 1] ?? Number.NaN)
    const first = Math.floor(time * channel.rate) + 1
    const after = values.subarray(first, first + Math.ceil(SHOWN_WITHIN_S * channel.rate))
    const lapTime = after.find((value) => Math.abs(value - computed) <= MAX_DIFFERENCE_S)
    return { time, lapTime }
  })
}

/** The crossings of the line; undefined if neither the log nor the `.ldx` file beside it has any. */
export const crossingsOf = (file: SourceFile, ld: LdFile): LdCrossings | undefined => {
  const found = timesOf(file, ld)
  if (found === undefined) return undefined
  const channel = ld.channels.find(
    ({ count, name }) => name.toLowerCase() === "lap time" && count <= MAX_SAMPLES
  )
  return { crossings: withLapTimes(file, channel, found.times), from: found.from }
}

const timesOf = (file: SourceFile, ld: LdFile) => {
  const ldx = file.sibling(".ldx")
  const beacons = ldx === undefined ? undefined : beaconsOfLdx(ldx)
  if (beacons !== undefined && beacons.length > 0) return { times: beacons, from: OF_LDX }
  const named = (...names: ReadonlyArray<string>) =>
    ld.channels.find(({ count, name }) => names.includes(name.toLowerCase()) && count <= MAX_SAMPLES)
  const adl = named("beacon", "beacon (internal)")
  const ofBeacon = adl === undefined ? [] : beaconsOfAdl(whole(file, adl), adl.rate)
  if (ofBeacon.length > 0) return { times: ofBeacon, from: "channel Beacon" }
  const counter = named("lap number")
  const ofLaps = counter === undefined ? [] : ofCounter(file, counter, named("running lap time"))
  if (ofLaps.length > 0) return { times: ofLaps, from: "channel Lap Number" }
  const pulse = named("lap_beacon")
  const ofPulses = pulse === undefined ? [] : ofPulse(file, pulse)
  return ofPulses.length > 0 ? { times: ofPulses, from: "channel LAP_BEACON" } : undefined
}
