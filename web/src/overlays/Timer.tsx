import { useEffect, useRef } from "preact/hooks"
import { DELTA_DIGITS } from "../draw/deltaBar.ts"
import { READABLE_HZ, write } from "../draw/write.ts"
import { delta, deltaClass, lapTime, NOTHING } from "../format.ts"
import { bestOf, lastOf } from "../laps.ts"
import { eachBeat } from "../live/frames.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** The current lap with its delta, the last lap and the best. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const clock = useRef<HTMLSpanElement>(null)
  const behind = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    // Kept in a variable, because a beat may still come while the overlay is unmounted.
    const text = behind.current!
    return eachBeat(READABLE_HZ, () => {
      if (drive.feed.points === 0) return
      const { delta: late, elapsed } = drive.clock
      write(clock.current, Number.isNaN(elapsed) ? NOTHING : lapTime(elapsed, 1))
      write(text, delta(late, DELTA_DIGITS))
      text.className = `timer-delta ${deltaClass(late, DELTA_DIGITS)}`
    })
  }, [drive])
  const laps = drive?.laps.value ?? []
  const last = lastOf(laps)
  return (
    <Plate drive={drive} idle={options.idle} name="timer">
      <span class="timer-label">Lap {drive?.lapNumber ?? NOTHING}</span>
      <span class="timer-clock" ref={clock}>
        {NOTHING}
      </span>
      <span class="timer-delta" ref={behind}>
        {NOTHING}
      </span>
      <span class="timer-others">
        Last <b>{lapTime(last?.lap_time)}</b> Best <b>{lapTime(bestOf(laps)?.lap_time)}</b>
      </span>
    </Plate>
  )
}
