/** The marks of corners in plots over distance or time. */
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
