/** Lap times over the session: valid ones filled, others hollow. Laps far off the pace are off the scale. */
import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import { fitWidth } from "../../draw/fitWidth.ts"
import { OFF_PACE } from "../../draw/pace.ts"
import { lapTime, plain } from "../../format.ts"
import { bestOf, standing } from "../../laps.ts"
import { colour, theme } from "../../theme.ts"
import type { Lap } from "../../types.ts"

const HEIGHT = 170
/** The axis of times spans at least this much around a single time, or around equal ones, s. */
const MIN_SPAN_S = 1

/** Marks of the axis of times, which are written in tenths, s. */
const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]

const roomAround = (low: number, high: number): [number, number] => {
  const room = Math.max(0.08 * (high - low), (MIN_SPAN_S - (high - low)) / 2)
  return [low - room, high + room]
}

export const LapTimesPlot = ({ laps }: { laps: ReadonlyArray<Lap> }) => {
  const holder = useRef<HTMLDivElement>(null)
  const best = bestOf(laps)?.lap_time ?? undefined
  useEffect(() => {
    if (best === undefined) return
    const target = holder.current!
    const shown = standing(laps).filter(
      (lap) => lap.lap_time !== null && lap.lap_time > 0 && lap.lap_time < best * OFF_PACE
    )
    const numbers = shown.map((lap) => lap.lap_number)
    const text = {
      stroke: colour("muted"),
      grid: { stroke: colour("grid"), width: 1 },
      ticks: { show: false }
    }
    const points = (name: string, valid: boolean): uPlot.Series => ({
      label: name,
      stroke: colour(valid ? "accent" : "muted"),
      paths: () => null,
      points: { show: true, size: 7, width: 2, fill: valid ? colour("accent") : colour("panel") }
    })
    const plot = new uPlot(
      {
        width: target.clientWidth,
        height: HEIGHT,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: (_plot, low, high) => [low - 0.5, high + 0.5] },
          y: { range: (_plot, low, high) => roomAround(low, high) }
        },
        axes: [
          {
            ...text,
            size: 26,
            incrs: [1, 2, 5, 10, 20, 50, 100],
            // No lap before the first and after the last has a number.
            values: (_plot, values) =>
              values.map((value) => (value >= numbers[0]! && value <= numbers.at(-1)! ? plain(value) : ""))
          },
          {
            ...text,
            size: 66,
            incrs: TIME_STEPS,
            values: (_plot, values) => values.map((value) => lapTime(value, 1))
          }
        ],
        series: [{}, points("valid", true), points("not valid", false)]
      },
      [
        numbers,
        shown.map((lap) => (lap.valid ? lap.lap_time : null)),
        shown.map((lap) => (lap.valid ? null : lap.lap_time))
      ],
      target
    )
    return fitWidth(plot, target, HEIGHT)
  }, [laps, best, theme.value])
  return best === undefined ? null : (
    <div>
      <p class="muted small">Lap times; hollow: not valid; over 114 % of the best: not shown</p>
      <div ref={holder} role="img" aria-label="Lap times over the session, as in the table of laps" />
    </div>
  )
}
