/** The lap under way: how long it has been driven, and how far it is behind the reference at this place. */
import type { LivePoint } from "./Ring.ts"
import type { ReferenceLap } from "./ReferenceLap.ts"

/** A place that goes from the last tenth of the lap to its first has crossed the line. */
const AROUND = 0.1

export class LapClock {
  reference: ReferenceLap | undefined
  /** When the lap began, feed's clock; NaN before that is known. */
  began = Number.NaN
  /** Place on the reference; NaN where there is none. */
  place = Number.NaN
  /** Seconds behind the reference here, and seconds driven; NaN where not known. */
  delta = Number.NaN
  elapsed = Number.NaN
  /** The times of the lap's first two sectors, s, once they have been driven; NaN before, and of one that was not seen whole. */
  readonly sectors: [number, number] = [Number.NaN, Number.NaN]
  /** When the reference was where the lap is, and the lap's time at the end of its last sector; NaN where not known. */
  #at = Number.NaN
  #split = Number.NaN
  #before = Number.NaN
  /** The last place that was on the reference. */
  #seen = Number.NaN
  /** Whether the lap began at the line: without that there is no telling how far it is behind. */
  fromLine = false

  /** What the service knows about the lap's beginning: for who comes in the middle of it. */
  beginAt(time: number, fromLine: boolean): void {
    // The crossing seen in the positions is exact to a fraction of an interval, the last lap's last point is not.
    if (Math.abs(this.began - time) < 1) return
    this.began = time
    this.fromLine = fromLine
    this.#forgetSectors(Number.NaN)
  }

  follow(reference: ReferenceLap | undefined): void {
    this.reference = reference?.usable === true ? reference : undefined
    this.place = Number.NaN
    this.#seen = Number.NaN
    this.delta = Number.NaN
    this.#at = Number.NaN
  }

  /** Nothing is known of another session's lap. */
  forget(): void {
    this.follow(undefined)
    this.began = Number.NaN
    this.elapsed = Number.NaN
    this.fromLine = false
    this.#forgetSectors(Number.NaN)
  }

  #forgetSectors(at: number): void {
    this.sectors.fill(Number.NaN)
    this.#at = at
    this.#split = Number.NaN
  }

  read(point: Readonly<LivePoint>): void {
    const { reference } = this
    if (reference !== undefined) this.#locate(reference, point)
    this.elapsed = point.timestamp - this.began
    this.#before = point.timestamp
    // Pausing at the line, or driving back over it, is no lap yet.
    if (this.elapsed < 0) this.elapsed = Number.NaN
    this.delta =
      reference === undefined || Number.isNaN(this.place) || !this.fromLine
        ? Number.NaN
        : this.elapsed - reference.timeAt(this.place)
    if (reference !== undefined) this.#cut(reference)
  }

  /** Seconds that this lap will take, if the rest is driven as the reference was; NaN where not known. */
  get predicted(): number {
    return this.delta + (this.reference?.lapTime ?? Number.NaN)
  }

  /** The reference passed a sector's end between the last point and this one: so did this lap, as far behind as it is here. */
  #cut({ sectorEnds }: ReferenceLap): void {
    const at = this.elapsed - this.delta
    const from = this.#at
    this.#at = at
    for (const [k, end] of sectorEnds.entries()) {
      if (from < end && at >= end) {
        this.sectors[k as 0 | 1] = end + this.delta - (k === 0 ? 0 : this.#split)
        this.#split = end + this.delta
      }
    }
  }

  #locate(reference: ReferenceLap, point: Readonly<LivePoint>): void {
    const { position_x: x, position_y: y } = point
    if (Number.isNaN(x + y)) {
      this.place = Number.NaN
      return
    }
    const near = reference.locate(x, y, this.place)
    // Farther on than a car gets between two points: some were left out on the way here.
    this.place = Number.isNaN(near) ? reference.locate(x, y, Number.NaN) : near
    if (Number.isNaN(this.place)) return
    const from = this.#seen
    this.#seen = this.place
    const n = reference.x.length
    if (from > n * (1 - AROUND) && this.place < n * AROUND) {
      // Between the two points, by how long each of them is from the line.
      const toLine = reference.lapTime - reference.timeAt(from)
      const sinceLine = reference.timeAt(this.place)
      const share = toLine / (toLine + sinceLine || 1)
      this.began = this.#before + share * (point.timestamp - this.#before)
      this.fromLine = true
      this.#forgetSectors(0)
    }
  }
}
