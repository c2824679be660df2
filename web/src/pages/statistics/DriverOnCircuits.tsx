/** A driver's statistics on each circuit. */
import { count, fixed, lapTime } from "../../format.ts"
import { nameText } from "../../names.ts"
import { withQuery } from "../../router.ts"
import type { DriverStatistics } from "../../types.ts"

/** Best and average times are of one circuit: times of different circuits cannot be compared. */
export const DriverOnCircuits = ({ driver }: { driver: DriverStatistics }) => (
  <div class="scroll">
    <table class="folding">
      <thead>
        <tr>
          <th>Circuit</th>
          <th class="num">Laps</th>
          <th class="num">Best lap</th>
          <th class="num">Average lap</th>
          <th class="num">Distance</th>
        </tr>
      </thead>
      <tbody>
        {driver.circuits.map((on) => (
          <tr key={on.circuit}>
            <td class="name">
              <a href={withQuery({ circuit: on.circuit })}>{nameText(on.circuit)}</a>
            </td>
            <td class="num" data-head="Laps">
              {count(on.laps)}
            </td>
            <td class="num" data-head="Best lap">
              {lapTime(on.best_lap_time)}
            </td>
            <td class="num" data-head="Average lap">
              {lapTime(on.avg_lap_time)}
            </td>
            <td class="num" data-head="Distance">
              {fixed(on.total_distance, 1)} km
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
