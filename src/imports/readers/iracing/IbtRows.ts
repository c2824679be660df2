/** Turns records of an `.ibt` file into rows: in tiles that fit the processor's cache, straight into the batches. Plain. */
import { POINTS, type GroupDeclaration } from "../../../domain/Dictionary.ts"
import type { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { ours } from "../../tables/importedChannels.ts"
import { Plane } from "../../tables/place.ts"
import { type OpenRows, SessionRows } from "../../tables/SessionRows.ts"
import { ibtChannels, type Source } from "./ibtChannels.ts"
import { type IbtFile, readColumn, type Variable } from "./ibtFile.ts"

/** Records that are turned into columns together. */
const TILE_RECORDS = 128

/** The columns of positions and of the coordinates that they are computed from. */
interface Places {
  readonly latitude: number
  readonly longitude: number
  /** -1 if the file has none. */
  readonly altitude: number
  readonly x: number
}

export class IbtRows {
  readonly #ibt: IbtFile
  readonly #sources: ReadonlyArray<Source>
  readonly #fast: ReturnType<typeof ibtChannels>["fast"]
  readonly #rows: SessionRows
  readonly #fastRows: ReadonlyArray<SessionRows>
  readonly #places: Places | undefined
  readonly #onTrack: Variable | undefined
  readonly plane = new Plane()
  readonly warnings: ReadonlyArray<string>
  readonly #scratch = [
    new Float64Array(TILE_RECORDS),
    new Float64Array(TILE_RECORDS),
    new Float64Array(TILE_RECORDS)
  ] as const

  constructor(ibt: IbtFile) {
    this.#ibt = ibt
    const { fast, sources, warnings } = ibtChannels(ibt.variables, ibt.rate)
    this.warnings = warnings
    this.#sources = sources
    this.#fast = fast
    const names = sources.map(({ channel }) => channel.name)
    const [latitude = -1, longitude = -1, altitude = -1] = ["latitude", "longitude", "altitude"].map((name) =>
      names.indexOf(name)
    )
    const isPlaced = latitude >= 0 && longitude >= 0
    this.#places = isPlaced ? { latitude, longitude, altitude, x: sources.length } : undefined
    const placed = isPlaced ? ["position_x", "position_y", ...(altitude < 0 ? [] : ["position_z"])] : []
    this.#rows = new SessionRows([
      ...sources.map(({ channel }) => channel),
      ...placed.map((name) => ours(name)!)
    ])
    this.#fastRows = fast.map(({ channel }) => new SessionRows([channel]))
    this.#onTrack = ibt.variables.find(({ name }) => name === "IsOnTrack")
  }

  get declarations(): ReadonlyArray<GroupDeclaration> {
    return [this.#rows, ...this.#fastRows].flatMap(({ declarations }) => declarations)
  }

  /** The rows of the records from `from` on, one for each of `times` (epoch seconds). `bytes`: a block of records. */
  of(bytes: DataView, times: Float64Array, from: number): ReadonlyArray<SimulatorEvent> {
    const { recordBytes } = this.#ibt
    const { length } = times
    const open = this.#rows.open(length)
    open.times.set(times)
    for (let tile = 0; tile < length; tile += TILE_RECORDS) {
      const count = Math.min(TILE_RECORDS, length - tile)
      const view = new DataView(
        bytes.buffer,
        bytes.byteOffset + (from + tile) * recordBytes,
        count * recordBytes
      )
      this.#sources.forEach((source, n) => this.#fill(source, view, open.columns[n]!, tile, count))
    }
    this.#place(open, bytes, from, length)
    return [...open.finish(), ...this.#fastRowsOf(bytes, times, from, length)]
  }

  /** Fills `count` values of a channel's column, from the index `at` on. */
  #fill(
    { convert, isSingle, reads }: Source,
    view: DataView,
    column: Float64Array,
    at: number,
    count: number
  ): void {
    const { recordBytes } = this.#ibt
    if (convert === undefined) return readColumn(reads[0]!, view, recordBytes, column, at, count)
    const [first, second, third] = this.#scratch
    readColumn(reads[0]!, view, recordBytes, first, 0, count)
    if (reads[1] !== undefined) readColumn(reads[1], view, recordBytes, second, 0, count)
    if (reads[2] !== undefined) readColumn(reads[2], view, recordBytes, third, 0, count)
    for (let i = 0; i < count; i++) {
      const value = convert(first[i]!, second[i]!, third[i]!)
      column[at + i] = isSingle ? Math.fround(value) : value
    }
  }

  /** Positions, absent where the car is not on the track. */
  #place({ columns }: OpenRows, bytes: DataView, from: number, length: number): void {
    if (this.#places === undefined) return
    const { altitude, latitude, longitude, x } = this.#places
    const places = columns.slice(x)
    this.plane.place(columns[latitude]!, columns[longitude]!, places[0]!, places[1]!, length)
    if (altitude >= 0) places[2]!.set(columns[altitude]!)
    if (this.#onTrack === undefined) return
    for (let i = 0; i < length; i++) {
      const isOn = bytes.getUint8((from + i) * this.#ibt.recordBytes + this.#onTrack.offset) !== 0
      if (!isOn) for (const place of places) place[i] = Number.NaN
    }
  }

  /** Arrays over time: the last value is the record's own, the others came before it. */
  #fastRowsOf(
    bytes: DataView,
    times: Float64Array,
    from: number,
    length: number
  ): ReadonlyArray<SimulatorEvent> {
    const { rate, recordBytes } = this.#ibt
    return this.#fast.flatMap(({ variable }, n) => {
      const { count } = variable
      const open = this.#fastRows[n]!.open(length * count)
      const column = open.columns[0]!
      for (let i = 0; i < length; i++) {
        for (let k = 0; k < count; k++) {
          const at = i * count + k
          open.times[at] = times[i]! - (count - 1 - k) / (rate * count)
          const record = new DataView(bytes.buffer, bytes.byteOffset + (from + i) * recordBytes, recordBytes)
          readColumn(variable, record, recordBytes, column, at, 1, k)
        }
      }
      // Its group has these rows; the points have rows of their own.
      return open.finish().filter(({ group }) => group !== POINTS)
    })
  }
}
