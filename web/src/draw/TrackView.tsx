/** The track map as a component; `ready` gets it to draw cars on. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { theme } from "../theme.ts"
import { type MapLook, type TrackLine, TrackMap, type TrackMark } from "./TrackMap.ts"

const none: ReadonlyArray<TrackMark> = []

export const TrackView = ({
  line,
  marks = none,
  ready,
  label,
  look
}: {
  line: TrackLine | undefined
  marks?: ReadonlyArray<TrackMark>
  ready: (map: TrackMap) => void
  label: string
  look?: () => MapLook
}) => {
  const holder = useRef<HTMLDivElement>(null)
  const map = useRef<TrackMap>(undefined)
  // At the layout: when a signal renders the parent again before the first paint, the parent's effects, which draw on the
  // map, run before this component's.
  useLayoutEffect(() => {
    const made = new TrackMap(holder.current!, look)
    map.current = made
    ready(made)
    return () => made.close()
  }, [])
  useEffect(() => map.current?.show(line, marks), [line, marks, theme.value])
  return <div class="map" role="img" aria-label={label} ref={holder} />
}
