/** The last minute: strips that scroll. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import { type Strip, TracePlot } from "../../draw/TracePlot.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import { eachBeat } from "../../live/frames.ts"
import type { Column } from "../../live/Ring.ts"
import { theme } from "../../theme.ts"

const strips: ReadonlyArray<Strip> = [
  { label: "Speed km/h", height: 112, least: 0, most: 100, columns: [{ column: "speed", label: "Speed" }] },
  {
    label: "Throttle, brake",
    height: 90,
    range: [0, 1.02],
    columns: [
      { column: "throttle", label: "Throttle", fill: true },
      { column: "brake", label: "Brake", fill: true }
    ]
  },
  { label: "rpm", height: 90, columns: [{ column: "rpm", label: "rpm" }] },
  {
    label: "Gear",
    height: 76,
    least: 0,
    most: 6.5,
    columns: [{ column: "gear", label: "Gear", stepped: true }]
  },
  { label: "Steering", height: 82, range: [-1, 1], columns: [{ column: "steering", label: "Steering" }] }
]

/**
 * A minute across 800 pixels moves by five of them in 400 ms. Strips are the dearest on the page: drawn five times a second
 * they take a fifth of it where no GPU rasterises.
 */
const STRIPS_HZ = 2.5

/** The strips of what is told; a strip of several columns may have some of them. */
const told = (absent: ReadonlyArray<Column>): ReadonlyArray<Strip> =>
  strips.flatMap((strip) => {
    const columns = strip.columns.filter(({ column }) => !absent.includes(column))
    if (columns.length === strip.columns.length) return [strip]
    return columns.length === 0
      ? []
      : [{ ...strip, columns, label: columns.map(({ label }) => label).join(", ") }]
  })

export const Traces = ({ drive }: { drive: LiveSession }) => {
  const holder = useRef<HTMLDivElement>(null)
  const absent = drive.feed.absent.value
  const shown = useMemo(() => told(absent), [absent])
  useEffect(() => {
    const places = [...holder.current!.querySelectorAll<HTMLElement>(".strip-plot")]
    const plots = places.map(
      (place, k) => new TracePlot(place, drive.feed.ring, shown[k]!, k === shown.length - 1)
    )
    let seen = -1
    const stop = eachBeat(STRIPS_HZ, () => {
      if (seen === drive.feed.points) return
      seen = drive.feed.points
      for (const plot of plots) plot.draw()
    })
    return () => {
      stop()
      for (const plot of plots) plot.close()
    }
  }, [drive, shown, theme.value])
  return (
    <div ref={holder}>
      <h2>The last minute</h2>
      {shown.map(({ columns, label }) => (
        <div class="strip" key={label}>
          <p class="small muted">
            {columns.length === 1
              ? label
              : columns.map((one) => (
                  <span key={one.column} class="legend">
                    <i class="swatch" style={{ "--swatch": `var(--${one.column})` }} />
                    {one.label}
                  </span>
                ))}
          </p>
          <div class="strip-plot" />
        </div>
      ))}
    </div>
  )
}
