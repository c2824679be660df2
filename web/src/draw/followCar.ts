/** The car of a drive on a map: over the reference's line, or, before there is one, over what has been driven since. */
import type { LiveSession } from "../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import type { Car, TrackMap } from "./TrackMap.ts"

/** A line that is still growing is drawn again so often. */
const GROWING_HZ = 1
/** Of 60 points a second: each few metres. */
const GROWING_STRIDE = 6

/** Until the returned function is called. */
export const followCar = (
  { feed, reference }: LiveSession,
  map: TrackMap,
  car: Pick<Car, "fill" | "radius">
): (() => void) => {
  let seen = -1
  map.onResize = () => (seen = -1)
  return ending([
    // Before the car, whose place on the map changes with the line's fit.
    eachBeat(GROWING_HZ, () => {
      if (reference.peek() !== undefined || feed.points === 0) return
      const { ring } = feed
      if (!ring.knows("position_x")) return
      map.show({
        x: ring.thinned("position_x", 0, GROWING_STRIDE),
        y: ring.thinned("position_y", 0, GROWING_STRIDE)
      })
    }),
    eachFrame(() => {
      if (feed.points === seen || feed.points === 0) return
      seen = feed.points
      const { position_x: x, position_y: y } = feed.point
      map.showCars(Number.isNaN(x + y) ? [] : [{ x, y, ...car }])
    })
  ])
}
