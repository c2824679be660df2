/** The car and its lap, from one frame loop. */
import { useEffect, useMemo } from "preact/hooks"
import { showDrive, useDial, usePedals, useWheel } from "../../draw/gauges.tsx"
import type { LiveSession } from "../../live/LiveSession.ts"
import { followSteering } from "../../live/steering.ts"
import { headingOf, told } from "../../names.ts"
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
  useEffect(() => followSteering(drive.feed), [drive])
  return (
    <div class="gauges">
      {dial.dial}
      {pedals.pedals}
      {wheel.wheel}
    </div>
  )
}

const State = ({ drive }: { drive: LiveSession }) => {
  const link = drive.feed.link.value
  const stale = drive.feed.stale.value
  const text = link !== "open" ? "Reconnecting" : stale ? "Stale" : "Live"
  const advice =
    link !== "open"
      ? "The service does not answer; the values are the last it sent."
      : stale
        ? "No telemetry is coming; the values are the last ones. Is the simulator paused or in a menu?"
        : ""
  return (
    <span class="live-state" role="status">
      <span class={`tag ${text === "Live" ? "good" : "bad"}`}>{text}</span>
      {advice !== "" && <span class="small muted"> {advice}</span>}
    </span>
  )
}

const TELLS_NO_NAMES = "The simulator tells no names. Whoever connects it may give some."

const Which = ({
  drive,
  connections,
  choose
}: {
  drive: LiveSession
  connections: ReadonlyArray<ConnectionStatus>
  choose: (id: number) => void
}) => {
  const session = drive.session.value
  const ids = connections.flatMap(({ session_id }) => (session_id === null ? [] : [session_id]))
  const names = useSessionNames(ids.length > 1 ? ids : [])
  return (
    <div class="page-head">
      <p class="who">
        <strong>{session === undefined ? "Session" : headingOf(session)}</strong>
        <span class="muted">
          {session && (told(session.driver, session.vehicle).join(" · ") || TELLS_NO_NAMES)}
        </span>
      </p>
      <State drive={drive} />
      <div class="actions">
        {ids.length > 1 && (
          <label class="small muted">
            Session{" "}
            <select
              value={String(drive.feed.session.value)}
              onChange={(event) => choose(Number(event.currentTarget.value))}
            >
              {ids.map((id) => (
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
  connections: ReadonlyArray<ConnectionStatus>
  choose: (id: number) => void
}) => {
  const { drive } = properties
  const stale = drive.feed.stale.value
  // The same elements until something in them is another: the counters beside them change each second.
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
        <section class="panel area-traces" aria-label="The last minute">
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
