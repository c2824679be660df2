import { useEffect } from "preact/hooks"
import { api } from "../api.ts"
import { delta, lapTime } from "../format.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

/** The best laps of a circuit: of the session's, where the address names none. */
export const BestLaps = ({ options }: { options: Options }) => {
  const drive = useLiveSession(options.sessionId, 1, false)
  const circuit = options.circuit ?? drive?.session.value?.circuit
  const laps = drive?.laps.value.length
  const board = useAnswer(
    async () =>
      circuit === undefined
        ? []
        : await api.bestLaps({ circuit, vehicle: options.vehicle, limit: options.limit }),
    [circuit, laps]
  )
  // An answer that failed (the service was away) is asked for again when the feed is back.
  const link = drive?.feed.link.value
  useEffect(() => {
    if (link === "open") board.again()
  }, [link])
  const rows = board.value ?? []
  const own = drive?.session.value?.id
  return (
    <Plate drive={drive} name="board">
      <span class="board-title">{circuit ?? "Best laps"}</span>
      <ol>
        {rows.map((lap) => (
          <li key={lap.id} class={lap.session_id === own ? "own" : ""}>
            <span class="board-rank">{lap.rank}</span>
            <span class="board-name">{lap.driver}</span>
            <b>{lapTime(lap.lap_time)}</b>
            <span class="board-gap">{lap.rank === 1 ? "" : delta(lap.lap_time! - rows[0]!.lap_time!)}</span>
          </li>
        ))}
      </ol>
    </Plate>
  )
}
