/**
 * Channels of several laps over distance: a uPlot for each, with one cursor and one zoom over all of them. The cursor
 * is a node of the laps' common grid.
 */
import uPlot from "uplot"
import { colour } from "../theme.ts"
import type { Corner, Trace } from "../types.ts"
import { channelsOf } from "./compareChannels.ts"

/** Solid for the first six laps; further laps have their colours again, dashed. */
export const LAP_COLOURS = 6
export const lapColour = (index: number) => `var(--lap-${index % LAP_COLOURS})`
const dashOf = (index: number) => (index < LAP_COLOURS ? undefined : [6, 4])

const AXIS = 48
const ZOOM = 0.6
/** Narrower than this shows nothing more, m. */
const MIN_SPAN = 40

export interface PlotEvents {
  /** The node under the cursor; undefined where there is none. */
  readonly cursor: (node: number | undefined) => void
}

export class ComparePlots {
  readonly #plots: ReadonlyArray<uPlot>
  readonly #length: number
  readonly #resized: ResizeObserver
  readonly #distance: ReadonlyArray<number>
  #node: number | undefined
  #linking = false

  constructor(
    holders: ReadonlyArray<HTMLElement>,
    traces: ReadonlyArray<Trace>,
    corners: ReadonlyArray<Corner>,
    events: PlotEvents
  ) {
    this.#distance = traces[0]!.distance
    this.#length = this.#distance.at(-1)!
    const sync = uPlot.sync("compare")
    const move = (plot: uPlot) => {
      const node = plot.cursor.idx ?? undefined
      if (node === this.#node) return
      this.#node = node
      events.cursor(node)
    }
    // All that is read of the document before the first plot changes it: asked again after each, it would be laid out each time.
    const widths = holders.map(({ clientWidth }) => Math.max(120, clientWidth))
    const grid = { stroke: colour("grid"), width: 1 }
    const muted = colour("muted")
    const strokes = traces.map((_trace, lap) => colour(`lap-${lap % LAP_COLOURS}`))
    const corner = { line: colour("line"), text: muted }
    const shown = channelsOf(traces)
    this.#plots = shown.map((channel, k) => {
      const isLast = k === shown.length - 1
      const target = holders[k]!
      const plot = new uPlot(
        {
          width: widths[k]!,
          height: channel.height + (isLast ? 26 : 0),
          padding: [8, 12, isLast ? 0 : 6, 0],
          legend: { show: false },
          cursor: {
            sync: { key: sync.key, setSeries: false },
            drag: { x: true, y: false },
            y: false,
            points: { size: 6 }
          },
          scales: {
            x: { time: false },
            y: channel.range === undefined ? {} : { range: [...channel.range] }
          },
          axes: [
            {
              show: isLast,
              size: 26,
              stroke: muted,
              grid,
              ticks: { show: false },
              values: (_plot, values) => values.map((value) => `${value} m`)
            },
            {
              size: AXIS,
              stroke: muted,
              grid,
              ticks: { show: false },
              space: channel.whole === true ? 18 : 26,
              ...(channel.whole === true ? { incrs: [1, 2, 5] } : {}),
              ...(channel.values === undefined
                ? {}
                : { values: (_plot, values) => values.map((value) => channel.values!(value)) })
            }
          ],
          series: [
            {},
            ...traces.map((_trace, lap): uPlot.Series => ({
              stroke: strokes[lap]!,
              width: 1.5,
              points: { show: false },
              ...(dashOf(lap) === undefined ? {} : { dash: dashOf(lap)! }),
              ...(channel.stepped === true ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {})
            }))
          ],
          hooks: {
            setCursor: [move],
            setScale: [(self, key) => key === "x" && this.#link(self)],
            drawClear: [(self) => drawCorners(self, corners, corner, k === 0)]
          }
        },
        [
          this.#distance as Array<number>,
          ...traces.map((trace) => trace[channel.name] as Array<number | null>)
        ],
        target
      )
      return plot
    })
    this.#resized = new ResizeObserver(() => {
      for (const [k, plot] of this.#plots.entries()) {
        plot.setSize({ width: Math.max(120, holders[k]!.clientWidth), height: plot.height })
      }
    })
    this.#resized.observe(holders[0]!)
  }

  /** Puts the cursor at a node of the grid. */
  point(node: number): void {
    const first = this.#plots[0]!
    const held = Math.min(this.#distance.length - 1, Math.max(0, node))
    const left = first.valToPos(this.#distance[held]!, "x")
    first.setCursor({ left, top: 10 })
  }

  /** The node at a distance from the line, m. */
  nodeAt(distance: number): number {
    return Math.round((distance / this.#length) * (this.#distance.length - 1))
  }

  step(nodes: number): void {
    const first = this.#plots[0]!
    const { max, min } = first.scales["x"]!
    this.point((this.#node ?? this.nodeAt((min! + max!) / 2)) + nodes)
  }

  /** Around a place, with the cursor on it; uPlot sets a scale only when this turn of the event loop is over. */
  show(distance: number, around: number): void {
    this.zoom(distance - around, distance + around)
    requestAnimationFrame(() => this.point(this.nodeAt(distance)))
  }

  zoom(from: number, to: number): void {
    const span = Math.max(MIN_SPAN, to - from)
    const min = Math.max(0, Math.min(from, this.#length - span))
    this.#plots[0]!.setScale("x", { min, max: Math.min(this.#length, min + span) })
  }

  /** Around the cursor, or the middle. */
  zoomBy(direction: 1 | -1): void {
    const { max, min } = this.#plots[0]!.scales["x"]!
    const centre = this.#node === undefined ? (min! + max!) / 2 : this.#distance[this.#node]!
    const half = ((max! - min!) / 2) * (direction > 0 ? ZOOM : 1 / ZOOM)
    this.zoom(centre - half, centre + half)
  }

  whole(): void {
    this.zoom(0, this.#length)
  }

  close(): void {
    this.#resized.disconnect()
    for (const plot of this.#plots) plot.destroy()
  }

  /** All plots show the same piece of road. */
  #link(from: uPlot): void {
    if (this.#linking || this.#plots === undefined) return
    this.#linking = true
    const { max, min } = from.scales["x"]!
    for (const plot of this.#plots) if (plot !== from) plot.setScale("x", { min: min!, max: max! })
    this.#linking = false
  }
}

/** A fine line at each apex, with the corner's number in the first plot, if it has one. */
const drawCorners = (
  plot: uPlot,
  corners: ReadonlyArray<Corner>,
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
  for (const { apex, number } of corners) {
    const x = plot.valToPos(apex, "x", true)
    if (x < left || x > left + width) continue
    ctx.beginPath()
    ctx.moveTo(x, top)
    ctx.lineTo(x, top + height)
    ctx.stroke()
    if (numbered && number !== null) ctx.fillText(String(number), x, top + height - 4 * ratio)
  }
  ctx.restore()
}
