import { useEffect } from "preact/hooks"
import { api } from "../api.ts"
import { delta, lapTime, NOTHING } from "../format.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { reported } from "../names.ts"
import type { BestLap } from "../types.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Number of laps that are requested at first. If they are of too few drivers, the maximum of the service is requested. */
const ASKED = [50, 1000] as const

/** The best lap of each driver, the fastest first. */
const bestOfEach = async (circuit: string, { limit, vehicle }: Options): Promise<ReadonlyArray<BestLap>> => {
  let firsts: ReadonlyArray<BestLap> = []
  for (const asked of ASKED) {
    const laps = await api.bestLaps({ circuit, vehicle, limit: asked })
    const drivers = new Set<string>()
    firsts = laps.filter(({ driver }) => {
      const known = drivers.has(driver.toLowerCase())
      drivers.add(driver.toLowerCase())
      return !known
    })
    if (firsts.length >= limit || laps.length < asked) break
  }
  return firsts.slice(0, limit)
}

/** Each driver's best lap on a circuit: the session's, unless the address names one. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const circuit = options.circuit ?? drive?.session.value?.circuit
  const laps = drive?.laps.value
  const board = useAnswer(
    async () => (circuit === undefined ? undefined : await bestOfEach(circuit, options)),
    [circuit, laps]
  )
  // Repeats a failed request (the service was away) when the feed is back.
  const link = drive?.feed.link.value
  useEffect(() => {
    if (link === "open") board.again()
  }, [link])
  const rows = board.value ?? []
  const title = ["Best laps", ...reported(circuit ?? "")].join(" · ")
  const own = drive?.session.value?.id
  return (
    // Best laps are wanted above all while nobody drives.
    <Plate drive={drive} idle={options.idle === "show" ? "keep" : options.idle} name="board">
      <span class="board-title" title={title}>
        {title}
      </span>
      {board.value?.length === 0 && <span class="laps-none">No lap yet</span>}
      <ol>
        {rows.map((lap, k) => (
          <li key={lap.id} class={lap.session_id === own ? "own" : ""}>
            <span class="board-rank">{k + 1}</span>
            <span class="board-name">{reported(lap.driver)[0] ?? NOTHING}</span>
            <b>{lapTime(lap.lap_time)}</b>
            <span class="board-gap">{k === 0 ? "" : delta(lap.lap_time! - rows[0]!.lap_time!)}</span>
          </li>
        ))}
      </ol>
    </Plate>
  )
}
