/**
 * The native feed's messages as simulator events (native-feed.md). Pure: bytes in, events out; nothing throws.
 *
 * One decoder serves one link: it remembers the columns that a session message names, and the sequence.
 */
import { allChannels, without } from "../../../domain/ChannelSet.ts"
import { ABSENT, channels, PointBatch } from "../../../domain/PointBatch.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { decodeLap, decodeSession, record, textOf } from "./envelopes.ts"
import { joined, type PackedMessage, packedMessage } from "./packedPoints.ts"
import { MAX_PACKED_POINTS } from "./protocol.ts"
import { Scratch } from "./Scratch.ts"
import { MAX_DEPTH, MAX_KEYS, outlineOf } from "./textOutline.ts"

/** Of a text message, points and bytes (native-feed.md): a second of work where they are the worst. */
export const MAX_TEXT_POINTS = MAX_PACKED_POINTS
export const MAX_TEXT_BYTES = 2 * 1024 * 1024
/** A text message that is longer is looked at before it is parsed. After so much text the next messages wait for the next call. */
const LONG_TEXT = 64 * 1024
/**
 * Laps and ends of sessions that are decoded in one go. After the beginning of a session the next messages wait as well: it costs commits
 * of the catalog, and a feed that begins too many is made to wait between two deliveries.
 */
const MAX_RARE_EVENTS = 64

/** A text message of so many bytes that it is not read. */
export class TooLong {
  readonly bytes: number

  constructor(bytes: number) {
    this.bytes = bytes
  }
}

/** As it came. */
export type NativeMessage = string | Uint8Array | TooLong

/** Of `MAX_RARE_EVENTS`. */
const rarityOf = ({ _tag }: SimulatorEvent): number =>
  _tag === "SessionStarted" ? MAX_RARE_EVENTS : _tag === "SessionEnded" || _tag === "LapCompleted" ? 1 : 0

const bytesOf = (message: NativeMessage): number =>
  message instanceof Uint8Array
    ? message.byteLength
    : typeof message === "string"
      ? message.length
      : message.bytes

const refused = (reason: string, points = 0) => SimulatorEvent.Refused({ reason, points })

/**
 * A JSON point's channel: missing is absent; null is what JSON makes of NaN and infinities, and stands as one that is
 * never absent, so that it is refused with the point later.
 */
const valueOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : value === undefined ? ABSENT : value === null ? Infinity : undefined

/** An optional column: undefined where no point has it, NaN at the points that have not. */
const optionalColumn = (points: ReadonlyArray<unknown>, name: string): Float64Array | undefined => {
  let column: Float64Array | undefined
  for (let i = 0; i < points.length; i++) {
    const value = record(points[i])?.[name]
    if (typeof value !== "number") continue
    column ??= new Float64Array(points.length).fill(Number.NaN)
    column[i] = value
  }
  return column
}

export class NativeDecoder {
  #columns: ReadonlyArray<string> = channels
  #expected: number | undefined
  readonly #memory = new Scratch()
  #consumed = 0
  #uselessBytes = 0

  /** How many messages the last call of `decode` has read: all, but for those after much text, or after many sessions or laps. */
  get consumed(): number {
    return this.#consumed
  }

  /** Of those messages, bytes of the ones that were refused or ignored (as text, its UTF-16 units). */
  get uselessBytes(): number {
    return this.#uselessBytes
  }

