/**
 * The last points as columns that can be drawn directly: each column is twice as long as its capacity, so that the newest
 * `capacity` values always lie in one piece. They move to its front only when the column is full.
 */
export const columns = [
  "timestamp",
  "speed",
  "rpm",
  "gear",
  "throttle",
  "brake",
  "steering",
  "position_x",
  "position_y"
] as const

export type Column = (typeof columns)[number]

/** NaN is a value that the simulator does not report, and steering that was not requested. */
export type LivePoint = { [K in Column]: number }

/** A point of the service, with null for values that are not reported. */
export type ReportedPoint = { readonly [K in Column]?: number | null | undefined } & {
  readonly timestamp: number
}

/** Puts a message's values into `point`; values without a place in `reported` stay as they are. */
export const take = (reported: ReportedPoint, point: LivePoint): LivePoint => {
  for (const name of columns) if (reported[name] !== undefined) point[name] = reported[name] ?? Number.NaN
  return point
}

export const unknownPoint = (): LivePoint =>
  Object.fromEntries(columns.map((name) => [name, Number.NaN])) as LivePoint

export class Ring<Name extends string = Column> {
  readonly capacity: number
  readonly names: ReadonlyArray<Name>
  length = 0
  #end = 0
  #pushed = 0
  readonly #columns: Readonly<Record<Name, Float64Array>>

  constructor(capacity: number, names: ReadonlyArray<Name>) {
    this.capacity = capacity
    this.names = names
    this.#columns = Object.fromEntries(names.map((name) => [name, new Float64Array(2 * capacity)])) as Record<
      Name,
      Float64Array
    >
  }

  push(point: Readonly<Record<Name, number>>): void {
    if (this.#end === 2 * this.capacity) {
      for (const name of this.names) this.#columns[name].copyWithin(0, this.capacity)
      this.#end = this.capacity
    }
    for (const name of this.names) this.#columns[name][this.#end] = point[name]
    this.#end += 1
    this.#pushed += 1
    this.length = Math.min(this.length + 1, this.capacity)
  }

  clear(): void {
    this.length = 0
    this.#end = 0
  }

  /** Whether any value of the column is known. */
  knows(name: Name): boolean {
    return this.view(name).some(Number.isFinite)
  }

  /** A view of a column's values from `first` (counted from the oldest) on; valid until the next push. */
  view(name: Name, first = 0): Float64Array {
    return this.#columns[name].subarray(this.#end - this.length + first, this.#end)
  }

  /** Each `stride`th value of a column from about `first` on. The choice is stable: a chosen value stays chosen while it is kept. */
  thinned(name: Name, first: number, stride: number): Float64Array {
    const column = this.view(name, first)
    const skipped = (stride - ((this.#pushed - column.length) % stride)) % stride
    const kept = new Float64Array(Math.ceil((column.length - skipped) / stride))
    for (let k = 0; k < kept.length; k++) kept[k] = column[skipped + k * stride]!
    return kept
  }

  at(name: Name, index: number): number {
    return this.#columns[name][this.#end - this.length + index] ?? Number.NaN
  }

  pointAt(index: number): Record<Name, number> {
    return Object.fromEntries(this.names.map((name) => [name, this.at(name, index)])) as Record<Name, number>
  }

  /** The first index with a timestamp not before `time`. */
  from(this: Ring<Name | "timestamp">, time: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.at("timestamp", middle) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}
