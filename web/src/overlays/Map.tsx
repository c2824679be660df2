import { useEffect, useMemo, useRef } from "preact/hooks"
import { followCar } from "../draw/followCar.ts"
import type { MapLook, TrackMap } from "../draw/TrackMap.ts"
import { TrackView } from "../draw/TrackView.tsx"
import { useLiveSession } from "../live/useLiveSession.ts"
import { colour } from "../theme.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

const look = (): MapLook => ({
  line: "#e8edf4",
  edge: "rgb(8 12 18 / 85%)",
  text: "#ffffff",
  width: 5,
  font: 12
})

/** The car on the circuit: nothing but the line, so that it lies over any picture. */
export const Map = ({ options }: { options: Options }) => {
  const drive = useLiveSession(options.sessionId, options.rate, false)
  const map = useRef<TrackMap>(undefined)
  const reference = drive?.reference.value
  const line = useMemo(
    () => (reference === undefined ? undefined : { x: reference.x, y: reference.y, closed: true }),
    [reference]
  )
  useEffect(() => {
    if (drive === undefined) return
    return followCar(drive, map.current!, {
      fill: options.accent ?? colour("loss"),
      radius: 9 * options.scale
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
