/** The compared laps in one row: what the plots need of them. The table has the rest. */
import { delta, deltaClass, lapTime } from "../../format.ts"
import type { Comparison } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { capital, lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

export const LapChips = ({
  behind,
  comparison,
  laps
}: {
  /** s behind the reference, for each lap. */
  behind: ReadonlyArray<number | null>
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
}) => {
  const names = lapNames(laps)
  return (
    <ul class="plain lap-chips on-screen" aria-label="Compared laps">
      {laps.map(({ lap }, k) => (
        <li key={lap.id}>
          <LapSwatch index={k} />
          {capital(names[k]!)}{" "}
          {k === 0 ? (
            <b>{lapTime(lap.lap_time)}</b>
          ) : (
            <b class={deltaClass(behind[k] ?? null)}>{delta(behind[k])}</b>
          )}
          {comparison.closure.some(({ lap_id, trusted }) => lap_id === lap.id && !trusted) && (
            <span class="tag bad">not trusted</span>
          )}
        </li>
      ))}
    </ul>
  )
}
