/** A session in the choice of laps: its best lap, and its other laps on demand, the fastest first. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../../api.ts"
import { counted, dateTime, lapTime } from "../../format.ts"
import { bestOf, fastestFirst, flawOf } from "../../laps.ts"
import { reported } from "../../names.ts"
import { go, withQuery } from "../../router.ts"
import type { Lap, Session } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

/** Adds a lap to those of the address, if it is not among them. */
const add = (ids: ReadonlyArray<number>, id: number) =>
  go(withQuery({ laps: [...new Set([...ids, id])].join(","), at: undefined, best: undefined }))

const inOrder = (laps: ReadonlyArray<Lap>): ReadonlyArray<Lap> => {
  const counting = fastestFirst(laps)
  return [...counting, ...laps.filter((lap) => !counting.includes(lap))]
}

const Laps = ({ ids, sessionId }: { ids: ReadonlyArray<number>; sessionId: number }) => {
  const answer = useAnswer(() => api.laps(sessionId), [sessionId])
  if (answer.state === "failed") return <Problem error={answer.error} again={answer.again} />
  const laps = answer.value
  if (laps === undefined) return <p class="muted small">Loading …</p>
  const best = bestOf(laps)
  return (
    <div class="form lap-choices">
      {inOrder(laps).map((lap) => (
        <button
          key={lap.id}
          type="button"
          class="small"
          disabled={ids.includes(lap.id)}
          onClick={() => add(ids, lap.id)}
        >
          Lap {lap.lap_number}
          <b>{lapTime(lap.lap_time)}</b>
          {lap.id === best?.id ? "best" : flawOf(lap)}
        </button>
      ))}
    </div>
  )
}

export const SessionChoice = ({ ids, session }: { ids: ReadonlyArray<number>; session: Session }) => {
  const [unfolded, unfold] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const { best_lap_time, datetime, id, total_laps } = session
  const names = reported(session.driver, session.vehicle).join(", ") || `session ${id}`
  const addBest = () => {
    setBusy(true)
    setError(undefined)
    api
      .laps(id)
      .then(bestOf)
      .then(
        (best) => best && add(ids, best.id),
        (failed: unknown) => setError(failed as ApiError)
      )
      .finally(() => setBusy(false))
  }
  return (
    <li>
      <span class="date">{dateTime(datetime)}</span> <bdi class="muted name">{names}</bdi>
      <span class="form">
        <button
          type="button"
          disabled={busy || best_lap_time === null}
          aria-label={`Add the best lap, ${lapTime(best_lap_time)}, of ${dateTime(datetime)}, ${names}`}
          onClick={addBest}
        >
          Best <b>{lapTime(best_lap_time)}</b>
        </button>
        <button
          type="button"
          aria-expanded={unfolded}
          disabled={total_laps === 0}
          onClick={() => unfold(!unfolded)}
        >
          {counted(total_laps, "lap")}
        </button>
      </span>
      {unfolded && <Laps ids={ids} sessionId={id} />}
      {error && <Problem error={error} />}
    </li>
  )
}
