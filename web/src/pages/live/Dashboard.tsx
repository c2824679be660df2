/** The car and its lap, from one frame loop. */
import { useEffect, useMemo } from "preact/hooks"
import { showDrive, useDial, usePedals, useWheel } from "../../draw/gauges.tsx"
import type { LiveSession } from "../../live/LiveSession.ts"
import { headingOf, reported } from "../../names.ts"
import { place, withQuery } from "../../router.ts"
import type { ConnectionStatus } from "../../types.ts"
import { useSessionNames } from "../../live/useSessionNames.ts"
import { ChannelPanels } from "./ChannelPanels.tsx"
import { LapTimes } from "./LapTimes.tsx"
import { LiveMap } from "./LiveMap.tsx"
import { Timing } from "./Timing.tsx"
import { Traces } from "./Traces.tsx"

const Gauges = ({ drive }: { drive: LiveSession }) => {
  const dial = useDial()
  const pedals = usePedals()
  const wheel = useWheel()
  useEffect(() => showDrive(drive, dial, [pedals, wheel]), [drive])
  return (
    <div class="gauges">
      {dial.dial}
      {pedals.pedals}
      {wheel.wheel}
    </div>
  )
}

const ENDED = "No telemetry is coming: this session has ended. The values are its last ones."

/** `ended`: no simulator is recorded into the session. */
const State = ({ drive, ended }: { drive: LiveSession; ended: boolean }) => {
  const link = drive.feed.link.value
  const stale = drive.feed.stale.value
  const text = link !== "open" ? "Reconnecting" : stale ? "Stale" : "Live"
  const advice =
    link !== "open"
      ? "The service does not answer; the values are the last ones that it sent."
      : stale
        ? ended
          ? ENDED
          : "No telemetry is coming; the values are the last ones. Is the simulator paused or in a menu?"
        : ""
  return (
    <span class="live-state" role="status">
      <span class={`tag ${text === "Live" ? "good" : "bad"}`}>{text}</span>
      {advice !== "" && <span class="small muted"> {advice} </span>}
      {advice === ENDED && place.value.query.has("session_id") && (
        <a class="small" href={withQuery({ session_id: undefined })}>
          Show the current session
        </a>
      )}
    </span>
  )
}

const NO_NAMES = "The simulator reports no names. You can set them when you connect it."

const Which = ({
  drive,
  connections,
  choose
}: {
  drive: LiveSession
  /** Undefined until they are known. */
  connections: ReadonlyArray<ConnectionStatus> | undefined
  choose: (id: number) => void
}) => {
  const session = drive.session.value
  const ids = (connections ?? []).flatMap(({ session_id }) => (session_id === null ? [] : [session_id]))
  const shown = drive.feed.session.value
  const ended = connections !== undefined && shown !== undefined && !ids.includes(shown)
  const choices = ended ? [shown, ...ids] : ids
  const names = useSessionNames(choices.length > 1 ? choices : [])
  return (
    <div class="page-head">
      <p class="who">
        <strong>{session === undefined ? "Session" : headingOf(session)}</strong>
        <span class="muted">
          {session && (reported(session.driver, session.vehicle).join(" · ") || NO_NAMES)}
        </span>
      </p>
      <State drive={drive} ended={ended} />
      <div class="actions">
        {choices.length > 1 && (
          <label class="small muted">
            Session{" "}
            <select value={String(shown)} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {choices.map((id) => (
                <option key={id} value={String(id)}>
                  {names(id)}
                </option>
              ))}
            </select>
          </label>
        )}
        {session && (
          <a class="button" href={`/sessions/${session.id}`}>
            Laps and analysis
          </a>
        )}
      </div>
    </div>
  )
}

export const Dashboard = (properties: {
  drive: LiveSession
  connections: ReadonlyArray<ConnectionStatus> | undefined
  choose: (id: number) => void
}) => {
  const { drive } = properties
  const stale = drive.feed.stale.value
  // Memoized, because the counters next to these panels change every second.
  const panels = useMemo(
    () => (
      <div class={`dashboard${stale ? " is-stale" : ""}`}>
        <section class="panel area-gauges" aria-label="Gauges">
          <Gauges drive={drive} />
        </section>
        <section class="panel area-timing" aria-label="Lap">
          <Timing drive={drive} />
        </section>
        <section class="panel area-map" aria-label="Track">
          <LiveMap drive={drive} />
        </section>
        <section class="panel area-traces" aria-label="Traces">
          <Traces drive={drive} />
        </section>
        <section class="panel area-laps">
          <LapTimes drive={drive} />
        </section>
        <section class="panel area-channels" aria-label="Channels">
          <ChannelPanels drive={drive} />
        </section>
      </div>
    ),
    [drive, stale]
  )
  return (
    <div>
      <Which {...properties} />
      {panels}
    </div>
  )
}
