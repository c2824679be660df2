/** The head of the traces: how much they show, and a look back while the drive goes on. */
import { duration } from "../../format.ts"
import { earliestOf, type Held, type TraceView, type Window, WINDOWS } from "./useTraceView.ts"

const LookBack = ({ held, moveTo }: { held: Held; moveTo: (at: number) => void }) => {
  const { at, end, seconds, start } = held
  const earliest = earliestOf(held)
  const isShort = earliest >= end
  // A press moves by most of what is shown.
  const step = Math.max(1, 0.8 * seconds)
  return (
    <div class="look-back">
      <button
        type="button"
        class="icon"
        aria-label="Earlier"
        disabled={at <= earliest}
        onClick={() => moveTo(at - step)}
      >
        ◀
      </button>
      <input
        type="range"
        aria-label="Time in the session"
        aria-valuetext={`${duration(end - at)} before the pause`}
        disabled={isShort}
        min={earliest - end}
        max={0}
        step="any"
        value={at - end}
        onInput={(event) => moveTo(end + Number(event.currentTarget.value))}
      />
      <button
        type="button"
        class="icon"
        aria-label="Later"
        disabled={at >= end}
        onClick={() => moveTo(at + step)}
      >
        ▶
      </button>
      <span class="muted small" role="status">
        {isShort
          ? "The session is no longer than this."
          : `To ${duration(end - at)} before the pause, ${duration(at - start)} into the session`}
      </span>
    </div>
  )
}

export const TraceControls = ({ view }: { view: TraceView }) => {
  const { choose, held, hold, moveTo, release, window } = view
  return (
    <>
      <div class="panel-head">
        <h2>{held === undefined ? "Traces" : "Traces, paused"}</h2>
        <span class="form">
          <label class="small muted">
            Show{" "}
            <select value={window} onChange={(event) => choose(event.currentTarget.value as Window)}>
              {Object.entries(WINDOWS).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={held === undefined ? hold : release}>
            {held === undefined ? "Pause" : "Go live"}
          </button>
        </span>
      </div>
      {held !== undefined && <LookBack held={held} moveTo={moveTo} />}
    </>
  )
}
