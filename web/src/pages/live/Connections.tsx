/** The connections, each with its counts of points. */
import { useState } from "preact/hooks"
import { ApiError, api } from "../../api.ts"
import { count, counted, duration } from "../../format.ts"
import { titleOf } from "../../guides/guides.ts"
import type { ConnectionStatus, OnAir, SystemStatus } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"
import { OnAirChoice } from "./OnAir.tsx"

const looks: Readonly<Record<ConnectionStatus["state"], string>> = {
  connected: "tag good",
  connecting: "tag plain",
  reconnecting: "tag bad"
}

/** A car sends at least every second; a game in a menu sends nothing. */
const QUIET_S = 5

/** What a connection does, for a driver who waits. */
const stateOf = ({ last_telemetry, state }: ConnectionStatus): readonly [look: string, text: string] => {
  if (state !== "connected") return [looks[state], state]
  if (last_telemetry === null) return [looks.connecting, "connected, waiting for the car"]
  const quiet = Math.floor(Date.now() / 1000 - new Date(last_telemetry).getTime() / 1000)
  return quiet < QUIET_S
    ? [looks.connected, state]
    : [looks.connecting, `connected, no telemetry for ${duration(quiet)}`]
}

/** Counts of lost points and the reasons; empty if none were lost. */
const troubles = (connection: ConnectionStatus): string => {
  const reasons = Object.entries(connection.rejected).map(
    ([reason, points]) => `${count(points)} refused: ${reason.replaceAll("_", " ")}`
  )
  const others = [
    connection.points_dropped > 0 ? `${count(connection.points_dropped)} dropped` : "",
    connection.gaps > 0
      ? `${count(connection.points_missing)} missing in ${counted(connection.gaps, "gap")}`
      : "",
    connection.messages_refused > 0 ? `${counted(connection.messages_refused, "broken message")}` : "",
    ...connection.notices.map(({ reason }) => reason),
    connection.not_forwarded > 0 ? `${counted(connection.not_forwarded, "datagram")} not forwarded` : "",
    connection.sessions_refused > 0 ? `${counted(connection.sessions_refused, "session")} too many` : "",
    connection.laps_refused > 0 ? `${counted(connection.laps_refused, "lap")} too many` : ""
  ]
  return [...reasons, ...others].filter((text) => text !== "").join("; ")
}

/** Datagrams of a game that is not the connected one: none of its points is lost. */
const others = ({ foreign_sender, foreign_senders }: ConnectionStatus): string =>
  foreign_sender === 0
    ? ""
    : `${counted(foreign_sender, "datagram")} of another sender left out (${foreign_senders.join(", ")})`

const Row = ({ connection, changed }: { connection: ConnectionStatus; changed: () => void }) => {
  const { host, port } = connection
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const disconnect = () => {
    setBusy(true)
    api
      .disconnect({ host, port })
      .catch((failed: unknown) => setError(failed as ApiError))
      .finally(() => {
        setBusy(false)
        changed()
      })
  }
  const trouble = troubles(connection)
  const [look, state] = stateOf(connection)
  return (
    <tr>
      <td>
        <span class={look}>{state}</span>
      </td>
      <td>
        {titleOf(connection.simulator)} at {host}:{port}
      </td>
      <td class="num" data-head="Received">
        {count(connection.points_received)}
      </td>
      <td class="num" data-head="Stored">
        {count(connection.points_stored)}
      </td>
      <td>
        {trouble === "" ? <span class="muted">none lost</span> : <span class="loss">{trouble}</span>}
        {others(connection) !== "" && <span class="muted small"> {others(connection)}</span>}
        {error && <Problem error={error} />}
      </td>
      <td class="num">
        {connection.session_id !== null && <a href={`/sessions/${connection.session_id}`}>Session</a>}
      </td>
      <td class="num">
        <button type="button" disabled={busy} onClick={disconnect} aria-label={`Disconnect ${host}:${port}`}>
          {busy ? "Storing …" : "Disconnect"}
        </button>
      </td>
    </tr>
  )
}

export const Connections = ({
  status,
  onAir,
  changed
}: {
  status: SystemStatus
  onAir: OnAir | undefined
  changed: () => void
}) =>
  status.connections.length === 0 ? null : (
    <section class="panel">
      <div class="panel-head">
        <h2>Connections</h2>
        <span class="muted small">
          {counted(status.sessions_count, "session")}, {counted(status.laps_count, "lap")} kept; running for{" "}
          {duration(status.uptime)}
        </span>
      </div>
      {onAir && <OnAirChoice connections={status.connections} onAir={onAir} changed={changed} />}
      <div class="scroll">
        <table class="folding">
          <thead>
            <tr>
              <th>State</th>
              <th>Simulator</th>
              <th class="num">Received</th>
              <th class="num">Stored</th>
              <th>Losses</th>
              <th colSpan={2}>
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {status.connections.map((connection) => (
              <Row key={`${connection.host}:${connection.port}`} connection={connection} changed={changed} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
