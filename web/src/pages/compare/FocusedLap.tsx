/** The lap that the map and the list of losses show, and the lap that it is compared with. */
import { go, withQuery } from "../../router.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { capital, lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

export const FocusedLap = ({ laps, focused }: { laps: ReadonlyArray<ChosenLap>; focused: number }) => {
  const names = lapNames(laps)
  return (
    <div class="panel-head">
      <h2>Time lost</h2>
      <span class="small">
        <LapSwatch index={focused} />
        {laps.length > 2 ? (
          <label>
            <span class="unseen">Lap on the map </span>
            <select
              value={String(laps[focused]!.lap.id)}
              onChange={(event) => go(withQuery({ lap: event.currentTarget.value }), "replace")}
            >
              {laps.slice(1).map(({ lap }, k) => (
                <option key={lap.id} value={String(lap.id)}>
                  {capital(names[k + 1]!)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          capital(names[focused]!)
        )}{" "}
        against {names[0]}
      </span>
    </div>
  )
}
