/** The car on its circuit: the best lap's line, or, before there is one, what has been driven since. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { TrackMap } from "../../draw/TrackMap.ts"
import { TrackView } from "../../draw/TrackView.tsx"
import type { Drive } from "../../live/Drive.ts"
import { eachFrame } from "../../live/frames.ts"
import { colour, theme } from "../../theme.ts"

/** A line that is still growing is drawn again so often. */
const GROWING_MS = 500

export const LiveMap = ({ drive }: { drive: Drive }) => {
  const map = useRef<TrackMap>(undefined)
  const reference = drive.reference.value
  const line = useMemo(
    () => (reference === undefined ? undefined : { x: reference.x, y: reference.y, closed: true }),
    [reference]
  )
  useEffect(() => {
    let drawn = 0
    let seen = -1
    const fill = colour("loss")
    map.current!.onResize = () => (seen = -1)
    return eachFrame((now) => {
      const { point, points, ring } = drive.feed
      if (points === seen || points === 0) return
      seen = points
      if (reference === undefined && now - drawn > GROWING_MS) {
        drawn = now
        map.current!.show({ x: ring.view("position_x").slice(), y: ring.view("position_y").slice() })
      }
      map.current!.showCars([{ x: point.position_x, y: point.position_y, fill, radius: 8 }])
    })
  }, [drive, reference, theme.value])
  return <TrackView line={line} ready={(made) => (map.current = made)} label="The car on the track" />
}
