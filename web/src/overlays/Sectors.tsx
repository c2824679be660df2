import { delta, lapTime } from "../format.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import type { Lap } from "../types.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

const sectors = ["sector1_time", "sector2_time", "sector3_time"] as const

/** The best of a sector in other laps than the last. */
const bestBefore = (laps: ReadonlyArray<Lap>, sector: (typeof sectors)[number]) => {
  const times = laps.slice(0, -1).flatMap((lap) => (lap.valid && lap[sector] !== null ? [lap[sector]] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** The last lap's sectors against the best of those before. */
export const Sectors = ({ options }: { options: Options }) => {
  const drive = useLiveSession(options.sessionId, options.rate, false)
  const laps = drive?.laps.value ?? []
  const last = laps.at(-1)
  return (
    <Plate drive={drive} name="sectors">
      {sectors.map((sector, k) => {
        const time = last?.[sector] ?? null
        const best = bestBefore(laps, sector)
        const late = time === null || best === null ? null : time - best
        const side = late === null ? "none" : late > 0 ? "loss" : "gain"
        return (
          <div key={sector} class={`sector ${side}`}>
            <span>S{k + 1}</span>
            <b>{lapTime(time)}</b>
            <span class={side}>{delta(late)}</span>
          </div>
        )
      })}
      <div class="sector whole">
        <span>Lap {last?.lap_number ?? ""}</span>
        <b>{lapTime(last?.lap_time)}</b>
        <span>{last && !last.valid ? "not valid" : ""}</span>
      </div>
    </Plate>
  )
}
