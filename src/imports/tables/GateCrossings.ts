/**
 * Where a car crosses the line of a file that has two points for it. Writers mean different things by the two points
 * (formats.md, 3.4): the ends of the line, or two places along the track, of which the line goes square through the
 * first. The car's own way near them decides. Plain.
 */

import { type Gate, HALF_WIDTH_M, METRES_PER_DEGREE } from "../../domain/Gate.ts"

/** The car is near the line within this, m, or within the distance of the two points. */
const NEAR_M = 15
/** Another crossing so soon is none, s. */
const MIN_LAP_S = 10

const RADIANS = Math.PI / 180

interface Point {
  readonly x: number
  readonly y: number
}

interface Passage {
  readonly time: number
  /** Whether it goes from the left of the line to its right. */
  readonly isForwards: boolean
}

/** How far along the step from `p` to `q` it crosses the line from `a` to `b`; undefined if it does not. */
const crossing = (p: Point, q: Point, a: Point, b: Point): number | undefined => {
  const [dx, dy] = [q.x - p.x, q.y - p.y]
  const [ex, ey] = [b.x - a.x, b.y - a.y]
  const across = dx * ey - dy * ex
  if (across === 0) return undefined
  const along = ((a.x - p.x) * ey - (a.y - p.y) * ex) / across
  const onLine = ((a.x - p.x) * dy - (a.y - p.y) * dx) / across
  return along >= 0 && along < 1 && onLine >= 0 && onLine <= 1 ? along : undefined
}

class Line {
  readonly passages: Array<Passage> = []
  readonly #a: Point
  readonly #b: Point

  constructor(a: Point, b: Point) {
    this.#a = a
    this.#b = b
  }

  step(p: Point, q: Point, before: number, time: number): void {
    const at = crossing(p, q, this.#a, this.#b)
    if (at === undefined) return
    const side = (q.x - p.x) * (this.#b.y - this.#a.y) - (q.y - p.y) * (this.#b.x - this.#a.x)
    this.passages.push({ time: before + at * (time - before), isForwards: side > 0 })
  }

  /** The crossings in the direction of most, one for each lap. */
  get crossings(): ReadonlyArray<number> {
    const forwards = this.passages.filter(({ isForwards }) => isForwards).length
    const isUsual = forwards >= this.passages.length - forwards
    const kept: Array<number> = []
    for (const { isForwards, time } of this.passages) {
      if (isForwards === isUsual && !(time - kept.at(-1)! < MIN_LAP_S)) kept.push(time)
    }
    return kept
  }
}

export class GateCrossings {
  readonly #origin: readonly [number, number]
  /** Metres of a degree of longitude there. */
  readonly #metresPerDegree: number
  readonly #a: Point
  readonly #along: Point
  readonly #distance: number
  readonly #asEnds: Line
  readonly #square: Line
  #last: Point | undefined
  #time = Number.NaN
  /** The car's motion along the two points, and across them, near them, m. */
  #alongM = 0
  #acrossM = 0

  /** Its two points, of whatever meaning. */
  constructor({ latitudes, longitudes }: Gate) {
    this.#origin = [latitudes[0], longitudes[0]]
    this.#metresPerDegree = METRES_PER_DEGREE * Math.cos(latitudes[0] * RADIANS)
    this.#a = this.#point(latitudes[0], longitudes[0])
    const end = this.#point(latitudes[1], longitudes[1])
    this.#distance = Math.hypot(end.x - this.#a.x, end.y - this.#a.y)
    const [ux, uy] = [(end.x - this.#a.x) / this.#distance, (end.y - this.#a.y) / this.#distance]
    this.#along = { x: ux, y: uy }
    this.#asEnds = new Line(this.#a, end)
    const side = (sign: number) => ({
      x: this.#a.x - sign * HALF_WIDTH_M * uy,
      y: this.#a.y + sign * HALF_WIDTH_M * ux
    })
    this.#square = new Line(side(-1), side(1))
  }

  #point(latitude: number, longitude: number): Point {
    return {
      x: this.#metresPerDegree * (longitude - this.#origin[1]),
      y: METRES_PER_DEGREE * (latitude - this.#origin[0])
    }
  }

  /** Takes the next fix; degrees. */
  add(time: number, latitude: number, longitude: number): void {
    const point = this.#point(latitude, longitude)
    const last = this.#last
    if (last !== undefined) {
      this.#asEnds.step(last, point, this.#time, time)
      this.#square.step(last, point, this.#time, time)
      if (Math.hypot(point.x - this.#a.x, point.y - this.#a.y) < Math.max(NEAR_M, this.#distance)) {
        const [dx, dy] = [point.x - last.x, point.y - last.y]
        this.#alongM += Math.abs(dx * this.#along.x + dy * this.#along.y)
        this.#acrossM += Math.abs(dx * this.#along.y - dy * this.#along.x)
      }
    }
    this.#last = point
    this.#time = time
  }

  /** The times of the crossings. */
  get crossings(): ReadonlyArray<number> {
    return this.#alongM > this.#acrossM ? this.#square.crossings : this.#asEnds.crossings
  }
}
