/**
 * iRacing's `.ibt` files (formats.md, 3.1). Memory does not grow with the file: records are read in blocks.
 */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { type Facts, type FileReader, type Piece, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { startOf } from "./ibtStart.ts"
import { type IbtFile, isIbt, openIbt, readColumn, type Variable } from "./ibtFile.ts"
import { IbtLaps } from "./IbtLaps.ts"
import { IbtRows } from "./IbtRows.ts"
import { readSessionText, type SessionText } from "./sessionText.ts"

/** Records that are read together. */
const BLOCK_RECORDS = 1024
/** The largest block, bytes. */
const BLOCK_BYTES = 4 << 20
/** The variables from which laps are found, by the fields of a record. */
const OF_LAPS = {
  lap: "Lap",
  distance: "LapDist",
  fraction: "LapDistPct",
  speed: "Speed",
  lastLap: "LapLastLapTime",
  incidents: "PlayerCarMyIncidentCount"
} as const

/** A block of records. */
interface Block {
  readonly bytes: DataView
  readonly length: number
}

/** The length of the lap, m, from the first record that shows it well; undefined if none does. */
const lengthOf = (distances: Float64Array, fractions: Float64Array, length: number): number | undefined => {
  for (let i = 0; i < length; i++) {
    if (fractions[i]! > 0.2 && distances[i]! > 0) return distances[i]! / fractions[i]!
  }
  return undefined
}

class IbtReading {
  readonly #file: SourceFile
  readonly #ibt: IbtFile
  readonly #text: SessionText
  readonly #rows: IbtRows
  readonly #variables: ReadonlyMap<string, Variable>
  readonly #warnings: Array<string>
  #laps: IbtLaps | undefined
  #session = Number.NaN
  /** The numbers of the sessions so far. */
  readonly #sessions: Array<number> = []
  /** The last record's SessionTime, and its epoch time minus that. */
  #last = Number.NaN
  #zero = Number.NaN
  #duplicates = 0

  constructor(file: SourceFile) {
    this.#file = file
    this.#ibt = openIbt(file)
    this.#text = readSessionText(this.#ibt.text)
    this.#rows = new IbtRows(this.#ibt)
    this.#warnings = [...this.#rows.warnings]
    this.#variables = new Map(this.#ibt.variables.map((variable) => [variable.name, variable]))
    if (!this.#variables.has("SessionTime")) {
      throw new UnreadableFile("It has no variable SessionTime, its clock")
    }
  }

  *pieces(): Generator<Piece, void, void> {
    const { at, isCut, recordBytes, records } = this.#ibt
    const together = Math.max(1, Math.min(BLOCK_RECORDS, Math.floor(BLOCK_BYTES / recordBytes)))
    const memory = new Uint8Array(together * recordBytes)
    for (let first = 0; first < records; first += together) {
      const bytes = this.#file.bytes(
        at + first * recordBytes,
        Math.min(together, records - first) * recordBytes,
        memory
      )
      const block = {
        bytes: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        length: Math.floor(bytes.length / recordBytes)
      }
      yield { ...this.#take(block), read: at + (first + block.length) * recordBytes }
    }
    const last = this.#endSession()
    if (this.#rows.plane.tooFar > 0) {
      this.#warnings.push(`${this.#rows.plane.tooFar} positions are over 50 km from the first, and left out`)
    }
    yield {
      events: last,
      read: this.#file.size,
      warnings: this.#warnings,
      facts: this.#facts(),
      ...(isCut ? { partial: `The file ends in its record ${records + 1}: what is before it was read` } : {})
    }
  }

  /** The values of a variable in the block; undefined if the file lacks it. */
  #column(name: string, { bytes, length }: Block): Float64Array | undefined {
    const variable = this.#variables.get(name)
    if (variable === undefined || variable.count !== 1) return undefined
    const column = new Float64Array(length)
    readColumn(variable, bytes, this.#ibt.recordBytes, column, 0, length)
    return column
  }

  #take(block: Block): Omit<Piece, "read"> {
    const times = this.#column("SessionTime", block)!
    const sessions = this.#column("SessionNum", block)
    const ofLaps = Object.fromEntries(
      Object.entries(OF_LAPS).map(([field, name]) => [field, this.#column(name, block)])
    ) as OfLaps<Float64Array | undefined>
    const events: Array<SimulatorEvent> = []
    this.#duplicates = 0
    for (let from = 0; from < block.length;) {
      const session = sessions?.[from] ?? 0
      if (session !== this.#session || times[from]! < this.#last) {
        events.push(...this.#endSession())
        events.push(...this.#begin(session, times[from]!, ofLaps, from, block.length))
      }
      if (!(times[from]! > this.#last)) {
        // A record without a time, or with the time of the one before.
        this.#duplicates++
        from++
        continue
      }
      let until = from
      while (until < block.length && (sessions?.[until] ?? 0) === session && times[until]! > this.#last) {
        this.#last = times[until]!
        until++
      }
      events.push(...this.#segment(block, times, ofLaps, from, until))
      from = until
    }
    return { events, duplicates: this.#duplicates }
  }

  /** About each session. All have one origin of their positions. */
  #facts(): ReadonlyArray<Facts> {
    const origin = this.#rows.plane.origin
    return this.#sessions.map((session) => ({
      ...this.#text.facts,
      session_type: this.#text.kinds.get(session) ?? "",
      sectors: [0, ...this.#text.sectors],
      ...(origin === undefined ? {} : { origin })
    }))
  }

  #begin(
    session: number,
    first: number,
    ofLaps: OfLaps<Float64Array | undefined>,
    from: number,
    length: number
  ): ReadonlyArray<SimulatorEvent> {
    const { circuit, driver, length: given, sectors, vehicle } = this.#text
    // Another session of the file begins when the one before has ended.
    const start = Number.isNaN(this.#zero)
      ? startOf(this.#ibt, this.#file, first)
      : this.#zero + this.#last + 1 / this.#ibt.rate
    this.#zero = start - first
    this.#session = session
    this.#sessions.push(session)
    this.#last = Number.NEGATIVE_INFINITY
    const { distance, fraction } = ofLaps
    const shown =
      distance === undefined || fraction === undefined
        ? undefined
        : lengthOf(distance.subarray(from), fraction.subarray(from), length - from)
    const metres = shown ?? given
    this.#laps = new IbtLaps(sectors, metres ?? Number.NaN)
    return [
      SimulatorEvent.ChannelsDeclared({
        groups: this.#rows.declarations
      }),
      SimulatorEvent.SessionStarted({
        circuit,
        vehicle,
        driver,
        datetime: start,
        clockZero: 0,
        circuitLength: metres,
        startLine: undefined,
        tellsLaps: true,
        tellsLastLap: true
      })
    ]
  }

  #endSession(): ReadonlyArray<SimulatorEvent> {
    const laps = this.#laps
    if (laps === undefined) return []
    this.#laps = undefined
    laps.finish()
    this.#warnings.push(...laps.warnings)
    return [...laps.found(), SimulatorEvent.SessionEnded()]
  }

  /** The rows `from` to `until` of a block, which belong to one session and have increasing times. */
  #segment(
    { bytes }: Block,
    sessionTimes: Float64Array,
    ofLaps: OfLaps<Float64Array | undefined>,
    from: number,
    until: number
  ): ReadonlyArray<SimulatorEvent> {
    const times = sessionTimes.slice(from, until).map((time) => this.#zero + time)
    return [...this.#rows.of(bytes, times, from), ...this.#findLaps(times, ofLaps, from)]
  }

  #findLaps(times: Float64Array, ofLaps: OfLaps<Float64Array | undefined>, from: number) {
    const laps = this.#laps!
    if (ofLaps.lap === undefined) return []
    const record = { time: 0, lap: 0, distance: 0, fraction: 0, speed: 0, lastLap: 0, incidents: 0 }
    for (let i = 0; i < times.length; i++) {
      record.time = times[i]!
      record.lap = ofLaps.lap[from + i]!
      record.distance = ofLaps.distance?.[from + i] ?? Number.NaN
      record.fraction = ofLaps.fraction?.[from + i] ?? Number.NaN
      record.speed = ofLaps.speed?.[from + i] ?? Number.NaN
      record.lastLap = ofLaps.lastLap?.[from + i] ?? Number.NaN
      record.incidents = ofLaps.incidents?.[from + i] ?? Number.NaN
      laps.take(record)
    }
    return laps.found()
  }
}

type OfLaps<A> = { readonly [Field in keyof typeof OF_LAPS]: A }

export const reader: FileReader = {
  format: "iracing-ibt",
  title: "iRacing telemetry (.ibt)",
  endings: [".ibt"],
  recognises: isIbt,
  read: (file) => new IbtReading(file).pieces()
}