  /**
   * The events of messages that came together, in order, from the first on. Packed points that follow one another without loss are one event,
   * so that a busy feed costs by what it brings and not by message; they are valid until the next call. A message of an
   * unknown type is ignored.
   */
  decode(messages: ReadonlyArray<NativeMessage>): ReadonlyArray<SimulatorEvent> {
    this.#memory.reset()
    const events: Array<SimulatorEvent> = []
    let run: Array<PackedMessage> = []
    let missing = 0
    let rare = 0
    let text = 0
    this.#consumed = 0
    this.#uselessBytes = 0
    const endRun = () => {
      if (run.length > 0) {
        events.push(SimulatorEvent.Points({ ...joined(run, this.#columns, this.#memory), missing }))
      }
      run = []
      missing = 0
    }
    for (const message of messages) {
      if (rare >= MAX_RARE_EVENTS || text > LONG_TEXT) break
      this.#consumed++
      if (!(message instanceof Uint8Array)) {
        endRun()
        if (typeof message === "string") text += message.length
        const event = this.#text(message)
        if (event === undefined || event._tag === "Refused") this.#uselessBytes += bytesOf(message)
        if (event === undefined) continue
        events.push(event)
        rare += rarityOf(event)
        continue
      }
      const packed = packedMessage(message, this.#columns.length)
      if (typeof packed === "string") {
        endRun()
        // The header's count is not to be believed where it does not fit the length.
        this.#uselessBytes += bytesOf(message)
        events.push(refused(packed))
        continue
      }
      const lost = this.#advance(packed.sequence, packed.length)
      if (lost > 0) {
        endRun()
        missing = lost
      }
      run.push(packed)
    }
    endRun()
    return events
  }

  #text(text: string | TooLong): SimulatorEvent | undefined {
    if (typeof text !== "string") {
      return refused(`a text message of ${text.bytes} bytes: ${MAX_TEXT_BYTES} are the most`)
    }
    if (text.length > LONG_TEXT) {
      const { depth, keys, points } = outlineOf(text)
      if (depth > MAX_DEPTH)
        return refused(`a long text message that is nested deeper than ${MAX_DEPTH} levels`)
      if (keys > MAX_KEYS) return refused(`a long text message with an object of more than ${MAX_KEYS} keys`)
      if (points > MAX_TEXT_POINTS) return this.#tooMany(points)
    }
    let message: Record<string, unknown> | undefined
    try {
      message = record(JSON.parse(text))
    } catch {
      return refused("a text message that is not JSON")
    }
    if (message === undefined) return refused("a message that is not an object")
    switch (message["type"]) {
      case "points":
        return this.#points(message)
      case "session": {
        const session = decodeSession(message)
        if (typeof session === "string") return refused(session)
        this.#columns = session.columns ?? channels
        return SimulatorEvent.SessionStarted(session.started)
      }
      case "lap": {
        const lap = decodeLap(message)
        return typeof lap === "string" ? refused(lap) : SimulatorEvent.LapCompleted(lap)
      }
      case "session_end":
        return SimulatorEvent.SessionEnded()
      default:
        return typeof message["type"] === "string" ? undefined : refused("a message without a type")
    }
  }

  /** What follows is another beginning: nobody has read the sequence of these. */
  #tooMany(points: number): SimulatorEvent {
    this.#expected = undefined
    return refused(`a text message of ${points} points: ${MAX_TEXT_POINTS} are the most`, points)
  }

  #points(message: Record<string, unknown>): SimulatorEvent | undefined {
    const { points } = message
    const sequence = message["sequence"] ?? undefined
    if (!Array.isArray(points)) return refused("a points message without an array of points")
    if (points.length === 0) return undefined
    if (points.length > MAX_TEXT_POINTS) return this.#tooMany(points.length)
    const unfit = (reason: string) => {
      // They arrived, so the next message's sequence must not show them as missing.
      if (this.#expected !== undefined && sequence !== undefined) this.#expected += points.length
      return refused(reason, points.length)
    }
    if (sequence !== undefined && !(Number.isInteger(sequence) && (sequence as number) >= 0)) {
      return unfit(`a points message with sequence ${textOf(sequence)}`)
    }
    const batch = PointBatch.allocate(points.length)
    let told = allChannels
    for (let i = 0; i < points.length; i++) {
      const point = record(points[i])
      if (point === undefined) return unfit("a point that is not an object")
      for (let c = 0; c < channels.length; c++) {
        const value = valueOf(point[channels[c]!])
        if (value === undefined) {
          return unfit(`a point whose ${channels[c]} is ${textOf(point[channels[c]!])}`)
        }
        batch.data[c * batch.length + i] = value
        if (Number.isNaN(value)) told = without(told, c)
      }
    }
    return SimulatorEvent.Points({
      batch,
      told,
      lapNumber: optionalColumn(points, "lap_number"),
      lapDistance: optionalColumn(points, "lap_distance"),
      missing: this.#advance(sequence as number | undefined, points.length)
    })
  }

  /**
   * Points lost before these. A sequence that falls is a feed that started over, not a loss; one that a double
   * cannot hold exactly is no sequence.
   */
  #advance(sequence: number | undefined, length: number): number {
    if (sequence === undefined) return 0
    if (!Number.isSafeInteger(sequence)) {
      this.#expected = undefined
      return 0
    }
    const missing = this.#expected === undefined ? 0 : Math.max(0, sequence - this.#expected)
    this.#expected = sequence + length
    return missing
  }
}
