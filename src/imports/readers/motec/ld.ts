/**
 * MoTeC's `.ld` logs, with the beacons of the `.ldx` file beside them (formats.md, 3.2). Memory does not grow with the
 * file: it is read in windows of time, and of each channel the samples of one window are in memory.
 */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import {
  type Facts,
  type FileReader,
  type Piece,
  type ReadOptions,
  type SourceFile,
  UnreadableFile
} from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { factsOfKnown, KNOWN_LINE, type KnownLaps, KnownLines } from "../../tables/KnownLines.ts"
import { localTime } from "../../tables/localTime.ts"
import { SampledLog, type SampledSource } from "../../tables/SampledLog.ts"
import { type LdFile, isLd, openLd } from "./ldFile.ts"
import { ldChannels } from "./ldChannels.ts"
import { crossingsOf } from "./ldLaps.ts"

const DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/

/** Epoch seconds of the first samples; undefined if the log has no readable date. */
const startOf = ({ date, time }: LdFile, { timeZone }: ReadOptions): number | undefined => {
  const [, day, month, year] = DATE.exec(date) ?? []
  const [, hour, minute, second = "0"] = TIME.exec(time) ?? []
  if (year === undefined || hour === undefined) return undefined
  return localTime(
    [Number(year), Number(month), Number(day)],
    [Number(hour), Number(minute), Number(second)],
    timeZone
  )
}

/** Fixes that are read at a time. */
const FIXES = 4096

/** The laps by a start line that is known, where the log has coordinates. `start`: epoch seconds. */
const knownLaps = async (
  sources: ReadonlyArray<SampledSource>,
  start: number,
  { startLines = [] }: ReadOptions
): Promise<KnownLaps | undefined> => {
  const known = new KnownLines(startLines)
  const [latitude, longitude] = ["latitude", "longitude"].map((name) =>
    sources.find(({ channel }) => channel.name === name)
  )
  if (!known.isAny || latitude === undefined || latitude.rate !== longitude?.rate) return undefined
  const count = Math.min(latitude.count, longitude.count)
  for (let begin = 0; begin < count; begin += FIXES) {
    const end = Math.min(count, begin + FIXES)
    const [latitudes, longitudes] = [await latitude.samples(begin, end), await longitude.samples(begin, end)]
    for (let i = 0; i < end - begin; i++)
      known.add(start + (begin + i) / latitude.rate, latitudes[i]!, longitudes[i]!)
  }
  return known.laps
}

async function* pieces(file: SourceFile, options: ReadOptions): AsyncGenerator<Piece, void, void> {
  const ld = openLd(file)
  const warnings: Array<string> = []
  const started = startOf(ld, options)
  if (started === undefined)
    warnings.push("The log has no date that can be read: it begins at the time of the file")
  const start = started ?? file.modified
  const { sources, warnings: ofChannels } = await ldChannels(file, ld.channels)
  warnings.push(...ofChannels)
  if (ld.leftOut.length > 0) {
    warnings.push(`Left out, because they have no samples that can be read: ${ld.leftOut.join(", ")}`)
  }
  if (sources.length === 0) throw new UnreadableFile(ld.damage ?? "The log has no channel with samples")
  const log = new SampledLog(sources)
  const found = crossingsOf(file, ld)
  const known = found === undefined ? await knownLaps(sources, start, options) : undefined
  if (known !== undefined) warnings.push(KNOWN_LINE)
  const laps = new Crossings(
    known?.crossings ?? (found?.crossings ?? []).map(({ time, ...lap }) => ({ ...lap, time: start + time })),
    start
  )
  yield {
    events: [
      SimulatorEvent.ChannelsDeclared({ groups: log.declarations }),
      fileStarted({ ...ld, circuit: ld.venue }, start, laps.isAny)
    ],
    read: 0
  }
  yield* log.windows(file.size, (seconds) => start + seconds, laps)
  yield {
    events: [SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [...warnings, ...laps.warnings],
    facts: [{ ...factsOf(ld, log, found?.from), ...(known === undefined ? {} : factsOfKnown(known)) }],
    ...(ld.damage === undefined ? {} : { partial: ld.damage })
  }
}

const factsOf = ({ texts }: LdFile, { origin }: SampledLog, lapsFrom: string | undefined): Facts => ({
  ...texts,
  ...(lapsFrom === undefined ? {} : { laps_from: lapsFrom }),
  ...(origin === undefined ? {} : { origin })
})

export const reader: FileReader = {
  format: "motec-ld",
  title: "MoTeC log (.ld)",
  endings: [".ld"],
  recognises: isLd,
  read: pieces
}
