/** The session's last laps. */
import { delta, deltaClass, lapTime, NOTHING } from "../../format.ts"
import { bestSector, sectorNames } from "../../draw/sectors.ts"
import { bestOf, flawOf } from "../../laps.ts"
import type { LiveSession } from "../../live/LiveSession.ts"

const SHOWN = 12

export const LapTimes = ({ drive }: { drive: LiveSession }) => {
  const laps = drive.laps.value
  const best = bestOf(laps)
  const bests = Object.fromEntries(sectorNames.map((sector) => [sector, bestSector(laps, sector)]))
  const shown = laps.slice(-SHOWN).reverse()
  return (
    <>
      <h2>Laps</h2>
      {shown.length === 0 ? (
        <p class="muted">{drive.hasLaps.value ? "The first lap is on its way." : NOTHING}</p>
      ) : (
        <div class="scroll">
          <table class="lap-rows">
            <thead>
              <tr>
                <th class="num lap-number">Lap</th>
                <th class="num">Time</th>
                <th class="num">To best</th>
                <th class="num">S1</th>
                <th class="num">S2</th>
                <th class="num">S3</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((lap) => {
                const behind =
                  lap.lap_time === null || best === undefined ? null : lap.lap_time - best.lap_time!
                return (
                  <tr key={lap.id}>
                    <td class="num lap-number">{lap.lap_number}</td>
                    <td class={`num${lap.id === best?.id ? " best" : ""}`}>
                      {lapTime(lap.lap_time)}
                      {flawOf(lap) && <span title={flawOf(lap)}> ✕</span>}
                    </td>
                    <td class={`num ${lap.withdrawn ? "muted" : deltaClass(behind)}`}>
                      {lap.id === best?.id ? "best" : lap.withdrawn ? flawOf(lap) : delta(behind)}
                    </td>
                    {sectorNames.map((sector) => (
                      <td
                        key={sector}
                        class={`num${lap.valid && lap[sector] !== null && lap[sector] === bests[sector] ? " sector-best" : ""}`}
                      >
                        {lapTime(lap[sector])}
                      </td>
                    ))}
                  </tr>
                )
              })}
            </tbody>
          </table>
          {shown.some(flawOf) && (
            <p class="muted small">✕ The lap does not count: it is not valid, or was taken back.</p>
          )}
        </div>
      )}
    </>
  )
}
