/** Strips of uPlot over the last minute, drawn from the ring as it is. */
import uPlot from "uplot"

import { plain } from "../format.ts"
import type { Ring } from "../live/Ring.ts"
import { colour } from "../theme.ts"

export interface Strip {
  readonly label: string
  readonly height: number
  readonly columns: ReadonlyArray<{
    readonly column: string
    readonly label: string
    /** Of tokens.css; undefined is that of the column's name. */
    readonly stroke?: string
    readonly fill?: boolean
    readonly stepped?: boolean
  }>
  /** What is drawn of a value, where it is not the value itself. */
  readonly from?: ((value: number) => number) | undefined
  /** Undefined fits what is shown. */
  readonly range?: readonly [number, number]
  /** Without a range: what is shown from its least to its most, also where that is far from 0 or around it. */
  readonly fits?: boolean
  /** Ends of the scale that are shown at least, without a range. */
  readonly least?: number
  readonly most?: number
}

const WINDOW_S = 60
/** About a value a pixel, where the feed has as many: more is drawn over itself. */
const MIN_POINTS = 1000
/** A strip is drawn when it is so near to the window, so that who scrolls sees none that is empty. */
const BEFORE_SIGHT = "160px"

/** So long without a point is a pause or a loss, which no line goes across, s: feeds have several points a second. */
const MAX_STEP_S = 2

/** What is absent, and where no point came for long, as pixels of the canvas. */
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

/** Of what hardly changes, no noise over the whole height. */
const roomAround = (low: number, high: number): [number, number] => {
  const room = Math.max(0.1 * (high - low), 0.01 * Math.abs(high), 0.01)
  return [low - room, high + room]
}

/** Between marks of what has nothing between whole numbers. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

const secondsAgo = (_plot: uPlot, values: ReadonlyArray<number>, latest: number) =>
  values.map((value) => `${plain(Math.round(value - latest))} s`)

export class TracePlot {
  readonly #plot: uPlot
  readonly #ring: Ring<string>
  readonly #strip: Strip
  readonly #resized: ResizeObserver
  readonly #watched: IntersectionObserver
  #inSight = true
  #latest = 0

  constructor(holder: HTMLElement, ring: Ring<string>, strip: Strip, last: boolean) {
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
            // A tick each 10 s back from now, which stands still while the line moves.
            splits: () => [60, 50, 40, 30, 20, 10, 0].map((ago) => this.#latest - ago),
            values: (plot, values) => secondsAgo(plot, values, this.#latest)
          },
          {
            size: 40,
            stroke: colour("muted"),
            grid,
            ticks: { show: false },
            // One mark alone tells no scale.
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
    // Where nobody looks, drawing is for nothing: on a laptop's screen the last strips lie below the window's edge.
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
    this.#latest = this.#ring.at("timestamp", length - 1)
    const from = Math.max(0, this.#ring.from(this.#latest - WINDOW_S) - 1)
    const stride = Math.max(1, Math.floor((length - from) / MIN_POINTS))
    const plot = this.#plot
    const convert = this.#strip.from
    plot.batch(() => {
      plot.setData(
        [
          this.#ring.thinned("timestamp", from, stride),
          ...this.#strip.columns.map(({ column }) => {
            const values = this.#ring.thinned(column, from, stride)
            // Absent values are a gap of what may be absent for a while; a point's own are not.
            if (this.#strip.fits === true) {
              return Array.from(values, (value) => (Number.isNaN(value) ? null : (convert?.(value) ?? value)))
            }
            return convert === undefined ? values : values.map(convert)
          })
        ] as unknown as uPlot.AlignedData,
        false
      )
      plot.setScale("x", { min: this.#latest - WINDOW_S, max: this.#latest })
    })
  }

  close(): void {
    this.#resized.disconnect()
    this.#watched.disconnect()
    this.#plot.destroy()
  }
}
