/** The laps with the best sectors marked; chosen ones go to the comparison. */
import { useState } from "preact/hooks"
import { delta, deltaClass, lapTime } from "../../format.ts"
import { bestOf } from "../../live/LiveSession.ts"
import type { Lap } from "../../types.ts"
import { withToken } from "../../token.ts"

const sectors = ["sector1_time", "sector2_time", "sector3_time"] as const
/** What one comparison takes (contract, section 3). */
const MAX_COMPARED = 20

/** The least of a sector over valid laps; Infinity where none was timed. */
const bestSector = (laps: ReadonlyArray<Lap>, sector: (typeof sectors)[number]) =>
  laps.reduce(
    (best, lap) => (lap.valid && (lap[sector] ?? 0) > 0 ? Math.min(best, lap[sector]!) : best),
    Number.POSITIVE_INFINITY
  )

export const LapTable = ({ laps }: { laps: ReadonlyArray<Lap> }) => {
  const best = bestOf(laps)
  const bests = sectors.map((sector) => bestSector(laps, sector))
  const timed = bests.some((time) => Number.isFinite(time))
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set())
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    choose(next)
  }
  const fits = chosen.size >= 2 && chosen.size <= MAX_COMPARED
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Laps</h2>
        {fits ? (
          <a class="button primary" href={`/compare?laps=${[...chosen].join(",")}`}>
            Compare {chosen.size} laps
          </a>
        ) : (
          <span class="muted small">Choose 2 to {MAX_COMPARED} laps to compare them</span>
        )}
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>
                <span class="unseen">Choose</span>
              </th>
              <th class="num">Lap</th>
              <th class="num">Time</th>
              <th class="num">To best</th>
              {timed &&
                ["S1", "S2", "S3"].map((name) => (
                  <th key={name} class="num">
                    {name}
                  </th>
                ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {laps.map((lap) => {
              const behind =
                lap.lap_time === null || best === undefined ? null : lap.lap_time - best.lap_time!
              return (
                <tr key={lap.id}>
                  <td>
                    <input
                      type="checkbox"
                      checked={chosen.has(lap.id)}
                      onChange={() => toggle(lap.id)}
                      aria-label={`Compare lap ${lap.lap_number}`}
                    />
                  </td>
                  <td class="num">{lap.lap_number}</td>
                  <td class={`num${lap.id === best?.id ? " best" : ""}`}>{lapTime(lap.lap_time)}</td>
                  <td class={`num ${deltaClass(behind)}`}>{lap.id === best?.id ? "best" : delta(behind)}</td>
                  {timed &&
                    sectors.map((sector, k) => (
                      <td key={sector} class={`num${lap.valid && lap[sector] === bests[k] ? " best" : ""}`}>
                        {lapTime(lap[sector])}
                      </td>
                    ))}
                  <td class="num">
                    {!lap.valid && <span class="tag bad">not valid</span>}{" "}
                    {best && lap.id !== best.id && (
                      <a
                        href={`/compare?laps=${best.id},${lap.id}`}
                        aria-label={`vs best: lap ${lap.lap_number}`}
                      >
                        vs best
                      </a>
                    )}{" "}
                    <a
                      href={withToken(`/api/v1/export/csv/${lap.id}`)}
                      download
                      aria-label={`CSV of lap ${lap.lap_number}`}
                    >
                      CSV
                    </a>{" "}
                    <a
                      href={withToken(`/api/v1/export/json/${lap.id}`)}
                      download
                      aria-label={`JSON of lap ${lap.lap_number}`}
                    >
                      JSON
                    </a>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
