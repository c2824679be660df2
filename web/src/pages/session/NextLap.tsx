/** What the next lap will take, how sure that is, and how the same answer did on the laps driven. */
import { api } from "../../api.ts"
import { counted, delta, fixed, lapTime, percent } from "../../format.ts"
import type { Prediction } from "../../types.ts"
import { Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

const BackTest = ({ test }: { test: Prediction["back_test"] }) => (
  <p class="small muted">
    Tested on {test.predictions} past laps: the model was off by {fixed(test.mae_model, 3)} s, the last lap
    again by {fixed(test.mae_persistence, 3)} s; {test.answered_by === "model" ? "the model" : "the last lap"}{" "}
    answers.
    {test.intervals > 0 &&
      ` ${percent(test.coverage)} of ${counted(test.intervals, "lap")} came inside the interval.`}
  </p>
)

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
          <dd>{delta(prediction.trend_per_lap)} s</dd>
        </div>
        {prediction.theoretical_best !== null && (
          <div>
            <dt>Best sectors together</dt>
            <dd>{lapTime(prediction.theoretical_best)}</dd>
          </div>
        )}
      </dl>
      <BackTest test={prediction.back_test} />
    </div>
  )
}

export const NextLap = ({ sessionId }: { sessionId: number }) => {
  const prediction = useAnswer(() => api.prediction(sessionId), [sessionId])
  return (
    <section class="panel">
      <h2>The next lap</h2>
      <Show answer={prediction}>{(value) => <Body prediction={value} />}</Show>
    </section>
  )
}
