/** Deviations from the session's other laps, the costliest first. All signs of one event share a row. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../../api.ts"
import { counted, fixed, plain } from "../../format.ts"
import { bestOf } from "../../laps.ts"
import type { Anomaly, Lap } from "../../types.ts"
import { Problem, Show } from "../../ui/Notice.tsx"
import { asShown } from "../../settings.ts"
import { useLatest } from "../../ui/useAnswer.ts"
import { type Incident, incidentsOf } from "./incidents.ts"

const SHOWN = 10

const severities = { high: "tag bad", medium: "tag loss", low: "tag plain" } as const

/** With the digits of its uncertainty, or with the service's digits if there is none. */
const costOf = ({ cost, cost_uncertainty: sure }: Anomaly): string => {
  if (cost === null) return ""
  if (sure === null) return `${plain(cost)} s`
  const digits = sure < 0.1 ? 2 : 1
  return `${fixed(cost, digits)} ± ${fixed(sure, digits)} s`
}

const Signs = ({ signs }: { signs: ReadonlyArray<Anomaly> }) =>
  signs.length === 0 ? null : (
    <details class="small muted">
      <summary>{counted(signs.length, "more sign")} of it</summary>
      <ul>
        {signs.map((sign, k) => (
          <li key={k}>
            {asShown(sign.description)} {sign.cost !== null && <span class="loss">({costOf(sign)})</span>}
          </li>
        ))}
      </ul>
    </details>
  )

/** Dismisses an incident, with all its signs, or takes that back. */
const Dismissal = ({
  sessionId,
  incident: { main, signs },
  changed
}: {
  sessionId: number
  incident: Incident
  changed: () => void
}) => {
  const dismissed = main.dismissed !== true
  const [error, setError] = useState<ApiError>()
  const act = () =>
    Promise.all(
      [main, ...signs].map(({ channel, distance, lap_number, type }) =>
        api.markAnomaly({ sessionId, anomalyMark: { type, lap_number, channel, distance, dismissed } })
      )
    ).then(changed, (failed: unknown) => setError(failed as ApiError))
  return (
    <>
      <button type="button" class="small on-screen" onClick={act}>
        {dismissed ? "Dismiss" : "Take back"}
      </button>
      {error && <Problem error={error} />}
    </>
  )
}

const Row = ({
  sessionId,
  incident,
  best,
  changed
}: {
  sessionId: number
  incident: Incident
  best: Lap | undefined
  changed: () => void
}) => {
  const { main: anomaly, signs } = incident
  return (
    <tr>
      <td>
        <span class={severities[anomaly.severity]}>{anomaly.severity}</span>
      </td>
      <td class="num" data-head="Lap">
        {best === undefined || best.id === anomaly.lap_id ? (
          anomaly.lap_number
        ) : (
          <a
            href={`/compare?laps=${best.id},${anomaly.lap_id}${anomaly.distance === null ? "" : `&at=${anomaly.distance.toFixed(0)}`}`}
            aria-label={`Lap ${anomaly.lap_number} against the best, there`}
          >
            {anomaly.lap_number}
          </a>
        )}
      </td>
      <td class="sentence">
        {asShown(anomaly.description)}
        <Signs signs={signs} />
      </td>
      <td class="num loss" data-head="Cost">
        {costOf(anomaly)}
      </td>
      <td class="num">
        <Dismissal sessionId={sessionId} incident={incident} changed={changed} />
      </td>
    </tr>
  )
}

export const Anomalies = ({ sessionId, laps }: { sessionId: number; laps: ReadonlyArray<Lap> }) => {
  const answer = useLatest(() => api.anomalies(sessionId), [sessionId], laps)
  const [all, showAll] = useState(false)
  const [withDismissed, showDismissed] = useState(false)
  const fastest = bestOf(laps)
  return (
    <section class="panel">
      <h2>Anomalies</h2>
      <Show answer={answer}>
        {({ anomalies: found, missing_channels }) => {
          const dismissed = found.filter((anomaly) => anomaly.dismissed).length
          const anomalies = withDismissed ? found : found.filter((anomaly) => !anomaly.dismissed)
          const total = anomalies.length
          // Of one event, some signs may be dismissed and others not.
          const incidents = [false, true].flatMap((which) =>
            incidentsOf(anomalies.filter((anomaly) => (anomaly.dismissed ?? false) === which))
          )
          return (
            <div class="stack">
              {total === 0 && dismissed === 0 && (
                <p class="muted">None: no lap deviates from the others, and no data is missing.</p>
              )}
              {missing_channels.length > 0 && (
                <p class="muted small">
                  Not checked on laps that lack {missing_channels.join(", ").replaceAll("_", " ")}.
                </p>
              )}
              {total > 0 && (
                <div class="scroll">
                  <table class="folding">
                    <thead>
                      <tr>
                        <th>Severity</th>
                        <th class="num">Lap</th>
                        <th>Anomaly</th>
                        <th class="num">Cost</th>
                        <th>
                          <span class="unseen">Dismiss</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {(all ? incidents : incidents.slice(0, SHOWN)).map((incident, k) => (
                        <Row
                          key={k}
                          sessionId={sessionId}
                          incident={incident}
                          best={fastest}
                          changed={answer.again}
                        />
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
              {dismissed > 0 && (
                <p>
                  <button type="button" onClick={() => showDismissed(!withDismissed)}>
                    {withDismissed ? "Hide" : "Show"} the {dismissed} dismissed
                  </button>
                </p>
              )}
              {incidents.length > SHOWN && (
                <p>
                  <button type="button" onClick={() => showAll(!all)}>
                    {all ? `Show the first ${SHOWN}` : `Show all ${incidents.length}`}
                  </button>
                </p>
              )}
            </div>
          )
        }}
      </Show>
    </section>
  )
}
