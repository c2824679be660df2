/** The current lap: its delta to the best at this place, its sectors and predicted time, and the best and last lap. */
import { useEffect, useRef } from "preact/hooks"
import { READABLE_HZ, write } from "../../draw/write.ts"
import { showSectors } from "../../draw/sectors.ts"
import { delta, lapTime, NOTHING } from "../../format.ts"
import { bestOf, lastOf } from "../../laps.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../../live/frames.ts"
import { DELTA_DIGITS, moveDeltaBar } from "../../draw/deltaBar.ts"

export const Timing = ({ drive }: { drive: LiveSession }) => {
  const current = useRef<HTMLSpanElement>(null)
  const behind = useRef<HTMLSpanElement>(null)
  const predicted = useRef<HTMLElement>(null)
  const bar = useRef<HTMLElement>(null)
  const sectors = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Kept in a variable, because a frame may still come while the page is unmounted.
    const [moved, late] = [bar.current!, behind.current!]
    const say = () => {
      const { elapsed } = drive.clock
      write(current.current, Number.isNaN(elapsed) ? NOTHING : lapTime(elapsed, 1))
      write(late, delta(drive.clock.delta, DELTA_DIGITS))
      write(predicted.current, lapTime(drive.clock.predicted, 2))
    }
    let seen = -1
    const move = () => {
      if (drive.feed.points === seen) return
      seen = drive.feed.points
      const look = `delta ${moveDeltaBar(moved, drive.clock.delta)}`
      if (late.className !== look) late.className = look
    }
    return ending([eachFrame(move), eachBeat(READABLE_HZ, say), showSectors(sectors.current!, drive, true)])
  }, [drive])
  const laps = drive.laps.value
  const best = bestOf(laps)
  const last = lastOf(laps)
  const against = drive.referenceLap.value
  return (
    <div class="timing">
      <h2>Lap {drive.lapNumber ?? NOTHING}</h2>
      <span class="clock" ref={current}>
        {NOTHING}
      </span>
      <div class="delta-bar">
        <i ref={bar} class="none" />
      </div>
      <span class="muted small">
        {against === undefined || against.id === best?.id
          ? "To the best lap"
          : against.session_id === drive.session.value?.id
            ? `To lap ${against.lap_number}`
            : `To ${lapTime(against.lap_time)} of session ${against.session_id}`}{" "}
        <span class="delta" ref={behind} />
      </span>
      <div
        class="live-sectors"
        ref={sectors}
        title="Against the best of the session's other laps: blue is faster, orange is slower; grey is the last lap's"
      />
      <dl class="facts">
        <div>
          <dt title="The reference's time and the delta here">Predicted</dt>
          <dd ref={predicted}>{NOTHING}</dd>
        </div>
        <div>
          <dt>Last</dt>
          <dd>
            {lapTime(last?.lap_time)}
            {last && !last.valid && " "}
            {last && !last.valid && <span class="tag bad">not valid</span>}
          </dd>
        </div>
        <div>
          <dt>Best</dt>
          <dd class="gain">{lapTime(best?.lap_time)}</dd>
        </div>
      </dl>
    </div>
  )
}
