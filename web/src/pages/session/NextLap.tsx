/** The predicted time of the next lap, its uncertainty, and the errors of such predictions for past laps. */
import { api } from "../../api.ts"
import { counted, delta, fixed, lapTime, NOTHING, percent } from "../../format.ts"
import type { Lap, Prediction } from "../../types.ts"
import { Show } from "../../ui/Notice.tsx"
import { useLatest } from "../../ui/useAnswer.ts"

/** Reasons that the page shows: these laps look like others, so that a user would expect the model to use them. */
const SHOWN_REASONS: Partial<Record<Prediction["laps_left_out"][number]["reason"], string>> = {
  in_lap: "in-lap",
  outlier: "outlier"
}

const BackTest = ({ test }: { test: Prediction["back_test"] }) =>
  test.predictions === 0 ? null : (
    <p class="small muted">
      Tested on {counted(test.predictions, "past lap")}: the average error was {fixed(test.mae_model, 3)} s,
      and {fixed(test.mae_persistence, 3)} s for repeating the last lap; {percent(test.coverage)} were inside
      the interval.
    </p>
  )

const LeftOut = ({ laps }: { laps: Prediction["laps_left_out"] }) => {
  const reported = laps.flatMap(({ lap_number, reason }) => {
    const name = SHOWN_REASONS[reason]
    return name === undefined ? [] : [`lap ${lap_number} (${name})`]
  })
  return reported.length === 0 ? null : <p class="small muted">Not used: {reported.join(", ")}.</p>
}

const Body = ({ prediction }: { prediction: Prediction }) => {
  const { confidence_interval: interval, predicted_lap_time: time } = prediction
  if (time === null) return <p class="muted">{prediction.message}</p>
  return (
    <div class="stack">
      <dl class="facts">
        <div>
          <dt>Next lap at pace</dt>
          <dd>{lapTime(time)}</dd>
        </div>
        {interval && (
          <div>
            <dt>{percent(prediction.confidence_level)} interval</dt>
            <dd>
              {lapTime(interval[0], 2)} to {lapTime(interval[1], 2)}
            </dd>
          </div>
        )}
        <div>
          <dt>Trend per lap</dt>
          <dd>{prediction.trend_per_lap === null ? NOTHING : `${delta(prediction.trend_per_lap)} s`}</dd>
        </div>
        {prediction.theoretical_best !== null && (
          <div>
            <dt>Best sectors together</dt>
            <dd>{lapTime(prediction.theoretical_best)}</dd>
          </div>
        )}
      </dl>
      <BackTest test={prediction.back_test} />
      <LeftOut laps={prediction.laps_left_out} />
    </div>
  )
}

export const NextLap = ({ sessionId, laps }: { sessionId: number; laps: ReadonlyArray<Lap> }) => {
  const prediction = useLatest(() => api.prediction(sessionId), [sessionId], laps)
  return (
    <section class="panel">
      <h2>The next lap</h2>
      <div
        class={prediction.state === "waiting" && prediction.value === undefined ? "answer-room" : undefined}
      >
        <Show answer={prediction}>{(value) => <Body prediction={value} />}</Show>
      </div>
    </section>
  )
}
