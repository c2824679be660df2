/** The values of every lap at the cursor, for the drawn channels only: above each plot, and as a list. */
import type { Signal } from "@preact/signals"
import { type Axis, nodeAt } from "../../draw/axis.ts"
import type { Drawn } from "../../draw/compareChannels.ts"
import { delta, deltaClass, fixed, gearName, metres, percents } from "../../format.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { LapSwatch } from "./LapSwatch.tsx"

/** A label short enough for the head of a row or column. */
const HEADS: Readonly<Record<string, string>> = { time_delta: "Delta s", steering: "Steering" }

const headOf = ({ label, name }: Drawn) => HEADS[name] ?? label

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

/** The cursor's place. */
export const placeText = (axis: Axis, at: number): string =>
  axis.unit === "m" ? metres(axis.values[at]!) : `${fixed(axis.values[at]!, 2)} s`

/** A channel of a lap at a step; undefined where there is none. */
const valueAt = (axis: Axis, { columns }: Drawn, lap: number, at: number) =>
  columns[lap]![nodeAt(axis, lap, at) ?? Number.NaN]

/** So many laps have room for their values beside each other. */
const FEW = 6

interface Read {
  readonly axis: Axis
  readonly laps: ReadonlyArray<ChosenLap>
  readonly step: Signal<number | undefined>
}

/** The values of a channel at the cursor, above its plot. Of more laps only the list has them. */
export const StripValues = ({ axis, channel, laps, step }: Read & { channel: Drawn }) => {
  const at = step.value
  if (at === undefined || laps.length > FEW) return null
  return (
    <div class="strip-values">
      {laps.map(({ lap }, k) => (
        <span key={lap.id}>
          <LapSwatch index={k} />
          {textOf(channel.name, valueAt(axis, channel, k, at))}
        </span>
      ))}
    </div>
  )
}

const Value = ({ axis, channel, lap, at }: { axis: Axis; channel: Drawn; lap: number; at: number }) => {
  const read = valueAt(axis, channel, lap, at)
  const isDelta = channel.name === "time_delta"
  return (
    <td class={`num ${isDelta && lap > 0 ? deltaClass(read) : ""}`}>
      {isDelta && lap === 0 ? "" : textOf(channel.name, read)}
    </td>
  )
}

/** A row for each channel: any number of channels fits. */
const ByChannel = ({
  axis,
  shown,
  laps,
  at
}: Omit<Read, "step"> & { shown: ReadonlyArray<Drawn>; at: number }) => (
  <table>
    <thead>
      <tr>
        <th>Lap</th>
        {laps.map(({ lap }, k) => (
          <th key={lap.id} class="num">
            <LapSwatch index={k} />
            {lap.lap_number}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {shown.map((channel) => (
        <tr key={channel.name}>
          <th scope="row">{headOf(channel)}</th>
          {laps.map(({ lap }, k) => (
            <Value key={lap.id} axis={axis} channel={channel} lap={k} at={at} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

/** A row for each lap: any number of laps fits. */
const ByLap = ({
  axis,
  shown,
  laps,
  at
}: Omit<Read, "step"> & { shown: ReadonlyArray<Drawn>; at: number }) => (
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
          {shown.map((channel) => (
            <Value key={channel.name} axis={axis} channel={channel} lap={k} at={at} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

export const Readout = ({ axis, shown, laps, step }: Read & { shown: ReadonlyArray<Drawn> }) => {
  const at = step.value
  if (at === undefined) {
    return (
      <>
        <h2>At the cursor</h2>
        <p class="muted small on-screen">Move over the plots or the map, or use ← and →.</p>
      </>
    )
  }
  const Table = laps.length > FEW ? ByLap : ByChannel
  return (
    <>
      <h2>At {placeText(axis, at)}</h2>
      <div class="scroll readout" tabIndex={0}>
        <Table axis={axis} shown={shown} laps={laps} at={at} />
      </div>
    </>
  )
}
