/** Shows the car of a drive on a map: over the reference's line, or over the driven line if there is no reference. */
import type { LiveSession } from "../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import type { Car, TrackMap } from "./TrackMap.ts"

/** A line that is still growing is drawn again so often. */
const GROWING_HZ = 1
/** Of 60 points a second: each few metres. */
const GROWING_STRIDE = 6
/** Limit for a line that no lap ends (a rally's stage, a pause): more points than the longest lap has. */
const MAX_GROWN = 10_000

/** The driven line; the ring only keeps a minute of it. */
const growingLine = ({ feed }: LiveSession) => {
  let x: Array<number> = []
  let y: Array<number> = []
  let since = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let session = feed.session.peek()
  return () => {
    const { ring } = feed
    const newest = ring.at("timestamp", ring.length - 1)
    const oldest = ring.at("timestamp", 0)
    // A new session, a clock that went back, or the minute before, which arrives after the first points.
    if (feed.session.peek() !== session || newest < until || oldest < since || x.length > MAX_GROWN) {
      session = feed.session.peek()
      x = []
      y = []
      since = oldest
      until = Number.NEGATIVE_INFINITY
    }
    for (let k = ring.from(until); k < ring.length; k += GROWING_STRIDE) {
      x.push(ring.at("position_x", k))
      y.push(ring.at("position_y", k))
    }
    until = newest
    return { x, y, growing: true }
  }
}

/** Until the returned function is called. `others`: other cars, drawn below this one. */
export const followCar = (
  drive: LiveSession,
  map: TrackMap,
  car: Omit<Car, "x" | "y">,
  others: () => ReadonlyArray<Car> = () => []
): (() => void) => {
  const { feed, isSought, reference } = drive
  const grow = growingLine(drive)
  let seen = -1
  map.onResize = () => (seen = -1)
  return ending([
    // Drawn before the car, because a new line changes the map's scale.
    eachBeat(GROWING_HZ, () => {
      // A reference that is still being loaded would replace the driven line after a moment.
      if (reference.peek() !== undefined || !isSought.peek() || feed.points === 0) return
      if (feed.ring.knows("position_x")) map.show(grow())
    }),
    eachFrame(() => {
      if (feed.points === seen || feed.points === 0) return
      seen = feed.points
      const { position_x: x, position_y: y } = feed.point
      map.showCars([...others(), ...(Number.isNaN(x + y) ? [] : [{ x, y, ...car }])])
    })
  ])
}
