/** The current drive: the car, the lap, the last minute, and the connections. */
import { api } from "../api.ts"
import { STEERING } from "../live/channels.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import type { SystemStatus } from "../types.ts"
import { Notice, Problem } from "../ui/Notice.tsx"
import { useAnswer, useInterval } from "../ui/useAnswer.ts"
import { headingOf, reported } from "../names.ts"
import { go, place, withQuery } from "../router.ts"
import { later } from "../ui/later.tsx"
import { useTitle } from "../ui/title.ts"
import { Connections } from "./live/Connections.tsx"
import { Dashboard } from "./live/Dashboard.tsx"
import { Welcome } from "./live/Welcome.tsx"

/** Often enough for counters; the telemetry itself arrives over the live feed. */
const STATUS_MS = 1000
const LIVE_HZ = 60

/** Who watches a drive connects nothing. */
const Connect = later(async () => (await import("./live/Connect.tsx")).Connect)

/** Also while a first connect is being tried: its form must stay. */
const nothingConnected = (status: SystemStatus) =>
  status.connections.every(({ state }) => state === "connecting")

const Gone = ({ id }: { id: number }) => (
  <Notice title={`Session ${id} does not exist.`}>
    <span>It was deleted, or it never existed.</span>
    <a class="button" href={withQuery({ session_id: undefined })}>
      Show the current session
    </a>
  </Notice>
)

const wantedSession = () => {
  const id = Number(place.value.query.get("session_id"))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

const STEERING_TOO = [STEERING]

export const LivePage = () => {
  const status = useAnswer(api.status, [])
  const onAir = useAnswer(api.onAir, [])
  const again = () => {
    status.again()
    onAir.again()
  }
  useInterval(again, STATUS_MS)
  const drive = useLiveSession({
    sessionId: wantedSession(),
    rate: LIVE_HZ,
    channels: STEERING_TOO,
    history: true
  })
  const shown = status.value
  const session = drive?.session.value
  useTitle(session && [...reported(session.driver), headingOf(session)].join(" · "))
  const id = drive?.feed.session.value
  const gone = drive?.gone.value === true
  // Where nothing is connected, the session on air is an old one: it is shown if the page saw it, or names it.
  const isConnected = shown !== undefined && !nothingConnected(shown)
  const seen = id !== undefined && (isConnected || drive!.feed.points > 0 || wantedSession() !== undefined)
  return (
    <>
      <h1 class="unseen">Live</h1>
      <div class="stack">
        {status.state === "failed" && <Problem error={status.error} again={status.again} />}
        {shown && nothingConnected(shown) && !seen && (
          <Welcome listening={shown.listening} changed={status.again} />
        )}
        {gone && seen && <Gone id={id} />}
        {drive && seen && !gone && (
          <Dashboard
            drive={drive}
            connections={shown?.connections}
            choose={(id) => go(withQuery({ session_id: String(id) }))}
          />
        )}
        {shown && <Connections status={shown} onAir={onAir.value} changed={again} />}
        {shown && <Connect open={nothingConnected(shown)} changed={status.again} status={shown} />}
      </div>
    </>
  )
}
