/** One session: its laps, their consistency, anomalies, and the prediction of the next lap. */
import { useEffect, useRef, useState } from "preact/hooks"
import { api } from "../api.ts"
import { dateTime, duration, lapTime } from "../format.ts"
import { standing } from "../laps.ts"
import { type SessionEvents, useSessionEvents } from "../live/useSessionEvents.ts"
import { headingOf, isReported, nameText } from "../names.ts"
import { place } from "../router.ts"
import { zoneName } from "../settings.ts"
import type { Lap, Mark, Session, SessionMark } from "../types.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { later } from "../ui/later.tsx"
import { Notice, Show } from "../ui/Notice.tsx"
import { withToken } from "../token.ts"
import { useTitle } from "../ui/title.ts"
import { useAnswer, useInterval, useLatest } from "../ui/useAnswer.ts"
import { Anomalies } from "./session/Anomalies.tsx"
import { Consistency, ConsistencyToCome } from "./session/Consistency.tsx"
import { LapTable } from "./session/LapTable.tsx"
import { NextLap } from "./session/NextLap.tsx"
import { Deletion, Pin, titleOf } from "./session/sessionActions.tsx"
import { LapTimesPlot } from "./session/LapTimesPlot.tsx"

/** How often the length of a session is loaded while it is driven; laps and names are loaded when they change. */
const LIVE_MS = 30_000

/** What users say about the session. */
const Marked = ({ mark: { note, tags } }: { mark: SessionMark }) =>
  note === null && tags.length === 0 ? null : (
    <p class="marked">
      {tags.map((tag) => (
        <a key={tag} class="tag plain" href={`/sessions?tag=${encodeURIComponent(tag)}`}>
          {tag}
        </a>
      ))}{" "}
      {note}
    </p>
  )

/** Whether the session is being recorded, and whether this page follows it. */
const Live = ({ linked, live }: Pick<SessionEvents, "linked" | "live">) => (
  <span role="status">
    {live === true && linked && <span class="tag good">live</span>}
    {!linked && <span class="tag bad">reconnecting</span>}
  </span>
)

const EditSession = later(async () => (await import("./session/EditSession.tsx")).EditSession)

/** `changed`: a user has said something about the session. */
const Head = ({
  events,
  mark,
  session,
  changed
}: {
  events: SessionEvents
  mark: SessionMark
  session: Session
  changed: () => void
}) => {
  const [deleting, setDeleting] = useState(false)
  const [editing, setEditing] = useState(false)
  const done = () => {
    setEditing(false)
    changed()
  }
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
        <a class="button" href={`/sessions/${session.id}/diagrams`}>
          Diagrams
        </a>
        <a class="button" href={withToken(`${file}?format=csv`)} download>
          Export CSV
        </a>
        <a class="button" href={withToken(`${file}?format=json`)} download>
          Export JSON
        </a>
        <Pin session={session} />
        <button type="button" onClick={() => setEditing(true)}>
          Edit …
        </button>
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          Delete …
        </button>
      </div>
      <Marked mark={mark} />
      <Dialog open={editing} title="Names, tags and note" close={done}>
        <EditSession session={session} mark={mark} close={done} />
      </Dialog>
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
  const { isLive, lapMarks, laps, mark, session } = found
  const seen = useSessionEvents(session.id)
  const events = { ...seen, live: seen.live ?? isLive }
  useEffect(() => {
    if (events.changes > 0) again()
  }, [events.changes])
  useInterval(() => events.live && again(), LIVE_MS)
  return (
    <div>
      <Head session={session} events={events} mark={mark} changed={again} />
      {laps.length === 0 ? (
        <Notice title="This session has no lap yet.">
          <span>This page lists each lap when it is complete.</span>
        </Notice>
      ) : (
        <div class="session">
          <div class="stack">
            <LapTable sessionId={session.id} laps={laps} marks={lapMarks} changed={again} />
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
  /** What users say about the session and its laps. */
  readonly mark: SessionMark
  readonly lapMarks: ReadonlyArray<Mark>
  /** Whether it was being recorded when it was loaded. */
  readonly isLive: boolean
}

export const SessionPage = () => {
  const id = Number(place.value.path.split("/")[2])
  const before = useRef<ReadonlyArray<Lap>>([])
  const answer = useAnswer(async (): Promise<FoundSession> => {
    const [session, laps, { connections }, mark, lapMarks] = await Promise.all([
      api.session(id),
      api.laps(id),
      api.status(),
      api.sessionMark(id),
      api.lapMarks(id)
    ])
    // Unchanged laps keep their identity, so that everything derived from them is computed once.
    if (JSON.stringify(laps) !== JSON.stringify(before.current)) before.current = laps
    const isLive = connections.some(({ session_id }) => session_id === id)
    return { session, laps: before.current, mark, lapMarks, isLive }
  }, [id])
  useTitle(answer.value && titleOf(answer.value.session))
  return <Show answer={answer}>{(found) => <Found found={found} again={answer.again} />}</Show>
}
