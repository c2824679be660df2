/** Strips stacked above each other that scroll with the feed; a strip with several lines has a legend. */
import { useEffect, useRef } from "preact/hooks"
import { lastSeconds, type Span } from "../../draw/span.ts"
import { type Strip, TracePlot } from "../../draw/TracePlot.ts"
import type { LiveTelemetry } from "../../live/LiveTelemetry.ts"
import type { Ring } from "../../live/Ring.ts"
import { eachBeat } from "../../live/frames.ts"
import { theme } from "../../theme.ts"

/**
 * A minute across 800 pixels moves by five pixels in 400 ms. Strips are the most expensive part of the page: drawn five times a
 * second, they take a fifth of its time where no GPU rasterises.
 */
const STRIPS_HZ = 2.5
const MINUTE = lastSeconds(60)

export const Strips = ({
  feed,
  ring,
  strips,
  span = MINUTE
}: {
  feed: LiveTelemetry
  ring: Ring<string>
  strips: ReadonlyArray<Strip>
  span?: Span
}) => {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const places = [...holder.current!.querySelectorAll<HTMLElement>(".strip-plot")]
    const plots = places.map(
      (place, k) => new TracePlot(place, ring, strips[k]!, k === strips.length - 1, span)
    )
    let seen = -1
    const stop = eachBeat(STRIPS_HZ, () => {
      if (seen === feed.points) return
      seen = feed.points
      for (const plot of plots) plot.draw()
    })
    return () => {
      stop()
      for (const plot of plots) plot.close()
    }
  }, [feed, ring, strips, span, theme.value])
  return (
    <div ref={holder}>
      {strips.map(({ columns, label }) => (
        <div class="strip" key={label}>
          <p class="small muted">
            {columns.length === 1
              ? label
              : [
                  label.includes(columns[0]!.label) ? null : <span class="legend">{label}</span>,
                  ...columns.map((one) => (
                    <span key={one.column} class="legend">
                      <i class="swatch" style={{ "--swatch": `var(--${one.stroke ?? one.column})` }} />
                      {one.label}
                    </span>
                  ))
                ]}
          </p>
          <div class="strip-plot" />
        </div>
      ))}
    </div>
  )
}
