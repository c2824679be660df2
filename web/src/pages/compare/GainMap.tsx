/**
 * The track, coloured by where the chosen lap loses or gains against the reference. Map and plots share one cursor: pointing at
 * the map moves it in the plots, and a click scrolls them to it.
 */
import type { Signal } from "@preact/signals"
import { effect } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Column } from "../../draw/deltas.ts"
import { lapColour } from "../../draw/lapLook.ts"
import type { TrackMap } from "../../draw/TrackMap.ts"
import { TrackView } from "../../draw/TrackView.tsx"
import { colour, theme } from "../../theme.ts"
import type { Corner, Trace } from "../../types.ts"

/** Nodes to each side over which a rate is taken: 20 m, less than the shortest corner. */
const HALF = 20
/** Seconds lost over 100 m: below the first, the colour is neutral; above the second, it is full. */
const SOME = 0.01
const MUCH = 0.05

const shadeOf = (rate: number): "none" | "gain" | "loss" | "gain-much" | "loss-much" => {
  const size = Math.abs(rate)
  if (size < SOME) return "none"
  if (rate > 0) return size < MUCH ? "loss" : "loss-much"
  return size < MUCH ? "gain" : "gain-much"
}

/** Where one of the laps was not recorded, the track has no colour of gain, loss or neither. */
const shades = () => ({
  unknown: colour("line"),
  none: colour("muted"),
  gain: mixed("gain"),
  loss: mixed("loss"),
  "gain-much": colour("gain"),
  "loss-much": colour("loss")
})

/** Half-way to the neutral grey. */
const mixed = (name: string) => `color-mix(in srgb, ${colour(name)} 55%, ${colour("muted")})`

/** Places on the map; NaN where the lap reports none, which interrupts the line. */
const placesOf = (column: ReadonlyArray<number | null>): Float64Array =>
  Float64Array.from(column, (place) => place ?? Number.NaN)

/** The last known node from `from` on towards `to`, without a gap in between. */
const knownTowards = (column: Column, from: number, to: number): number => {
  const step = to < from ? -1 : 1
  let n = from
  while (n !== to && (column[n + step] ?? null) !== null) n += step
  return n
}

const coloursOf = ({ distance }: Trace, time_delta: Column): ReadonlyArray<string> => {
  const last = distance.length - 1
  const palette = shades()
  return distance.map((_, n) => {
    if ((time_delta[n] ?? null) === null) return palette.unknown
    const from = knownTowards(time_delta, n, Math.max(0, n - HALF))
    const to = knownTowards(time_delta, n, Math.min(last, n + HALF))
    const way = distance[to]! - distance[from]!
    return palette[shadeOf(way > 0 ? ((time_delta[to]! - time_delta[from]!) / way) * 100 : 0)]
  })
}

const Legend = ({ gaps }: { gaps: boolean }) => (
  <p class="small muted">
    <span class="legend">
      <i class="swatch" style={{ "--swatch": "var(--loss)" }} />
      loses
    </span>{" "}
    <span class="legend">
      <i class="swatch" style={{ "--swatch": "var(--gain)" }} />
      gains
    </span>{" "}
    <span class="legend">
      <i class="swatch" style={{ "--swatch": "var(--muted)" }} />
      neither
    </span>{" "}
    {gaps && (
      <span class="legend">
        <i class="swatch" style={{ "--swatch": "var(--line)" }} />
        not recorded
      </span>
    )}
  </p>
)

/** Farther away than this the pointer is not at the track, CSS pixels. */
const REACH_PX = 40

/** The nearest node on the map; undefined if none is near. */
const nearest = (
  map: TrackMap,
  line: { readonly x: Float64Array; readonly y: Float64Array },
  left: number,
  top: number
): number | undefined => {
  let found: number | undefined
  let least = REACH_PX ** 2
  for (let n = 0; n < line.x.length; n++) {
    const away = (map.left(line.x[n]!, line.y[n]!) - left) ** 2 + (map.top(line.x[n]!, line.y[n]!) - top) ** 2
    if (away < least) [least, found] = [away, n]
  }
  return found
}

export const GainMap = ({
  traces,
  deltas,
  corners,
  focused,
  nodesAt,
  step,
  point
}: {
  traces: ReadonlyArray<Trace>
  deltas: ReadonlyArray<Column>
  corners: ReadonlyArray<Corner>
  focused: number
  /** For each lap the node at a step of the plots. */
  nodesAt: (step: number) => ReadonlyArray<number | undefined>
  step: Signal<number | undefined>
  /** Puts the cursor at a node of the reference. */
  point: (node: number, follow: boolean) => void
}) => {
  const map = useRef<TrackMap>(undefined)
  const reference = traces[0]!
  const line = useMemo(
    () => ({
      x: placesOf(reference.position_x),
      y: placesOf(reference.position_y),
      colours: coloursOf(reference, deltas[focused]!),
      interrupted: true
    }),
    [deltas, focused, reference, theme.value]
  )
  const marks = useMemo(
    () =>
      corners.map(({ apex, number }) => {
        const n = Math.round((apex / reference.distance.at(-1)!) * (reference.distance.length - 1))
        return { x: line.x[n]!, y: line.y[n]!, text: number === null ? "" : String(number) }
      }),
    [corners, line]
  )
  useEffect(() => {
    const shown = map.current
    // Laps without positions have no map.
    if (shown === undefined) return
    const draw = () => {
      const at = step.value
      const nodes = at === undefined ? [] : nodesAt(at)
      shown.showCars(
        nodes.flatMap((n, k) => {
          if (n === undefined) return []
          const [x, y] = [traces[k]!.position_x[n] ?? null, traces[k]!.position_y[n] ?? null]
          return x === null || y === null ? [] : [{ x, y, fill: lapColour(k), radius: k === focused ? 7 : 6 }]
        })
      )
    }
    shown.onResize = draw
    return effect(draw)
    // `nodesAt` changes only with the traces or the axis, which `line` and `step` depend on.
  }, [traces, line, nodesAt])
  if (reference.position_x.every((x) => x === 0 || x === null)) {
    return <p class="muted">These laps have no positions, so there is no map.</p>
  }
  const pointed = (event: MouseEvent, follow: boolean) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const node = nearest(map.current!, line, event.clientX - box.left, event.clientY - box.top)
    if (node !== undefined) point(node, follow)
  }
  return (
    <>
      <div
        class="gain-map"
        onMouseMove={(event) => pointed(event, false)}
        onClick={(event) => pointed(event, true)}
      >
        <TrackView
          line={line}
          marks={marks}
          ready={(made) => (map.current = made)}
          label="The track, orange where the lap loses time and blue where it gains; the corner table says the same in numbers"
        />
      </div>
      <Legend gaps={deltas[focused]!.includes(null)} />
    </>
  )
}
