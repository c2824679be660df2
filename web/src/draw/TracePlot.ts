/** Strips of uPlot over a stretch of time, drawn from the ring. */
import uPlot from "uplot"

import { lapTime, plain } from "../format.ts"
import type { Ring } from "../live/Ring.ts"
import { colour } from "../theme.ts"
import { marksOf, type Span } from "./span.ts"

export interface Strip {
  readonly label: string
  readonly height: number
  readonly columns: ReadonlyArray<{
    readonly column: string
    readonly label: string
    /** A colour of tokens.css; undefined: the one of the column's name. */
    readonly stroke?: string
    readonly fill?: boolean
    readonly stepped?: boolean
  }>
  /** Converts a value to the drawn one. */
  readonly from?: ((value: number) => number) | undefined
  /** The range of the scale; undefined: the range of the shown values. */
  readonly range?: readonly [number, number]
  /** Without a range: the scale runs from the least shown value to the greatest, even if 0 is far away or in between. */
  readonly fits?: boolean
  /** Without a range: values that the scale always includes. */
  readonly least?: number
  readonly most?: number
}

/** A strip draws at least this many of its values, about one for each pixel: more would lie on top of each other. */
const MIN_POINTS = 1000
/** A strip is drawn when it comes this near to the window, so that no empty strip scrolls into sight. */
const BEFORE_SIGHT = "160px"

/** A time without points that counts as a pause or a loss and interrupts the line, s. Feeds have several points a second. */
const MAX_STEP_S = 2

/** Stretches with absent values or without points, in pixels of the canvas. */
const gapsOf: uPlot.Series.GapsRefiner = (plot, _series, from, to, absent) => {
  const times = plot.data[0]
  const pauses: Array<[number, number]> = []
  for (let k = from + 1; k <= to; k++) {
    if (times[k]! - times[k - 1]! <= MAX_STEP_S) continue
    const [start, end] = [k - 1, k].map((at) => Math.round(plot.valToPos(times[at]!, "x", true)))
    pauses.push([start!, end!])
  }
  return pauses.length === 0 ? absent : [...absent, ...pauses].sort(([a], [b]) => a - b)
}

/** Least height of the scale, so that noise of a steady value does not fill the strip. */
const roomAround = (low: number, high: number): [number, number] => {
  const room = Math.max(0.1 * (high - low), 0.01 * Math.abs(high), 0.01)
  return [low - room, high + room]
}

/** A mark of the axis of time. */
const markText = ({ sinceStart }: Span, from: number, to: number, at: number): string => {
  if (sinceStart === true) return lapTime(Math.max(0, at - from), 0)
  const ago = Math.round(at - to)
  if (ago === 0) return "0"
  return Math.abs(to - from) <= 120 ? `${plain(ago)} s` : `${plain(Math.round((10 * ago) / 60) / 10)} min`
}

/** Marks for values that are whole numbers. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

export class TracePlot {
  readonly #plot: uPlot
  readonly #ring: Ring<string>
  readonly #strip: Strip
  readonly #resized: ResizeObserver
  readonly #watched: IntersectionObserver
  #inSight = true
  readonly #span: Span
  /** The shown stretch of time. */
  #from = 0
  #to = 0

  constructor(holder: HTMLElement, ring: Ring<string>, strip: Strip, last: boolean, span: Span) {
    this.#span = span
    this.#ring = ring
    this.#strip = strip
    const grid = { stroke: colour("grid"), width: 1 }
    const { range } = strip
    this.#plot = new uPlot(
      {
        width: Math.max(80, holder.clientWidth),
        height: strip.height + (last ? 22 : 0),
        padding: [8, 14, last ? 0 : 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, auto: false },
          y:
            range === undefined
              ? {
                  range: (_plot, low, high) =>
                    strip.fits === true
                      ? roomAround(low, high)
                      : [strip.least ?? Math.floor(low * 0.9), Math.max(strip.most ?? 10, high * 1.05)]
                }
              : { range: [...range] }
        },
        axes: [
          {
            show: last,
            size: 22,
            stroke: colour("muted"),
            grid,
            ticks: { show: false },
            splits: () => marksOf(span, this.#from, this.#to),
            values: (_plot, values) => values.map((value) => markText(span, this.#from, this.#to, value))
          },
          {
            size: 40,
            stroke: colour("muted"),
            grid,
            ticks: { show: false },
            // A single mark would show no scale.
            space: strip.range === undefined ? 16 : 26,
            ...(strip.columns.every(({ stepped }) => stepped === true) ? { incrs: WHOLE } : {}),
            values: (_plot, values) =>
              values.map((value) => (value >= 10_000 ? `${plain(value / 1000)}k` : plain(value)))
          }
        ],
        series: [
          {},
          ...strip.columns.map(({ column, fill, label, stepped, stroke }) => ({
            label,
            stroke: colour(stroke ?? column),
            width: 1,
            points: { show: false },
            gaps: gapsOf,
            ...(fill === true ? { fill: `${colour(stroke ?? column)}30` } : {}),
            ...(stepped === true ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {})
          }))
        ]
      },
      [[], ...strip.columns.map(() => [])] as unknown as uPlot.AlignedData,
      holder
    )
    this.#resized = new ResizeObserver(() =>
      this.#plot.setSize({ width: Math.max(80, holder.clientWidth), height: this.#plot.height })
    )
    this.#resized.observe(holder)
    // Strips out of sight are not drawn: on a laptop the last strips lie below the window's edge.
    this.#watched = new IntersectionObserver(
      (entries) => {
        this.#inSight = entries.at(-1)!.isIntersecting
        this.draw()
      },
      { rootMargin: BEFORE_SIGHT }
    )
    this.#watched.observe(holder)
  }

  draw(): void {
    const { length } = this.#ring
    if (length === 0 || !this.#inSight) return
    ;[this.#from, this.#to] = this.#span.range(this.#ring.at("timestamp", length - 1))
    const from = Math.max(0, this.#ring.from(this.#from) - 1)
    const stride = Math.max(1, Math.floor((length - from) / MIN_POINTS))
    const plot = this.#plot
    const convert = this.#strip.from
    plot.batch(() => {
      plot.setData(
        [
          this.#ring.thinned("timestamp", from, stride),
          ...this.#strip.columns.map(({ column }) => {
            const values = this.#ring.thinned(column, from, stride)
            // A channel of a group may be absent for a while, which leaves a gap; channels of points do not.
            if (this.#strip.fits === true) {
              return Array.from(values, (value) => (Number.isNaN(value) ? null : (convert?.(value) ?? value)))
            }
            return convert === undefined ? values : values.map(convert)
          })
        ] as unknown as uPlot.AlignedData,
        false
      )
      plot.setScale("x", { min: this.#from, max: this.#to })
    })
  }

  close(): void {
    this.#resized.disconnect()
    this.#watched.disconnect()
    this.#plot.destroy()
  }
}
