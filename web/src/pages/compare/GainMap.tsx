/** The track, coloured by where the chosen lap loses and gains on the fastest, with the cursor's place on it. */
import type { Signal } from "@preact/signals"
import { effect } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { lapColour } from "../../draw/ComparePlots.ts"
import type { TrackMap } from "../../draw/TrackMap.ts"
import { TrackView } from "../../draw/TrackView.tsx"
import { colour, theme } from "../../theme.ts"
import type { Corner, Trace } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

/** Nodes to each side over which a rate is taken: 20 m, less than the shortest corner. */
const HALF = 20
/** Seconds lost over 100 m: less is neither, more than the second is a lot. */
const SOME = 0.01
const MUCH = 0.05

const shadeOf = (rate: number): "none" | "gain" | "loss" | "gain-much" | "loss-much" => {
  const size = Math.abs(rate)
  if (size < SOME) return "none"
  if (rate > 0) return size < MUCH ? "loss" : "loss-much"
  return size < MUCH ? "gain" : "gain-much"
}

const shades = () => ({
  none: colour("muted"),
  gain: mixed("gain"),
  loss: mixed("loss"),
  "gain-much": colour("gain"),
  "loss-much": colour("loss")
})

/** Half way to the neutral grey. */
const mixed = (name: string) => `color-mix(in srgb, ${colour(name)} 55%, ${colour("muted")})`

/** A place on the map; NaN where the lap does not tell it, which no line goes through. */
const placesOf = (column: ReadonlyArray<number | null>): Float64Array =>
  Float64Array.from(column, (place) => place ?? Number.NaN)

const coloursOf = ({ distance, time_delta }: Trace): ReadonlyArray<string> => {
  const last = distance.length - 1
  const palette = shades()
  return distance.map((_, n) => {
    const from = Math.max(0, n - HALF)
    const to = Math.min(last, n + HALF)
    const way = distance[to]! - distance[from]!
    return palette[shadeOf(way > 0 ? ((time_delta[to]! - time_delta[from]!) / way) * 100 : 0)]
  })
}

const Legend = () => (
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
    </span>
  </p>
)

export const GainMap = ({
  traces,
  corners,
  laps,
  focused,
  focus,
  node
}: {
  traces: ReadonlyArray<Trace>
  corners: ReadonlyArray<Corner>
  laps: ReadonlyArray<ChosenLap>
  focused: number
  focus: (index: number) => void
  node: Signal<number | undefined>
}) => {
  const map = useRef<TrackMap>(undefined)
  const trace = traces[focused]!
  const reference = traces[0]!
  const line = useMemo(
    () => ({
      x: placesOf(reference.position_x),
      y: placesOf(reference.position_y),
      colours: coloursOf(trace)
    }),
    [trace, reference, theme.value]
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
      const n = node.value
      shown.showCars(
        n === undefined
          ? []
          : traces.flatMap(({ position_x, position_y }, k) => {
              const [x, y] = [position_x[n] ?? null, position_y[n] ?? null]
              return x === null || y === null ? [] : [{ x, y, fill: lapColour(k), radius: 6 }]
            })
      )
    }
    shown.onResize = draw
    return effect(draw)
  }, [traces, line])
  if (reference.position_x.every((x) => x === 0 || x === null)) {
    return <p class="muted">These laps have no positions, so there is no map.</p>
  }
  return (
    <>
      <div class="panel-head">
        <h2>Where it goes</h2>
        {traces.length > 2 ? (
          <label class="small muted">
            Lap{" "}
            <select value={String(focused)} onChange={(event) => focus(Number(event.currentTarget.value))}>
              {laps.slice(1).map(({ lap, session }, k) => (
                <option key={lap.id} value={String(k + 1)}>
                  {lap.lap_number} of session {session.id}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span class="small">
            <i class="swatch" style={{ "--swatch": lapColour(focused) }} />
            Lap {laps[focused]!.lap.lap_number} against the fastest
          </span>
        )}
      </div>
      <div class="gain-map">
        <TrackView
          line={line}
          marks={marks}
          ready={(made) => (map.current = made)}
          label="The track, orange where the lap loses time and blue where it gains; the corner table says the same in numbers"
        />
      </div>
      <Legend />
    </>
  )
}
