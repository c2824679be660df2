/** The car on its circuit: over the best lap's line, or over the driven line until there is one. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import { followCar } from "../../draw/followCar.ts"
import type { TrackMap } from "../../draw/TrackMap.ts"
import { TrackView } from "../../draw/TrackView.tsx"
import type { LiveSession } from "../../live/LiveSession.ts"
import { colour, theme } from "../../theme.ts"

export const LiveMap = ({ drive }: { drive: LiveSession }) => {
  const map = useRef<TrackMap>(undefined)
  const reference = drive.reference.value
  const line = useMemo(
    () => (reference === undefined ? undefined : { x: reference.x, y: reference.y, closed: true }),
    [reference]
  )
  useEffect(
    () => followCar(drive, map.current!, { fill: colour("loss"), radius: 8 }),
    [drive, reference, theme.value]
  )
  // The view stays mounted, because the map draws into it and positions may still arrive.
  const absent = drive.feed.absent.value
  return (
    <>
      {absent.includes("position_x") && <p class="muted small">The simulator reports no positions.</p>}
      <TrackView line={line} ready={(made) => (map.current = made)} label="The car on the track" />
    </>
  )
}
