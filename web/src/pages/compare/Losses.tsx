/** Where the time went, in sentences, the largest loss first; and how much of it they explain. */
import { delta } from "../../format.ts"
import type { Comparison } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

const SHOWN = 8

const Explained = ({ comparison, laps }: { comparison: Comparison; laps: ReadonlyArray<ChosenLap> }) => {
  const rows = laps.slice(1).flatMap(({ lap }) => {
    const closure = comparison.closure.find(({ lap_id }) => lap_id === lap.id)
    return closure?.explained ? [{ lap, ...closure.explained }] : []
  })
  return (
    <>
      {rows.map(({ delta: total, gained, lap, lost, unnamed }) => (
        <p class="small muted" key={lap.id}>
          Lap {lap.lap_number}: {delta(lost)} s below, {delta(unnamed)} s in smaller losses, {delta(gained)} s
          gained elsewhere: {delta(total)} s at the line.
        </p>
      ))}
    </>
  )
}

export const Losses = ({
  comparison,
  laps,
  show
}: {
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
  show: (distance: number) => void
}) => (
  <>
    <h2>Where the time went</h2>
    {comparison.losses.length === 0 ? (
      <p class="muted">
        {comparison.closure.every(({ trusted }) => trusted)
          ? "No loss stands out."
          : "Nothing is told of laps whose telemetry is not trusted."}
      </p>
    ) : (
      <ol class="losses">
        {comparison.losses.slice(0, SHOWN).map((loss) => (
          <li key={loss.sentence}>
            <button type="button" class="plain" onClick={() => show(loss.distance)}>
              <b class="loss">{delta(loss.seconds)} s</b> {loss.sentence}
            </button>
          </li>
        ))}
      </ol>
    )}
    <Explained comparison={comparison} laps={laps} />
  </>
)
