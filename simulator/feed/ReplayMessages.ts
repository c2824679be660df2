/** The messages for each line of a recording, and when they are due. Pure. */
import {
  channels,
  lapColumns,
  MAX_MESSAGE_BYTES,
  MAX_PACKED_POINTS,
  POINTS
} from "../../src/simulators/drivers/native/protocol.ts"
import { packed, sessionEnd } from "./messages.ts"
import { RecordedGroups } from "./RecordedGroups.ts"

/** A message to send; `due` is on the feed's clock, s, undefined for a line without a time. */
export interface Outgoing {
  readonly message: string | Uint8Array
  readonly due: number | undefined
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const timeOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** A line as a message, or the error in it. */
export const readLine = (line: string): Json | string => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return "it is not JSON"
  }
  if (!isObject(value) || typeof value["type"] !== "string") return "it is no object with a type"
  if (value["type"] !== "points") return value
  const points = value["points"]
  return Array.isArray(points) && points.every(isObject) ? value : "its points are no array of objects"
}

/** Limit of values in a packed message of samples, half of what fits; larger ones go as text, because most values are missing. */
const MAX_PACKED_VALUES = MAX_MESSAGE_BYTES / 16

/** Lines of groups that wait for the first points, which determine the session's columns; the session goes on without them. */
const MAX_HELD = 256

/**
 * Turns the lines of one recording into messages, in order. JSON is sent as it stands in the file. With `packed`, points become
 * binary, and the session message waits for the first points, which determine its columns. Points with other channels, or with
 * null, stay JSON, because packed messages cannot express them. So do samples of groups with a value that is not a number. Clients
 * that do not read groups get none.
 */
export class ReplayMessages {
  readonly #packed: boolean
  readonly #groups: boolean
  readonly #declared = new RecordedGroups()
  #heldSession: Json | undefined
  #held: Array<Outgoing> = []
  #columns: ReadonlyArray<string> = channels
  #sequence = 0
  #ended = false

  constructor(options: { readonly packed: boolean; readonly groups: boolean }) {
    this.#packed = options.packed
    this.#groups = options.groups
  }

  /** The messages for a line, or the error in it. */
  push(line: string): ReadonlyArray<Outgoing> | string {
    const value = readLine(line)
    if (typeof value === "string") return value
    this.#ended = value["type"] === "session_end"
    switch (value["type"]) {
      case "points":
        return (value["group"] ?? POINTS) === POINTS ? this.#points(line, value) : this.#samples(line, value)
      case "session":
        return this.#begin(line, value)
      case "channels":
        if (!this.#groups) return []
        this.#declared.declare(value["groups"])
        return this.#behindSession({ message: line, due: undefined })
      case "lap":
        return [...this.#session(channels), { message: line, due: timeOf(value["end_time"]) }]
      default:
        return [...this.#session(channels), { message: line, due: undefined }]
    }
  }

  /** The messages after the last line: an end, if the recording has none. */
  end(): ReadonlyArray<Outgoing> {
    const session = this.#session(channels)
    return this.#ended ? session : [...session, { message: sessionEnd, due: undefined }]
  }

  #begin(line: string, value: Json): ReadonlyArray<Outgoing> {
    const { groups, ...others } = value
    if (this.#groups) this.#declared.declare(groups)
    const isWhole = this.#groups || groups === undefined
    if (!this.#packed) return [{ message: isWhole ? line : JSON.stringify(others), due: undefined }]
    const before = this.#session(channels)
    this.#heldSession = isWhole ? value : others
    return before
  }

  /** The session that waits for its columns, and the messages that wait with it. */
  #session(columns: ReadonlyArray<string>): ReadonlyArray<Outgoing> {
    if (this.#heldSession === undefined) return []
    const message = JSON.stringify({ ...this.#heldSession, columns })
    const held = this.#held
    this.#columns = columns
    this.#heldSession = undefined
    this.#held = []
    return [{ message, due: undefined }, ...held]
  }

  /** Messages of groups are sent at once, but not before the session. */
  #behindSession(outgoing: Outgoing): ReadonlyArray<Outgoing> {
    if (this.#heldSession === undefined) return [outgoing]
    this.#held.push(outgoing)
    return this.#held.length < MAX_HELD ? [] : this.#session(channels)
  }

  #samples(line: string, { group, points, sequence }: Json): ReadonlyArray<Outgoing> {
    if (!this.#groups) return []
    const samples = points as ReadonlyArray<Json>
    const due = timeOf(samples[0]?.["timestamp"])
    const declared = this.#packed ? this.#declared.named(group) : undefined
    const fits =
      declared !== undefined &&
      Number.isSafeInteger(sequence) &&
      (sequence as number) >= 0 &&
      samples.length > 0 &&
      samples.length * declared.columns.length <= MAX_PACKED_VALUES &&
      samples.every((sample) => declared.columns.every((name) => isNumberOrMissing(sample[name])))
    if (!fits) return this.#behindSession({ message: line, due })
    const columns = declared.columns.map((name) =>
      Float64Array.from(samples, (sample) => (sample[name] as number | undefined) ?? Number.NaN)
    )
    const message = packed(sequence as number, columns, samples.length, declared.index)
    return this.#behindSession({ message, due })
  }

  #points(line: string, value: Json): ReadonlyArray<Outgoing> | string {
    const points = value["points"] as ReadonlyArray<Json>
    const numbered = value["sequence"]
    const first = points[0]
    if (!this.#packed) return [{ message: line, due: timeOf(first?.["timestamp"]) }]
    if (first === undefined) return []
    const sent: Array<Outgoing> = [
      ...this.#session([
        ...channels.filter((channel) => has(first, channel)),
        ...lapColumns.filter((column) => has(first, column))
      ])
    ]
    if (typeof numbered === "number") this.#sequence = numbered
    for (let from = 0; from < points.length; from += MAX_PACKED_POINTS) {
      const some = points.slice(from, from + MAX_PACKED_POINTS)
      const broken = all.find((name) => some.some((point) => has(point, name) && !isNumber(point[name])))
      if (broken !== undefined) return `a point's ${broken} is no number`
      const fits = all.every((name) => {
        const reported = this.#columns.includes(name)
        return some.every((point) => has(point, name) === reported)
      })
      const columns = this.#columns.map((name) => Float64Array.from(some, (point) => Number(point[name])))
      sent.push({
        message: fits
          ? packed(this.#sequence, columns, some.length)
          : JSON.stringify({ type: "points", sequence: this.#sequence, points: some }),
        due: timeOf(some[0]!["timestamp"])
      })
      this.#sequence += some.length
    }
    return sent
  }
}

const all: ReadonlyArray<string> = [...channels, ...lapColumns]

const isNumber = (value: unknown) => typeof value === "number"

/** A number, or NaN for an absent value. */
const isNumberOrMissing = (value: unknown) => value === undefined || isNumber(value)

const has = (point: Json, name: string) => point[name] !== undefined && point[name] !== null
