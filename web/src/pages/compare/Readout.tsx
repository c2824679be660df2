/** What every lap does under the cursor. */
import type { Signal } from "@preact/signals"
import { lapColour } from "../../draw/ComparePlots.ts"
import { delta, deltaClass, fixed, gearName, percents } from "../../format.ts"
import type { Trace } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

export const Readout = ({
  traces,
  laps,
  node
}: {
  traces: ReadonlyArray<Trace>
  laps: ReadonlyArray<ChosenLap>
  node: Signal<number | undefined>
}) => {
  const n = node.value
  return (
    <>
      <h2>{n === undefined ? "At the cursor" : `At ${fixed(traces[0]!.distance[n])} m`}</h2>
      {n === undefined ? (
        <p class="muted small">Move over the plots, or use ← and →.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Lap</th>
                <th class="num">km/h</th>
                <th class="num">Gear</th>
                <th class="num">Thr.</th>
                <th class="num">Brk.</th>
                <th class="num">Delta</th>
              </tr>
            </thead>
            <tbody>
              {traces.map((trace, k) => (
                <tr key={trace.lap_id}>
                  <td>
                    <i class="swatch" style={{ "--swatch": lapColour(k) }} />
                    {laps[k]!.lap.lap_number}
                  </td>
                  <td class="num">{fixed(trace.speed[n], 1)}</td>
                  <td class="num">{gearName(trace.gear[n])}</td>
                  <td class="num">{percents(trace.throttle[n])}</td>
                  <td class="num">{percents(trace.brake[n])}</td>
                  <td class={`num ${deltaClass(trace.time_delta[n])}`}>
                    {k === 0 ? "" : delta(trace.time_delta[n])}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
