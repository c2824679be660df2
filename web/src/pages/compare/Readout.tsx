/** The values of every lap at the cursor, for the drawn channels only. */
import type { Signal } from "@preact/signals"
import { type Axis, nodeAt } from "../../draw/axis.ts"
import type { Drawn } from "../../draw/compareChannels.ts"
import { delta, deltaClass, fixed, gearName, metres, percents } from "../../format.ts"
import { speedUnit } from "../../settings.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { LapSwatch } from "./LapSwatch.tsx"

/** A label short enough for a column's head. */
const HEADS: Readonly<Record<string, string>> = {
  time_delta: "Delta",
  throttle: "Thr.",
  brake: "Brk.",
  gear: "Gear",
  steering: "Steer."
}

const headOf = ({ label, name }: Drawn) => (name === "speed" ? speedUnit.value : (HEADS[name] ?? label))

const textOf = (name: string, value: number | null | undefined): string => {
  if (name === "gear") return gearName(value)
  if (name === "throttle" || name === "brake") return percents(value)
  if (name === "time_delta") return delta(value)
  const size = Math.abs(value ?? 0)
  return fixed(
    value,
    size >= 100 || Number.isInteger(value) ? (name === "speed" ? 1 : 0) : size >= 10 ? 1 : 2
  )
}

export const Readout = ({
  axis,
  shown,
  laps,
  step
}: {
  axis: Axis
  shown: ReadonlyArray<Drawn>
  laps: ReadonlyArray<ChosenLap>
  step: Signal<number | undefined>
}) => {
  const at = step.value
  if (at === undefined) {
    return (
      <>
        <h2>At the cursor</h2>
        <p class="muted small on-screen">Move over the plots or the map, or use ← and →.</p>
      </>
    )
  }
  const value = axis.values[at]!
  return (
    <>
      <h2>At {axis.unit === "m" ? metres(value) : `${fixed(value, 2)} s`}</h2>
      <div class="scroll readout" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Lap</th>
              {shown.map((channel) => (
                <th key={channel.name} class="num">
                  {headOf(channel)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {laps.map(({ lap }, k) => (
              <tr key={lap.id}>
                <td>
                  <LapSwatch index={k} />
                  {lap.lap_number}
                </td>
                {shown.map(({ columns, name }) => {
                  const read = columns[k]![nodeAt(axis, k, at) ?? Number.NaN]
                  return (
                    <td key={name} class={`num ${name === "time_delta" && k > 0 ? deltaClass(read) : ""}`}>
                      {name === "time_delta" && k === 0 ? "" : textOf(name, read)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
