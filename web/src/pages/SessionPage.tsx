/** One session: its laps, their consistency, anomalies, and the prediction of the next lap. */
import { useEffect, useRef, useState } from "preact/hooks"
import { api } from "../api.ts"
import { counted, dateTime, duration, lapTime } from "../format.ts"
import { standing } from "../laps.ts"
import { type SessionEvents, useSessionEvents } from "../live/useSessionEvents.ts"
import { headingOf, isReported, nameText, reported } from "../names.ts"
import { go, place } from "../router.ts"
import { zoneName } from "../settings.ts"
import type { Lap, Session } from "../types.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Notice, Problem, Show } from "../ui/Notice.tsx"
import type { ApiError } from "../api.ts"
import { withToken } from "../token.ts"
import { useTitle } from "../ui/title.ts"
import { useAnswer, useInterval, useLatest } from "../ui/useAnswer.ts"
import { Anomalies } from "./session/Anomalies.tsx"
import { Consistency, ConsistencyToCome } from "./session/Consistency.tsx"
import { LapTable } from "./session/LapTable.tsx"
import { NextLap } from "./session/NextLap.tsx"
import { LapTimesPlot } from "./session/LapTimesPlot.tsx"

/** How often the length of a session is loaded while it is driven; laps and names are loaded when they change. */
const LIVE_MS = 30_000

const titleOf = (session: Session) =>
  [headingOf(session), ...reported(session.driver), dateTime(session.datetime)].join(", ")

const Deletion = ({ session, close }: { session: Session; close: () => void }) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const remove = () => {
    setBusy(true)
    api.deleteSession(session.id).then(
      () => go("/sessions"),
      (failed: unknown) => {
        setBusy(false)
        setError(failed as ApiError)
      }
    )
  }
  return (
    <>
      <p>
        {titleOf(session)}: {counted(session.total_laps, "lap")} and all their telemetry will be gone. This
        cannot be undone.
      </p>
      {error && <Problem error={error} />}
      <div class="form">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={busy} onClick={remove}>
          {busy ? "Deleting …" : "Delete the session"}
        </button>
      </div>
    </>
  )
}

/** The service never removes a pinned session to make room. */
const Pin = ({ session }: { session: Session }) => {
  const [pinned, setPinned] = useState(session.pinned)
  const [error, setError] = useState<ApiError>()
  const show = (changed: Session) => {
    setPinned(changed.pinned)
    setError(undefined)
  }
  const change = () =>
    api.pinSession(session.id, !pinned).then(show, (failed: unknown) => setError(failed as ApiError))
  return (
    <>
      <button
        type="button"
        aria-pressed={pinned}
        title="A pinned session is never removed to make room"
        onClick={change}
      >
        {pinned ? "Pinned" : "Pin"}
      </button>
      {error && <Problem error={error} />}
    </>
  )
}

/** Whether the session is being recorded, and whether this page follows it. */
const Live = ({ linked, live }: Pick<SessionEvents, "linked" | "live">) => (
  <span role="status">
    {live === true && linked && <span class="tag good">live</span>}
    {!linked && <span class="tag bad">reconnecting</span>}
  </span>
)

const Head = ({ events, session }: { events: SessionEvents; session: Session }) => {
  const [deleting, setDeleting] = useState(false)
  const file = `/api/v1/export/session/${session.id}`
  return (
    <div class="page-head">
      <h1>{headingOf(session)}</h1>
      <Live {...events} />
      <span class="muted">
        {isReported(session.driver) && (
          <>
            <a href={`/statistics?driver=${encodeURIComponent(session.driver)}`}>
              {nameText(session.driver)}
            </a>
            {" · "}
          </>
        )}
        {isReported(session.vehicle) && `${nameText(session.vehicle)} · `}
        {dateTime(session.datetime)} {zoneName.value} · {duration(session.duration)}
      </span>
      <div class="actions">
        {events.live === true && (
          <a class="button primary" href={`/?session_id=${session.id}`}>
            Live page
          </a>
        )}
        <a class="button" href={withToken(`${file}?format=csv`)} download>
          Export CSV
        </a>
        <a class="button" href={withToken(`${file}?format=json`)} download>
          Export JSON
        </a>
        <Pin session={session} />
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          Delete …
        </button>
      </div>
      <Dialog open={deleting} title="Delete this session?" close={() => setDeleting(false)}>
        <Deletion session={session} close={() => setDeleting(false)} />
      </Dialog>
    </div>
  )
}

const Facts = ({ session, laps }: { session: Session; laps: ReadonlyArray<Lap> }) => {
  const consistency = useLatest(() => api.consistency(session.id), [session.id], laps)
  return (
    <section class="panel stack">
      <dl class="facts">
        <div>
          <dt>Best lap</dt>
          <dd class="gain">{lapTime(session.best_lap_time)}</dd>
        </div>
        <div>
          <dt>Laps</dt>
          <dd>
            {standing(laps).length}{" "}
            <span class="muted small">{laps.filter((lap) => lap.valid).length} valid</span>
          </dd>
        </div>
        {consistency.value ? (
          <Consistency consistency={consistency.value} />
        ) : (
          consistency.state === "waiting" && laps.length > 1 && <ConsistencyToCome />
        )}
      </dl>
      <LapTimesPlot laps={laps} />
    </section>
  )
}

const Found = ({ found, again }: { found: FoundSession; again: () => void }) => {
  const { isLive, laps, session } = found
  const seen = useSessionEvents(session.id)
  const events = { ...seen, live: seen.live ?? isLive }
  useEffect(() => {
    if (events.changes > 0) again()
  }, [events.changes])
  useInterval(() => events.live && again(), LIVE_MS)
  return (
    <div>
      <Head session={session} events={events} />
      {laps.length === 0 ? (
        <Notice title="This session has no lap yet.">
          <span>This page lists each lap when it is complete.</span>
        </Notice>
      ) : (
        <div class="session">
          <div class="stack">
            <LapTable sessionId={session.id} laps={laps} />
          </div>
          <div class="stack">
            <Facts session={session} laps={laps} />
            <NextLap sessionId={session.id} laps={laps} />
            <Anomalies sessionId={session.id} laps={laps} />
          </div>
        </div>
      )}
    </div>
  )
}

interface FoundSession {
  readonly session: Session
  readonly laps: ReadonlyArray<Lap>
  /** Whether it was being recorded when it was loaded. */
  readonly isLive: boolean
}

export const SessionPage = () => {
  const id = Number(place.value.path.split("/")[2])
  const before = useRef<ReadonlyArray<Lap>>([])
  const answer = useAnswer(async (): Promise<FoundSession> => {
    const [session, laps, { connections }] = await Promise.all([api.session(id), api.laps(id), api.status()])
    // Unchanged laps keep their identity, so that everything derived from them is computed once.
    if (JSON.stringify(laps) !== JSON.stringify(before.current)) before.current = laps
    const isLive = connections.some(({ session_id }) => session_id === id)
    return { session, laps: before.current, isLive }
  }, [id])
  useTitle(answer.value && titleOf(answer.value.session))
  return <Show answer={answer}>{(found) => <Found found={found} again={answer.again} />}</Show>
}
