/** The lap under way, its delta to the best at this place, and what the best and the last were. */
import { useEffect, useRef } from "preact/hooks"
import { READABLE_HZ, write } from "../../draw/write.ts"
import { delta, lapTime, NOTHING } from "../../format.ts"
import { bestOf, type LiveSession } from "../../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../../live/frames.ts"

/** The delta bar is full at this many seconds to either side. */
const FULL_S = 2
/** Of about a pixel: what moves less is not painted again. */
const BAR_STEPS = 200

export const Timing = ({ drive }: { drive: LiveSession }) => {
  const current = useRef<HTMLSpanElement>(null)
  const behind = useRef<HTMLSpanElement>(null)
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const say = () => {
      const { delta: late, elapsed } = drive.clock
      write(current.current, Number.isNaN(elapsed) ? NOTHING : lapTime(elapsed, 1))
      write(behind.current, delta(late, 2))
    }
    let seen = -1
    const move = () => {
      if (drive.feed.points === seen) return
      seen = drive.feed.points
      const late = drive.clock.delta
      const side = Number.isNaN(late) ? "none" : late > 0 ? "loss" : "gain"
      const share = Math.round(Math.min(1, Math.abs(late || 0) / FULL_S) * BAR_STEPS) / BAR_STEPS
      if (bar.current!.className !== side) {
        bar.current!.className = side
        behind.current!.className = `delta ${side}`
      }
      bar.current!.style.setProperty("transform", `scaleX(${(late > 0 ? share : -share).toFixed(3)})`)
    }
    return ending([eachFrame(move), eachBeat(READABLE_HZ, say)])
  }, [drive])
  const laps = drive.laps.value
  const best = bestOf(laps)
  const last = laps.at(-1)
  const against = drive.referenceLap.value
  return (
    <div class="timing">
      <h2>Lap {(last?.lap_number ?? 0) + 1}</h2>
      <span class="clock" ref={current}>
        {NOTHING}
      </span>
      <div class="delta-bar">
        <i ref={bar} class="none" />
      </div>
      <span class="muted small">
        {against === undefined || against.session_id === drive.session.value?.id
          ? "To the best lap"
          : `To ${lapTime(against.lap_time)} of session ${against.session_id}`}{" "}
        <span class="delta" ref={behind} />
      </span>
      <dl class="facts">
        <div>
          <dt>Last</dt>
          <dd>
            {lapTime(last?.lap_time)}
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
