/**
 * Recordings: the native feed's text messages, one a line, perhaps packed by gzip (native-feed.md). Exactly the events of
 * a replay, with three differences: each `session` line begins another session; a session without a `start_time` is
 * placed by its `datetime`, else by the time of the file; and lap lines may have the fields with which the service
 * exports them (`sector_source`, `driver`, `withdrawn`).
 */
import { POINTS } from "../../../domain/Dictionary.ts"
import { MAX_NAME } from "../../../domain/Configuration.ts"
import { toName } from "../../../domain/text.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { record } from "../../../simulators/drivers/native/envelopes.ts"
import { NativeDecoder } from "../../../simulators/drivers/native/NativeDecoder.ts"
import { type FileReader, type Piece, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { headText, packedLines } from "../../tables/packedLines.ts"

/** A time that is later, s, is no time since the start of a session, but since 1970. */
const MIN_EPOCH_S = 1e8

type Started = Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>
type LapCompleted = Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>

const FIRST_TYPE =
  /^\uFEFF?\s*\{[^\n]{0,4096}?"type"\s*:\s*"(?:session|points|channels|lap|welcome|session_end)"/

/** A lap with the fields that only exported recordings have. */
const exported = (event: LapCompleted, line: string, ref: number): ReadonlyArray<SimulatorEvent> => {
  const { driver, sector_source: source, withdrawn } = record(JSON.parse(line)) ?? {}
  const isKnown = source === "simulator" || source === "derived"
  const lap: LapCompleted = {
    ...event,
    ref,
    // Null: the lap has no sectors, and none are to be cut.
    ...(source === undefined ? {} : { sectorSource: isKnown ? source : "simulator" }),
    ...(typeof driver === "string" && driver.trim() !== "" ? { driver: toName(driver, MAX_NAME) } : {})
  }
  return withdrawn === true
    ? [lap, SimulatorEvent.LapChanged({ ref, change: { withdrawn: true, valid: false } })]
    : [lap]
}

class Recording {
  readonly #file: SourceFile
  readonly #decoder = new NativeDecoder()
  /** A session whose clock no line has shown yet, and the events after it. */
  #held: { readonly session: Started; readonly after: Array<SimulatorEvent> } | undefined
  #laps = 0
  /** Whether every session has a date of its own. */
  isDated = true
  /** An exported session whose last line is not here yet: the service ends each with one. */
  isOpen = false

  constructor(file: SourceFile) {
    this.#file = file
  }

  /** The events of a line. Their batches are copies: the decoder reuses its memory. */
  line(line: string): ReadonlyArray<SimulatorEvent> {
    return this.#decoder.decode([line]).flatMap((event) => this.#placed(event, line))
  }

  /** A session that no row followed. */
  end(): ReadonlyArray<SimulatorEvent> {
    return this.#release(0)
  }

  #placed(event: SimulatorEvent, line: string): ReadonlyArray<SimulatorEvent> {
    if (event._tag === "SessionStarted") {
      const before = this.#release(0)
      const isExported = record(JSON.parse(line))?.["laps_complete"] === true
      this.isOpen = isExported
      const session = {
        ...event,
        clockDecides: false,
        ...(isExported ? { tellsLaps: true, tellsLastLap: true } : {})
      }
      if (event.clockZero !== undefined) return [...before, session]
      this.#held = { session, after: [] }
      return before
    }
    if (event._tag === "SessionEnded") this.isOpen = false
    if (event._tag === "Rows") {
      const rows = { ...event, batch: event.batch.copy(), ...copiedLap(event) }
      return [...this.#release(event.batch.timestamps[0] ?? 0), rows]
    }
    const events = event._tag === "LapCompleted" ? exported(event, line, this.#laps++) : [event]
    if (this.#held === undefined) return events
    this.#held.after.push(...events)
    return []
  }

  /** The held events. `first`: the first time on the session's clock. */
  #release(first: number): ReadonlyArray<SimulatorEvent> {
    if (this.#held === undefined) return []
    const { after, session } = this.#held
    this.#held = undefined
    if (first > MIN_EPOCH_S) return [{ ...session, clockZero: 0 }, ...after]
    this.isDated = session.datetime !== undefined
    return [{ ...session, clockZero: (session.datetime ?? this.#file.modified) - first }, ...after]
  }
}

const copiedLap = ({ lap }: Extract<SimulatorEvent, { readonly _tag: "Rows" }>) =>
  lap === undefined ? {} : { lap: lap.copy() }

async function* read(file: SourceFile): AsyncGenerator<Piece, void, void> {
  const recording = new Recording(file)
  let isAny = false
  for await (const { damage, lines, read } of packedLines(file)) {
    const events = lines.flatMap((line) => [...recording.line(line)])
    isAny ||= events.some((event) => event._tag === "Rows" && event.group === POINTS)
    if (damage !== undefined && !isAny) throw new UnreadableFile(damage)
    yield { events, read, ...(damage === undefined ? {} : { partial: damage }) }
  }
  yield {
    events: recording.end(),
    read: file.size,
    ...(recording.isDated
      ? {}
      : { warnings: ["The recording has no date: the session begins at the time of the file"] }),
    ...(recording.isOpen ? { partial: "The recording ends before its session does" } : {})
  }
}

export const reader: FileReader = {
  format: "recording",
  title: "recording of a native feed (.ndjson, .ndjson.gz)",
  endings: [".ndjson", ".ndjson.gz"],
  recognises: (head) => FIRST_TYPE.test(headText(head)),
  read
}
