/** The current lap: how long it has been driven, and its delta to the reference at this place. */
import type { LivePoint } from "./Ring.ts"
import type { ReferenceLap } from "./ReferenceLap.ts"

/** A place that goes from the last tenth of the lap to its first has crossed the line. */
const AROUND = 0.1

export class LapClock {
  reference: ReferenceLap | undefined
  /** Start of the lap by the feed's clock; NaN if unknown. */
  began = Number.NaN
  /** Place on the reference; NaN if the car is not on it. */
  place = Number.NaN
  /** Seconds behind the reference here, and seconds driven; NaN if unknown. */
  delta = Number.NaN
  elapsed = Number.NaN
  /** Times of the lap's first two sectors, s, once they have ended; NaN before, and for a sector that was not seen whole. */
  readonly sectors: [number, number] = [Number.NaN, Number.NaN]
  /** How many sectors of this lap the car has left behind, by its place, also if it was not seen there. */
  sectorsOver = 0
  /** When the reference was at this place, and the lap's time at the end of its last sector; NaN if unknown. */
  #at = Number.NaN
  #split = Number.NaN
  #before = Number.NaN
  /** The last place that was on the reference. */
  #seen = Number.NaN
  /** Whether the lap began at the line: otherwise its delta is unknown. */
  fromLine = false

  /** The service's knowledge of the lap's start, for clients that join in the middle of it. */
  beginAt(time: number, fromLine: boolean): void {
    // The crossing seen in the positions is exact to a fraction of an interval; the last lap's last point is not.
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

  /** Forgets the lap, because another session begins. */
  forget(): void {
    this.follow(undefined)
    this.began = Number.NaN
    this.elapsed = Number.NaN
    this.fromLine = false
    this.#forgetSectors(Number.NaN)
  }

  #forgetSectors(at: number): void {
    this.sectors.fill(Number.NaN)
    this.sectorsOver = 0
    this.#at = at
    this.#split = Number.NaN
  }

  read(point: Readonly<LivePoint>): void {
    const { reference } = this
    if (reference !== undefined) this.#locate(reference, point)
    this.elapsed = point.timestamp - this.began
    this.#before = point.timestamp
    // A pause at the line, or driving back over it, starts no lap.
    if (this.elapsed < 0) this.elapsed = Number.NaN
    this.delta =
      reference === undefined || Number.isNaN(this.place) || !this.fromLine
        ? Number.NaN
        : this.elapsed - reference.timeAt(this.place)
    if (reference === undefined) return
    this.#cut(reference)
    if (Number.isNaN(this.place)) return
    const at = reference.timeAt(this.place)
    this.sectorsOver = reference.sectorEnds.filter((end) => at >= end).length
  }

  /** Seconds that this lap will take if its rest takes as long as the reference's; NaN if unknown. */
  get predicted(): number {
    return this.delta + (this.reference?.lapTime ?? Number.NaN)
  }

  /** The reference passed a sector's end between the last point and this one, so this lap did too, with the delta that it has here. */
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
    // Farther than a car gets between two points: points in between are missing.
    this.place = Number.isNaN(near) ? reference.locate(x, y, Number.NaN) : near
    if (Number.isNaN(this.place)) return
    const from = this.#seen
    this.#seen = this.place
    const n = reference.x.length
    if (from > n * (1 - AROUND) && this.place < n * AROUND) {
      // Interpolates between the two points by their times from the line.
      const toLine = reference.lapTime - reference.timeAt(from)
      const sinceLine = reference.timeAt(this.place)
      const share = toLine / (toLine + sinceLine || 1)
      this.began = this.#before + share * (point.timestamp - this.#before)
      this.fromLine = true
      this.#forgetSectors(0)
    }
  }
}
