/**
 * One channel against another, coloured by a third or by lap, with a map: a point that the pointer is at is marked in the plot, on
 * the map and in the histogram.
 */
import type { Signal } from "@preact/signals"
import { effect } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { lapColour, LAP_COLOURS, lapToken } from "../../draw/lapLook.ts"
import { ScatterPlot, shadeOf, shadesOf } from "../../draw/ScatterPlot.ts"
import type { TrackMap } from "../../draw/TrackMap.ts"
import { TrackView } from "../../draw/TrackView.tsx"
import { count, fixed, plain } from "../../format.ts"
import { colour, theme } from "../../theme.ts"
import type { Channel, Lap } from "../../types.ts"
import { ChannelSelect } from "./ChannelSelect.tsx"
import type { Points } from "./points.ts"
import { type ChannelLook, channelLook, type DiagramsView, headOf, valueText } from "./view.ts"

/** From low to high; tokens of both themes. */
const STOPS = ["accent", "good", "gear", "loss", "brake"]

const extremes = (values: Float64Array): readonly [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

/** The keys that step through the points, in the order recorded. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -60, PageDown: 60 }

interface Shown {
  readonly points: Points
  readonly view: DiagramsView
  readonly channels: ReadonlyArray<Channel>
  /** The point at the cursor. */
  readonly cursor: Signal<number | undefined>
}

const lookNamed = (channels: ReadonlyArray<Channel>, name: string): ChannelLook =>
  channelLook(channels.find((channel) => channel.name === name)!)

/** The column in the shown unit. */
const shownColumn = ({ columns }: Points, name: string, { from }: ChannelLook): Float64Array =>
  (columns.get(name) ?? new Float64Array()).map(from)

/** The scale of the colours. */
const Legend = ({ head, low, high }: { head: string; low: number; high: number }) => (
  <p class="small scale">
    <span>
      {head} {valueText(low)}
    </span>
    <i style={{ background: `linear-gradient(to right, ${STOPS.map((name) => `var(--${name})`).join()})` }} />
    <span>{valueText(high)}</span>
  </p>
)

const Values = ({ points, view, channels, cursor }: Shown) => {
  const at = cursor.value
  if (at === undefined) {
    return (
      <p class="small muted on-screen">
        Point at the plot, or choose it and use ← and →, Page up and Page down.
      </p>
    )
  }
  const lap: Lap | undefined = view.laps[points.lapOf[at]!]
  const names = [...new Set([view.x, view.y, ...(view.colour === "lap" ? [] : [view.colour]), view.channel])]
  return (
    <p class="small bin-values" role="status">
      <b>
        {lap === undefined ? "Session" : `Lap ${lap.lap_number}`},{" "}
        {fixed(points.times[at]! - points.times[points.lapOf.indexOf(points.lapOf[at]!)]!, 2)} s
      </b>
      {names.map((name) => {
        const look = lookNamed(channels, name)
        const value = points.columns.get(name)?.[at]
        return (
          <span key={name}>
            {look.label}: {valueText(value === undefined ? undefined : look.from(value))} {look.unit}
          </span>
        )
      })}
    </p>
  )
}

const Plot = ({ points, view, channels, cursor }: Shown) => {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<ScatterPlot>(undefined)
  const [lookX, lookY] = [lookNamed(channels, view.x), lookNamed(channels, view.y)]
  const colours = view.colour === "lap" ? undefined : points.columns.get(view.colour)
  useEffect(() => {
    const made = new ScatterPlot(holder.current!)
    plot.current = made
    const stop = effect(() => made.point(cursor.value))
    return () => {
      stop()
      made.close()
      plot.current = undefined
    }
  }, [])
  useEffect(() => {
    const shades =
      colours === undefined
        ? Array.from({ length: LAP_COLOURS }, (_, k) => colour(lapToken(k)))
        : [...shadesOf(STOPS.map(colour)), colour("muted")]
    plot.current!.show(
      {
        x: shownColumn(points, view.x, lookX),
        y: shownColumn(points, view.y, lookY),
        colourOf:
          colours === undefined
            ? points.lapOf.map((lap) => lap % LAP_COLOURS)
            : shadeOf(colours, ...extremes(colours)),
        colours: shades,
        square: lookX.unit === "g" && lookY.unit === "g"
      },
      { line: colour("grid"), text: colour("muted"), mark: plain }
    )
  }, [points, view.x, view.y, view.colour, lookX.unit, lookY.unit, theme.value])
  const look = colours === undefined ? undefined : lookNamed(channels, view.colour)
  const [low, high] = colours === undefined ? [0, 0] : extremes(colours)
  return (
    <>
      <p class="small muted">
        {headOf(lookY)} (up) against {headOf(lookX)} (to the right)
      </p>
      <div
        class="scatter"
        ref={holder}
        role="group"
        tabIndex={0}
        aria-label={`${headOf(lookY)} against ${headOf(lookX)}: arrow keys step through the points`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          cursor.value = plot.current?.nearest(event.clientX - box.left, event.clientY - box.top)
        }}
        onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (step === undefined || points.times.length === 0) return
          event.preventDefault()
          cursor.value = Math.min(points.times.length - 1, Math.max(0, (cursor.value ?? 0) + step))
        }}
      />
      {look !== undefined && low <= high && (
        <Legend head={headOf(look)} low={look.from(low)} high={look.from(high)} />
      )}
    </>
  )
}

/** The way of the first chosen lap; the car is at the cursor. */
const Map = ({ points, cursor }: Pick<Shown, "points" | "cursor">) => {
  const map = useRef<TrackMap>(undefined)
  const [x, y] = [points.columns.get("position_x"), points.columns.get("position_y")]
  const line = useMemo(() => {
    if (x === undefined || y === undefined) return undefined
    const others = points.lapOf.findIndex((lap) => lap > 0)
    const end = others < 0 ? x.length : others
    return { x: x.subarray(0, end), y: y.subarray(0, end), interrupted: true }
  }, [points])
  const move = () => {
    const at = cursor.value
    const isKnown = x !== undefined && y !== undefined && at !== undefined && !Number.isNaN(x[at]! + y[at]!)
    map.current?.showCars(
      isKnown ? [{ x: x[at]!, y: y[at]!, fill: lapColour(points.lapOf[at]!), radius: 6 }] : []
    )
  }
  useEffect(() => effect(move), [points])
  if (line === undefined || line.x.every(Number.isNaN)) {
    return <p class="small muted">No map: the simulator sends no position.</p>
  }
  return (
    <TrackView
      line={line}
      label="The circuit, with the car at the cursor"
      ready={(made) => {
        map.current = made
        made.onResize = move
      }}
    />
  )
}

export const Scatter = (shown: Shown) => {
  const { channels, points, view } = shown
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>X-Y plot</h2>
        <span class="form">
          <ChannelSelect label="X" parameter="x" value={view.x} channels={channels} />
          <ChannelSelect label="Y" parameter="y" value={view.y} channels={channels} />
          <ChannelSelect
            label="Colour"
            parameter="colour"
            value={view.colour}
            channels={channels}
            also={<option value="lap">Lap</option>}
          />
        </span>
      </div>
      <Values {...shown} />
      <div class="scatter-and-map">
        <div>
          <Plot {...shown} />
        </div>
        <Map points={points} cursor={shown.cursor} />
      </div>
      <p class="small muted">
        {count(points.times.length)} points
        {points.every > 1 && `, one in ${points.every} of those recorded`}. Values of groups with another rate
        hold until their next sample.
      </p>
    </section>
  )
}
