/**
 * Channels of several laps over distance or time: a uPlot for each, with one cursor and one zoom over all of them. The
 * cursor is a step of the axis, and stays where it was left.
 */
import uPlot from "uplot"
import { fixed, plain } from "../format.ts"
import { colour } from "../theme.ts"
import { along, type Axis } from "./axis.ts"
import type { Drawn } from "./compareChannels.ts"
import { dashOf, lapToken } from "./lapLook.ts"
import { drawEvents, drawMarks, type PlotEvent, type PlotMark } from "./plotMarks.ts"

const AXIS = 48
/** Half of the text "5000 m" at the end of an axis. */
const RIGHT = 24
/** Least distance between two marks of a value's axis, px. With a larger one, an axis may have one mark, which shows no scale. */
const MARK_SPACE = 18
const ZOOM = 0.6
/** A turn of the wheel by this many pixels zooms like one click of a button. */
const WHEEL_PX = 240
/** The narrowest range that can be zoomed to. */
const MIN_SPAN = { m: 40, s: 1 } as const

export interface PlotEvents {
  /** The step under the cursor. */
  readonly cursor: (step: number) => void
  /** Called when another part of the axis is shown. */
  readonly zoomed: (from: number, to: number) => void
}

export class ComparePlots {
  readonly #plots: ReadonlyArray<uPlot>
  readonly #length: number
  readonly #resized: ResizeObserver
  readonly #axis: Axis
  #step: number | undefined
  #linking = false
  #happened: ReadonlyArray<PlotEvent> = []

