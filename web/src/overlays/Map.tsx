import { useEffect, useMemo, useRef } from "preact/hooks"
import type { MapLook, TrackMap } from "../draw/TrackMap.ts"
import { TrackView } from "../draw/TrackView.tsx"
import { eachFrame } from "../live/frames.ts"
import { useDrive } from "../live/useDrive.ts"
import { colour } from "../theme.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

/** A line that is still being driven is drawn again so often, ms. */
const GROWING_MS = 500

const look = (): MapLook => ({
  line: "#e8edf4",
  edge: "rgb(8 12 18 / 85%)",
  text: "#ffffff",
  width: 5,
  font: 12
})

/** The car on the circuit: nothing but the line, so that it lies over any picture. */
export const Map = ({ options }: { options: Options }) => {
  const drive = useDrive(options.sessionId, options.rate, false)
  const map = useRef<TrackMap>(undefined)
  const reference = drive?.reference.value
  const line = useMemo(
    () => (reference === undefined ? undefined : { x: reference.x, y: reference.y, closed: true }),
    [reference]
  )
  useEffect(() => {
    if (drive === undefined) return
    const fill = options.accent ?? colour("loss")
    let seen = -1
    let drawn = 0
    map.current!.onResize = () => (seen = -1)
    return eachFrame((now) => {
      const { point, points, ring } = drive.feed
      if (points === seen || points === 0) return
      seen = points
      if (reference === undefined && now - drawn > GROWING_MS) {
        drawn = now
        map.current!.show({ x: ring.view("position_x").slice(), y: ring.view("position_y").slice() })
      }
      map.current!.showCars([{ x: point.position_x, y: point.position_y, fill, radius: 9 * options.scale }])
    })
  }, [drive, reference])
  return (
    <Plate drive={drive} name="track">
      <TrackView
        line={line}
        ready={(made) => (map.current = made)}
        look={look}
        label="The car on the track"
      />
    </Plate>
  )
}
