/** What is sent for each line of a recording, and when. Pure. */
import { channels, lapColumns, MAX_PACKED_POINTS } from "../../src/simulators/drivers/native/protocol.ts"
import { packed, sessionEnd } from "./messages.ts"

/** A message to send; `due` is on the feed's clock, s, undefined where the line says no time. */
export interface Outgoing {
  readonly message: string | Uint8Array
  readonly due: number | undefined
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const timeOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** A line as a message, or what is wrong with it. */
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

/**
 * Turns the lines of one recording into messages, in order. JSON goes out as it stands in the file; packed,
 * the points become binary, and the session message waits for the first of them, to tell their columns. Points that
 * tell other channels than those, or null, stay JSON: packed, they could not say so.
 */
export class ReplayMessages {
  readonly #packed: boolean
  #heldSession: Json | undefined
  #columns: ReadonlyArray<string> = channels
  #sequence = 0
  #ended = false

  constructor(options: { readonly packed: boolean }) {
    this.#packed = options.packed
  }

  /** The messages for a line, or what is wrong with it. */
  push(line: string): ReadonlyArray<Outgoing> | string {
    const value = readLine(line)
    if (typeof value === "string") return value
    this.#ended = value["type"] === "session_end"
    switch (value["type"]) {
      case "points":
        return this.#points(line, value["points"] as ReadonlyArray<Json>, value["sequence"])
      case "session": {
        if (!this.#packed) return [{ message: line, due: undefined }]
        const before = this.#session(channels)
        this.#heldSession = value
        return before
      }
      case "lap":
        return [...this.#session(channels), { message: line, due: timeOf(value["end_time"]) }]
      default:
        return [...this.#session(channels), { message: line, due: undefined }]
    }
  }

  /** What remains after the last line: an end, where the recording has none. */
  end(): ReadonlyArray<Outgoing> {
    const session = this.#session(channels)
    return this.#ended ? session : [...session, { message: sessionEnd, due: undefined }]
  }

  #session(columns: ReadonlyArray<string>): ReadonlyArray<Outgoing> {
    if (this.#heldSession === undefined) return []
    const message = JSON.stringify({ ...this.#heldSession, columns })
    this.#columns = columns
    this.#heldSession = undefined
    return [{ message, due: undefined }]
  }

  #points(line: string, points: ReadonlyArray<Json>, numbered: unknown): ReadonlyArray<Outgoing> | string {
    const first = points[0]
    if (!this.#packed) return [{ message: line, due: timeOf(first?.["timestamp"]) }]
    if (first === undefined) return []
    const sent: Array<Outgoing> = [
      ...this.#session([
        ...channels.filter((channel) => tells(first, channel)),
        ...lapColumns.filter((column) => tells(first, column))
      ])
    ]
    if (typeof numbered === "number") this.#sequence = numbered
    for (let from = 0; from < points.length; from += MAX_PACKED_POINTS) {
      const some = points.slice(from, from + MAX_PACKED_POINTS)
      const broken = all.find((name) => some.some((point) => tells(point, name) && !isNumber(point[name])))
      if (broken !== undefined) return `a point's ${broken} is no number`
      const fits = all.every((name) => {
        const told = this.#columns.includes(name)
        return some.every((point) => tells(point, name) === told)
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

const tells = (point: Json, name: string) => point[name] !== undefined && point[name] !== null
