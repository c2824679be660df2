/** The marks of corners and events in plots over distance or time. */
import type uPlot from "uplot"

/** A corner as the plots mark it, on their axis. */
export interface PlotMark {
  readonly at: number
  readonly number: number | null
}

/** A fine line at each apex, with the corner's number in the first plot, if it has one. */
export const drawMarks = (
  plot: uPlot,
  marks: ReadonlyArray<PlotMark>,
  colours: { readonly line: string; readonly text: string },
  numbered: boolean
) => {
  const { ctx } = plot
  const { height, left, top, width } = plot.bbox
  const ratio = window.devicePixelRatio
  ctx.save()
  ctx.strokeStyle = colours.line
  ctx.fillStyle = colours.text
  ctx.font = `${11 * ratio}px sans-serif`
  ctx.textAlign = "center"
  ctx.setLineDash([3 * ratio, 4 * ratio])
  for (const { at, number } of marks) {
    const x = plot.valToPos(at, "x", true)
    if (x < left || x > left + width) continue
    ctx.beginPath()
    ctx.moveTo(x, top)
    ctx.lineTo(x, top + height)
    ctx.stroke()
    if (numbered && number !== null) ctx.fillText(String(number), x, top + height - 4 * ratio)
  }
  ctx.restore()
}

/** A stretch of the axis in which something happened to a lap. */
export interface PlotEvent {
  readonly from: number
  readonly to: number
  /** The place of the lap among the compared ones. */
  readonly lap: number
}

/** A stretch is drawn at least this wide, CSS px. */
const MIN_WIDTH = 3

/** A pale stretch in the lap's colour, with a bar at the top, so that it is seen above other lines. */
export const drawEvents = (plot: uPlot, events: ReadonlyArray<PlotEvent>, strokes: ReadonlyArray<string>) => {
  const { ctx } = plot
  const { height, left, top, width } = plot.bbox
  const ratio = window.devicePixelRatio
  ctx.save()
  for (const { from, lap, to } of events) {
    const start = Math.max(left, plot.valToPos(from, "x", true))
    const end = Math.min(left + width, Math.max(plot.valToPos(to, "x", true), start + MIN_WIDTH * ratio))
    if (end <= start) continue
    ctx.fillStyle = strokes[lap]!
    ctx.globalAlpha = 0.2
    ctx.fillRect(start, top, end - start, height)
    ctx.globalAlpha = 1
    ctx.fillRect(start, top, end - start, 4 * ratio)
  }
  ctx.restore()
}
