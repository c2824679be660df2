/** Each corner with what each lap did in it. */
import { lapColour } from "../../draw/ComparePlots.ts"
import { delta, deltaClass, fixed } from "../../format.ts"
import type { Comparison } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

const SIDES = { left: "↰ left", right: "↱ right" } as const

export const CornerTable = ({
  comparison,
  laps,
  show
}: {
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
  show: (distance: number) => void
}) => {
  const order = new Map(laps.map(({ lap }, k) => [lap.id, k]))
  if (comparison.corners.length === 0) return null
  return (
    <section class="panel">
      <h2>Corners</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Corner</th>
              <th>Lap</th>
              <th class="num">Brakes at</th>
              <th class="num">Entry km/h</th>
              <th class="num">Least km/h</th>
              <th class="num">Exit km/h</th>
              <th class="num">Throttle at</th>
              <th class="num">Time</th>
              <th class="num">Lost</th>
            </tr>
          </thead>
          <tbody>
            {comparison.corners.map((corner) =>
              corner.passes
                .toSorted((a, b) => order.get(a.lap_id)! - order.get(b.lap_id)!)
                .map((pass, k) => (
                  <tr key={`${corner.label} ${pass.lap_id}`} class={k === 0 ? "first" : ""}>
                    {k === 0 && (
                      <th scope="rowgroup" rowSpan={corner.passes.length}>
                        <button type="button" class="plain" onClick={() => show(corner.apex)}>
                          {corner.label} {corner.direction !== null && SIDES[corner.direction]}
                          <br />
                          <span class="muted">
                            {corner.name !== null && `${corner.name}, `}
                            {fixed(corner.apex)} m
                            {corner.radius === null ? ", by speed" : `, radius ${fixed(corner.radius)} m`}
                          </span>
                        </button>
                      </th>
                    )}
                    <td>
                      <i class="swatch" style={{ "--swatch": lapColour(order.get(pass.lap_id)!) }} />
                      {laps[order.get(pass.lap_id)!]!.lap.lap_number}
                    </td>
                    <td class="num">
                      {pass.braking_point === null ? "–" : `${fixed(pass.braking_point)} m`}
                    </td>
                    <td class="num">{fixed(pass.entry_speed)}</td>
                    <td class="num">{fixed(pass.minimum_speed)}</td>
                    <td class="num">{fixed(pass.exit_speed)}</td>
                    <td class="num">
                      {pass.throttle_point === null ? "–" : `${fixed(pass.throttle_point)} m`}
                    </td>
                    <td class="num">{fixed(pass.time, 3)}</td>
                    <td class={`num ${deltaClass(pass.time_lost)}`}>
                      {pass.lap_id === comparison.fastest_lap_id ? "" : delta(pass.time_lost)}
                    </td>
                  </tr>
                ))
            )}
          </tbody>
        </table>
      </div>
    </section>
  )
}
