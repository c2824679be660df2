/** Lap times over the session: valid ones filled, others hollow. Laps far off the pace are off the scale. */
import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import { OFF_PACE } from "../../draw/pace.ts"
import { lapTime } from "../../format.ts"
import { bestOf, standing } from "../../laps.ts"
import { colour, theme } from "../../theme.ts"
import type { Lap } from "../../types.ts"

const HEIGHT = 170

export const LapTimesPlot = ({ laps }: { laps: ReadonlyArray<Lap> }) => {
  const holder = useRef<HTMLDivElement>(null)
  const best = bestOf(laps)?.lap_time ?? undefined
  useEffect(() => {
    if (best === undefined) return
    const target = holder.current!
    const shown = standing(laps).filter(
      (lap) => lap.lap_time !== null && lap.lap_time > 0 && lap.lap_time < best * OFF_PACE
    )
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
        scales: { x: { time: false, range: (_plot, low, high) => [low - 1, high + 1] } },
        axes: [
          { ...text, size: 26, incrs: [1, 2, 5, 10, 20, 50, 100] },
          { ...text, size: 66, values: (_plot, values) => values.map((value) => lapTime(value, 1)) }
        ],
        series: [{}, points("valid", true), points("not valid", false)]
      },
      [
        shown.map((lap) => lap.lap_number),
        shown.map((lap) => (lap.valid ? lap.lap_time : null)),
        shown.map((lap) => (lap.valid ? null : lap.lap_time))
      ],
      target
    )
    const resized = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }))
    resized.observe(target)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [laps, best, theme.value])
  return best === undefined ? null : (
    <div>
      <p class="muted small">Lap times; hollow: not valid; over 114 % of the best: not shown</p>
      <div ref={holder} role="img" aria-label="Lap times over the session, as in the table of laps" />
    </div>
  )
}
