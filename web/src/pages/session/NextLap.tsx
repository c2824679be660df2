/** What the next lap will take, how sure that is, and how such answers did on the laps driven. */
import { api } from "../../api.ts"
import { counted, delta, fixed, lapTime, NOTHING, percent } from "../../format.ts"
import type { Lap, Prediction } from "../../types.ts"
import { Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

/** Laps left out that look like others: these alone need to be reported. */
const TOLD: Partial<Record<Prediction["laps_left_out"][number]["reason"], string>> = {
  in_lap: "in-lap",
  outlier: "outlier"
}

const BackTest = ({ test }: { test: Prediction["back_test"] }) =>
  test.predictions === 0 ? null : (
    <p class="small muted">
      Tested on {counted(test.predictions, "past lap")}: off by {fixed(test.mae_model, 3)} s on average, the
      last lap again by {fixed(test.mae_persistence, 3)} s; {percent(test.coverage)} came inside the interval.
    </p>
  )

const LeftOut = ({ laps }: { laps: Prediction["laps_left_out"] }) => {
  const reported = laps.flatMap(({ lap_number, reason }) => {
    const name = TOLD[reason]
    return name === undefined ? [] : [`lap ${lap_number} (${name})`]
  })
  return reported.length === 0 ? null : (
    <p class="small muted">Left out of the level: {reported.join(", ")}.</p>
  )
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
  const prediction = useAnswer(() => api.prediction(sessionId), [sessionId, laps])
  return (
    <section class="panel">
      <h2>The next lap</h2>
      <Show answer={prediction}>{(value) => <Body prediction={value} />}</Show>
    </section>
  )
}
