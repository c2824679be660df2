/** A lap's losses in sentences, the largest first, and a sum that agrees with the list. */
import { useState } from "preact/hooks"
import { counted, delta } from "../../format.ts"
import { asShown } from "../../settings.ts"
import type { Comparison } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { lapNames } from "./lapNames.ts"

const SHOWN = 8

type Loss = Comparison["losses"][number]

/** Where the loss can be seen. */
const placeOf = ({ cause_at, distance }: Loss): number => cause_at?.[0] ?? distance

/** Rounds to thousandths, so that the shown values add up. */
const milli = (seconds: number) => Math.round(seconds * 1000)
const sumOf = (losses: ReadonlyArray<Loss>) => losses.reduce((sum, { seconds }) => sum + milli(seconds), 0)

/** The sum of the list, and of the losses that it leaves out. */
const Sum = ({
  comparison,
  id,
  listed,
  more
}: {
  comparison: Comparison
  id: number
  listed: ReadonlyArray<Loss>
  more: ReadonlyArray<Loss>
}) => {
  const explained = comparison.closure.find(({ lap_id }) => lap_id === id)?.explained
  if (explained === null || explained === undefined) return null
  const total = milli(explained.delta)
  const [above, below] = [sumOf(listed), sumOf(more)]
  const [gained, unsound] = [milli(explained.gained), milli(explained.unsound)]
  const smaller = total - above - below - gained - unsound
  const parts: ReadonlyArray<readonly [number, string]> = [
    [above, "listed"],
    [below, `in ${counted(more.length, "more loss").replace("losss", "losses")}`],
    [smaller, "in smaller losses"],
    [gained, "gained elsewhere"],
    [unsound, "where the telemetry is not to be relied on"]
  ]
  return (
    <p class="small muted">
      {parts
        .filter(([value], k) => k === 0 || value !== 0)
        .map(([value, what]) => `${delta(value / 1000)} s ${what}`)
        .join(", ")}
      : {delta(total / 1000)} s at the line.
    </p>
  )
}

const Row = ({ loss, show }: { loss: Loss; show: () => void }) => (
  <li>
    <button type="button" class="plain" onClick={show}>
      <b class="loss">{delta(loss.seconds)} s</b>{" "}
      {loss.cause === "spin or stop" && <span class="tag bad">spin or stop</span>} {asShown(loss.sentence)}
    </button>
  </li>
)

export const Losses = ({
  comparison,
  laps,
  focused,
  show
}: {
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
  focused: number
  show: (distance: number, lapId: number) => void
}) => {
  const [all, showAll] = useState(false)
  const names = lapNames(laps)
  const fastest = laps.findIndex(({ lap }) => lap.id === comparison.fastest_lap_id)
  // Losses are against the fastest lap. If the focused lap is the fastest, the list shows the losses of the reference.
  const shown = focused === fastest ? 0 : focused
  const about = laps[shown]!
  const losses = comparison.losses.filter(({ lap_id }) => lap_id === about.lap.id)
  const listed = all ? losses : losses.slice(0, SHOWN)
  const closure = comparison.closure.find(({ lap_id }) => lap_id === about.lap.id)
  return (
    <>
      <h2>
        Where the time went: {names[shown]} against {names[fastest]}, the fastest
      </h2>
      {losses.length === 0 ? (
        <p class="muted">
          {closure?.trusted === false
            ? "The telemetry of this lap is not trusted, so no losses are listed."
            : "No loss stands out."}
        </p>
      ) : (
        <ol class="losses">
          {listed.map((loss) => (
            <Row key={loss.sentence} loss={loss} show={() => show(placeOf(loss), loss.lap_id)} />
          ))}
        </ol>
      )}
      {losses.length > SHOWN && (
        <p>
          <button type="button" onClick={() => showAll(!all)}>
            {all ? `List the first ${SHOWN}` : `List all ${losses.length}`}
          </button>
        </p>
      )}
      <Sum comparison={comparison} id={about.lap.id} listed={listed} more={losses.slice(listed.length)} />
    </>
  )
}
