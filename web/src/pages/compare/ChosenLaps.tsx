/** The compared laps: colour, driver, time, and whether their telemetry can be trusted. */
import { useState } from "preact/hooks"
import { dateTime, delta, deltaClass, lapTime } from "../../format.ts"
import { flawOf } from "../../laps.ts"
import { driverOf, reported } from "../../names.ts"
import { withQuery } from "../../router.ts"
import { zoneName } from "../../settings.ts"
import type { Comparison, Lap, Session } from "../../types.ts"
import { LapChips } from "./LapChips.tsx"
import { lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

export interface ChosenLap {
  readonly lap: Lap
  readonly session: Session
}

/** The circuits of the laps; names that differ in case are one, as for the service. */
export const circuitsOf = (laps: ReadonlyArray<ChosenLap>): ReadonlyArray<string> => [
  ...new Map(laps.map(({ session: { circuit } }) => [circuit.toLowerCase(), circuit])).values()
]

const without = (laps: ReadonlyArray<ChosenLap>, id: number) =>
  withQuery({
    laps: laps
      .filter(({ lap }) => lap.id !== id)
      .map(({ lap }) => lap.id)
      .join(",")
  })

type Deltas = Comparison["time_deltas"][string]

/** The delta to the chosen reference: the service only gives deltas to the fastest lap. */
const minus = (of: Deltas | undefined, reference: Deltas | undefined, part: keyof Deltas) => {
  const [value, from] = [of?.[part] ?? null, reference?.[part] ?? null]
  return value === null || from === null ? null : value - from
}

/** More laps than these scroll in a box of their own, so that the plots stay in sight. */
const MANY = 6

const Trust = ({ comparison, id }: { comparison: Comparison | undefined; id: number }) => {
  const closure = comparison?.closure.find(({ lap_id }) => lap_id === id)
  if (closure === undefined) return null
  return closure.trusted ? (
    <span class="tag good">✓ trusted</span>
  ) : (
    <span class="loss sentence">
      <span class="tag bad">✕ not trusted</span> {closure.reason}
    </span>
  )
}

export const ChosenLaps = ({
  laps,
  comparison
}: {
  laps: ReadonlyArray<ChosenLap>
  comparison: Comparison | undefined
}) => {
  const [unfolded, unfold] = useState(false)
  const names = lapNames(laps)
  const first = comparison?.time_deltas[String(laps[0]?.lap.id)]
  const behindOf = ({ lap }: ChosenLap) => minus(comparison?.time_deltas[String(lap.id)], first, "total")
  // While they cannot be compared, the table is the way to remove some.
  const folded = comparison !== undefined && !unfolded
  // The page's heading has the circuit.
  const isOneCircuit = circuitsOf(laps).length === 1
  return laps.length === 0 ? null : (
    <section
      class={`panel scroll${laps.length > MANY && !folded ? " many" : ""}`}
      aria-label="Chosen laps"
      tabIndex={laps.length > MANY && !folded ? 0 : undefined}
    >
      {comparison !== undefined && (
        <div class="chips-row">
          <LapChips behind={laps.map(behindOf)} comparison={comparison} laps={laps} />
          <button
            type="button"
            class="small on-screen"
            aria-expanded={unfolded}
            onClick={() => unfold(!unfolded)}
          >
            {unfolded ? "Fold the laps" : "Sectors, sessions, remove"}
          </button>
        </div>
      )}
      <table class={`chosen folding${folded ? " folded" : ""}`}>
        <thead>
          <tr>
            <th>Lap</th>
            <th class="num">Time</th>
            <th class="num">Behind</th>
            <th class="num">S1</th>
            <th class="num">S2</th>
            <th class="num">S3</th>
            <th>Session ({zoneName.value})</th>
            <th title="Whether the delta at the finish line agrees with the lap times">Telemetry</th>
            <th>
              <span class="unseen">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {laps.map((one, k) => {
            const { lap, session } = one
            const deltas = comparison?.time_deltas[String(lap.id)]
            const reference = comparison !== undefined && k === 0
            const fastest = lap.id === comparison?.fastest_lap_id
            const behind = behindOf(one)
            return (
              <tr key={lap.id}>
                <td>
                  <LapSwatch index={k} />
                  Lap {lap.lap_number} {flawOf(lap) && <span class="tag bad">{flawOf(lap)}</span>}
                </td>
                <td class="num" data-head="Time">
                  {lapTime(lap.lap_time)}
                </td>
                <td class={`num ${deltaClass(behind)}`} data-head="Behind">
                  {reference ? (fastest ? "fastest" : "reference") : delta(behind)}
                </td>
                {([1, 2, 3] as const).map((sector) => {
                  const value = reference
                    ? lap[`sector${sector}_time`]
                    : minus(deltas, first, `sector${sector}`)
                  return (
                    <td
                      key={sector}
                      data-head={`S${sector}`}
                      class={`num ${reference ? "" : deltaClass(value)}`}
                    >
                      {reference ? lapTime(value) : delta(value)}
                    </td>
                  )
                })}
                <td class="sentence">
                  <a href={`/sessions/${session.id}`}>{driverOf(session)}</a>{" "}
                  <span class="muted small">
                    {reported(...(isOneCircuit ? [] : [session.circuit]), session.vehicle).map(
                      (name) => `${name} · `
                    )}
                    <span class="date">{dateTime(session.datetime)}</span>
                  </span>
                </td>
                <td>
                  <Trust comparison={comparison} id={lap.id} />
                </td>
                <td class="num">
                  {comparison !== undefined && k > 0 && (
                    <>
                      <a
                        href={withQuery({ reference: fastest ? undefined : String(lap.id) })}
                        aria-label={`reference: hold the others against ${names[k]}`}
                      >
                        reference
                      </a>{" "}
                    </>
                  )}
                  <a href={without(laps, lap.id)} aria-label={`remove ${names[k]}`}>
                    remove
                  </a>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
