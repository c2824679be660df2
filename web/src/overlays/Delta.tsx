import { useEffect, useRef } from "preact/hooks"
import { DELTA_DIGITS, moveDeltaBar } from "../draw/deltaBar.ts"
import { READABLE_HZ, write } from "../draw/write.ts"
import { delta, lapTime, NOTHING } from "../format.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Delta at which the bar is full, s: on the air, the first half second matters. */
const FULL_S = 1

/** The name of the reference. */
const nameOf = (drive: LiveSession | undefined, { against }: Options): string => {
  const lap = drive?.referenceLap.value
  if (lap === undefined) return "To the best lap"
  const time = lapTime(lap.lap_time)
  if (lap.id === against || lap.id === drive?.chosen.value) return `To the reference ${time}`
  return lap.session_id === drive?.session.value?.id ? `To the best ${time}` : `To the best here ${time}`
}

/** The delta to the best lap or to the reference at this place, and the lap time that follows from it. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const bar = useRef<HTMLElement>(null)
  const late = useRef<HTMLElement>(null)
  const predicted = useRef<HTMLElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    // Kept in a variable, because a frame may still come while the overlay is unmounted.
    const [moved, text] = [bar.current!, late.current!]
    return ending([
      eachFrame(() => {
        const side = moveDeltaBar(moved, drive.clock.delta, FULL_S)
        if (text.className !== side) text.className = side
      }),
      eachBeat(READABLE_HZ, () => {
        write(late.current, delta(drive.clock.delta, DELTA_DIGITS))
        write(predicted.current, lapTime(drive.clock.predicted, 2))
      })
    ])
  }, [drive])
  return (
    <Plate drive={drive} idle={options.idle} name="delta-overlay">
      <div class="delta-head">
        <span>{nameOf(drive, options)}</span>
        <span>
          Predicted <b ref={predicted}>{NOTHING}</b>
        </span>
      </div>
      <div class="delta-bar">
        <i ref={bar} class="none" />
      </div>
      <b class="none" ref={late}>
        {NOTHING}
      </b>
    </Plate>
  )
}
