/** The driven lines around the cursor, and where each lap begins to brake. */
import type { Signal } from "@preact/signals"
import { effect } from "@preact/signals"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { dashOf, lapToken } from "../../draw/lapLook.ts"
import { drawRaceLines } from "../../draw/raceLines.ts"
import { delta, metres } from "../../format.ts"
import { colour, theme } from "../../theme.ts"
import type { Corner, Trace } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { capital, lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

/** What the picture shows to each side, m. */
const REACHES = [30, 60, 120] as const
/** A corner farther away than this along the lap, m, is not the one at the cursor. */
const NEAR_M = 250

const nodeAt = ({ distance }: Trace, metres: number): number =>
  Math.round((metres / distance.at(-1)!) * (distance.length - 1))

/** How far a place is from a corner with its braking, m along the lap. */
const awayFrom = ({ apex, passes }: Corner, metres: number): number => {
  const begins = Math.min(apex, ...passes.map(({ braking_point }) => braking_point ?? apex))
  return Math.max(0, begins - metres, metres - apex)
}

const cornerNear = (corners: ReadonlyArray<Corner>, metres: number): Corner | undefined => {
  const [nearest] = corners.toSorted((a, b) => awayFrom(a, metres) - awayFrom(b, metres))
  return nearest !== undefined && awayFrom(nearest, metres) <= NEAR_M ? nearest : undefined
}

/** Where each lap begins to brake for the corner at the cursor, against the reference. */
const Braking = ({ corner, laps }: { corner: Corner | undefined; laps: ReadonlyArray<ChosenLap> }) => {
  const names = lapNames(laps)
  if (corner === undefined) return <p class="small muted">No corner is near.</p>
  const places = laps.map(({ lap }) => corner.passes.find(({ lap_id }) => lap_id === lap.id)?.braking_point)
  const [own] = places
  return (
    <ul class="small braking">
      {places.map((place, k) => (
        <li key={laps[k]!.lap.id}>
          <LapSwatch index={k} />
          {capital(names[k]!)}{" "}
          {place === null || place === undefined ? "does not brake here" : `brakes at ${metres(place)}`}
          {k > 0 && typeof place === "number" && typeof own === "number" && `, ${delta(place - own, 0)} m`}
        </li>
      ))}
    </ul>
  )
}

export const RaceLines = ({
  traces,
  laps,
  corners,
  nodesAt,
  step
}: {
  traces: ReadonlyArray<Trace>
  laps: ReadonlyArray<ChosenLap>
  corners: ReadonlyArray<Corner>
  /** For each lap the node at a step of the plots. */
  nodesAt: (step: number) => ReadonlyArray<number | undefined>
  step: Signal<number | undefined>
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [reach, setReach] = useState<number>(REACHES[1])
  const brakes = useMemo(
    () =>
      traces.map((trace) =>
        corners.flatMap((corner) => {
          const place = corner.passes.find(({ lap_id }) => lap_id === trace.lap_id)?.braking_point
          return typeof place === "number" ? [nodeAt(trace, place)] : []
        })
      ),
    [traces, corners]
  )
  useEffect(() => {
    const target = canvas.current
    if (target === null) return
    const look = { text: colour("muted"), edge: colour("bg") }
    const strokes = traces.map((_, k) => colour(lapToken(k)))
    const draw = () => {
      const nodes = step.value === undefined ? [] : nodesAt(step.value)
      drawRaceLines(
        target,
        traces.map(({ position_x: x, position_y: y }, k) => ({
          x,
          y,
          brakes: brakes[k]!,
          at: nodes[k],
          stroke: strokes[k]!,
          dash: dashOf(k)
        })),
        reach,
        look
      )
    }
    const resized = new ResizeObserver(draw)
    resized.observe(target)
    const stop = effect(draw)
    return () => {
      stop()
      resized.disconnect()
    }
    // `nodesAt` changes only with the traces or the axis.
  }, [traces, nodesAt, reach, theme.value, step.value === undefined])
  if (traces.every(({ position_x }) => position_x.every((x) => x === 0 || x === null))) return null
  const at = step.value
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Lines at the cursor</h2>
        <label class="small">
          <span class="unseen">Width </span>
          <select value={reach} onChange={(event) => setReach(Number(event.currentTarget.value))}>
            {REACHES.map((one) => (
              <option key={one} value={one}>
                {2 * one} m
              </option>
            ))}
          </select>
        </label>
      </div>
      {at === undefined ? (
        <p class="muted small on-screen">Move over the plots or the map, or use ← and →.</p>
      ) : (
        <>
          <canvas
            class="race-lines"
            ref={canvas}
            role="img"
            aria-label="The driven lines around the cursor; a cross is where a lap begins to brake"
          />
          <p class="small muted">✕ begins to brake, ● the car at the cursor</p>
          <Braking corner={cornerNear(corners, traces[0]!.distance[nodesAt(at)[0] ?? 0]!)} laps={laps} />
        </>
      )}
    </section>
  )
}
