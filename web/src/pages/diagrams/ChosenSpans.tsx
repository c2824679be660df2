/** The choice of laps, or of the whole session. */
import { lapTime } from "../../format.ts"
import { bestOf, standing } from "../../laps.ts"
import type { Lap } from "../../types.ts"
import { LapSwatch } from "../compare/LapSwatch.tsx"
import { choose, MAX_LAPS } from "./view.ts"

const set = (laps: ReadonlyArray<number>) => choose({ laps: laps.length === 0 ? "all" : laps.join(",") })

export const ChosenSpans = ({ laps, chosen }: { laps: ReadonlyArray<Lap>; chosen: ReadonlyArray<Lap> }) => {
  const best = bestOf(laps)
  const has = new Set(chosen.map(({ id }) => id))
  const toggle = (id: number) => set(has.has(id) ? [...has].filter((one) => one !== id) : [...has, id])
  return (
    <section class="panel" aria-label="Laps">
      <div class="form">
        <button type="button" aria-pressed={chosen.length === 0} onClick={() => set([])}>
          Whole session
        </button>
        {best !== undefined && (
          <button
            type="button"
            aria-pressed={chosen.length === 1 && has.has(best.id)}
            onClick={() => set([best.id])}
          >
            Best lap
          </button>
        )}
        <span class="muted small">or up to {MAX_LAPS} laps:</span>
      </div>
      <div class="lap-toggles" tabIndex={0} role="group" aria-label="Choose laps">
        {standing(laps).map(({ id, lap_number, lap_time }) => (
          <button
            key={id}
            type="button"
            aria-pressed={has.has(id)}
            disabled={!has.has(id) && chosen.length >= MAX_LAPS}
            onClick={() => toggle(id)}
          >
            {has.has(id) && <LapSwatch index={chosen.findIndex((lap) => lap.id === id)} />}
            {lap_number} <span class="muted">{lapTime(lap_time)}</span>
          </button>
        ))}
      </div>
    </section>
  )
}