  constructor(
    holders: ReadonlyArray<HTMLElement>,
    shown: ReadonlyArray<Drawn>,
    axis: Axis,
    marks: ReadonlyArray<PlotMark>,
    events: PlotEvents
  ) {
    this.#axis = axis
    this.#length = axis.values.at(-1)!
    const sync = uPlot.sync("compare")
    const move = (plot: uPlot) => {
      const step = plot.cursor.idx
      if (step === null || step === undefined || step === this.#step) return
      this.#step = step
      events.cursor(step)
    }
    const scaled = (plot: uPlot) => {
      if (!this.#link(plot)) return
      const { max, min } = plot.scales["x"]!
      events.zoomed(min!, max!)
    }
    // Reads the document once, before the first plot changes it: a read after each plot would lay out the page each time.
    const widths = holders.map(({ clientWidth }) => Math.max(120, clientWidth))
    const grid = { stroke: colour("grid"), width: 1 }
    const muted = colour("muted")
    const laps = shown[0]!.columns.length
    const strokes = Array.from({ length: laps }, (_, lap) => colour(lapToken(lap)))
    const corner = { line: colour("line"), text: muted }
    this.#plots = shown.map((channel, k) => {
      const isLast = k === shown.length - 1
      const plot = new uPlot(
        {
          width: widths[k]!,
          height: channel.height + (isLast ? 26 : 0),
          padding: [8, RIGHT, isLast ? 0 : 6, 0],
          legend: { show: false },
          cursor: {
            sync: { key: sync.key, setSeries: false },
            drag: { x: true, y: false },
            y: false,
            points: { size: 6 },
            // The cursor stays, so that the user can read its values.
            bind: { mouseleave: () => null }
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
              values: (_plot, values) => values.map((value) => `${plain(value)} ${axis.unit}`)
            },
            {
              size: AXIS,
              stroke: muted,
              grid,
              ticks: { show: false },
              space: MARK_SPACE,
              ...(channel.whole === true ? { incrs: [1, 2, 5, 10, 20, 50, 100] } : {}),
              values: (_plot, values) => values.map(channel.values ?? tick)
            }
          ],
          series: [
            {},
            ...strokes.map((stroke, lap): uPlot.Series => ({
              stroke,
              width: 1.5,
              points: { show: false },
              dash: [...dashOf(lap)],
              ...(channel.stepped === true ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {})
            }))
          ],
          hooks: {
            setCursor: [move],
            setScale: [(self, key) => key === "x" && scaled(self)],
            drawClear: [
              (self) => drawMarks(self, marks, corner, k === 0),
              (self) => drawEvents(self, this.#happened, strokes)
            ]
          }
        },
        [
          axis.values as Array<number>,
          ...channel.columns.map((column, lap) => along(axis, lap, column) as Array<number | null>)
        ],
        holders[k]!
      )
      plot.over.addEventListener("wheel", (event) => this.#wheel(plot, event), { passive: false })
      return plot
    })
    this.#resized = new ResizeObserver(() => {
      for (const [k, plot] of this.#plots.entries()) {
        plot.setSize({ width: Math.max(120, holders[k]!.clientWidth), height: plot.height })
      }
    })
    this.#resized.observe(holders[0]!)
  }

  /** Puts the cursor at a step. `follow`: the plots scroll if the step is out of sight. */
  point(step: number, follow = true): void {
    const first = this.#plots[0]!
    const held = Math.min(this.#axis.values.length - 1, Math.max(0, step))
    const at = this.#axis.values[held]!
    const { max, min } = first.scales["x"]!
    const cursor = () => first.setCursor({ left: first.valToPos(at, "x"), top: 10 })
    if (at >= min! && at <= max!) return cursor()
    if (!follow) return
    const half = (max! - min!) / 2
    this.zoom(at - half, at + half)
    // uPlot sets a scale only at the end of this turn of the event loop.
    requestAnimationFrame(cursor)
  }

  /** The step at a value of the axis. */
  stepAt(value: number): number {
    return Math.round((value / this.#length) * (this.#axis.values.length - 1))
  }

  /** Draws these events on all plots. */
  mark(events: ReadonlyArray<PlotEvent>): void {
    this.#happened = events
    for (const plot of this.#plots) plot.redraw(false)
  }

  step(steps: number): void {
    const { max, min } = this.#plots[0]!.scales["x"]!
    this.point((this.#step ?? this.stepAt((min! + max!) / 2)) + steps)
  }

  /** Around a step, with the cursor on it. */
  show(step: number, around: number): void {
    const at = this.#axis.values[Math.min(this.#axis.values.length - 1, Math.max(0, step))]!
    this.zoom(at - around, at + around)
    requestAnimationFrame(() => this.point(step))
  }

  zoom(from: number, to: number): void {
    const span = Math.min(this.#length, Math.max(MIN_SPAN[this.#axis.unit], to - from))
    const min = Math.max(0, Math.min(from, this.#length - span))
    this.#plots[0]!.setScale("x", { min, max: min + span })
  }

  /** Around the cursor, or the middle. */
  zoomBy(direction: 1 | -1): void {
    const { max, min } = this.#plots[0]!.scales["x"]!
    const cursor = this.#step === undefined ? Number.NaN : this.#axis.values[this.#step]!
    this.#zoomAround(cursor >= min! && cursor <= max! ? cursor : (min! + max!) / 2, direction)
  }

  whole(): void {
    this.zoom(0, this.#length)
  }

  close(): void {
    this.#resized.disconnect()
    for (const plot of this.#plots) plot.destroy()
  }

  /** Zooms around `centre`, which stays in place. */
  #zoomAround(centre: number, amount: number): void {
    const { max, min } = this.#plots[0]!.scales["x"]!
    const factor = ZOOM ** amount
    this.zoom(centre - (centre - min!) * factor, centre + (max! - centre) * factor)
  }

  /** The wheel zooms at the pointer, and moves sideways with Shift. If the whole lap is in sight, zooming out scrolls the page. */
  #wheel(plot: uPlot, event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) return
    const { max, min } = plot.scales["x"]!
    const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX
    const isWhole = max! - min! >= this.#length
    if (Math.abs(along) > (event.shiftKey ? 0 : Math.abs(event.deltaY))) {
      if (isWhole) return
      event.preventDefault()
      const way = (along / plot.over.clientWidth) * (max! - min!)
      return this.zoom(min! + way, max! + way)
    }
    if (event.deltaY > 0 && isWhole) return
    event.preventDefault()
    const left = event.clientX - plot.over.getBoundingClientRect().left
    this.#zoomAround(plot.posToVal(left, "x"), -event.deltaY / WHEEL_PX)
  }

  /** Whether all plots show the same range; false while they are being adjusted. */
  #link(from: uPlot): boolean {
    if (this.#linking || this.#plots === undefined) return false
    this.#linking = true
    const { max, min } = from.scales["x"]!
    for (const plot of this.#plots) if (plot !== from) plot.setScale("x", { min: min!, max: max! })
    this.#linking = false
    return true
  }
}

/** As short as it can be. */
const tick = (value: number) =>
  fixed(value, Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2)
