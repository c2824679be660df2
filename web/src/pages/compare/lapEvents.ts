/** Lock-ups, spins and wheelspin in the compared laps, as the analysis of their sessions found them. */
import { useMemo } from "preact/hooks"
import { api } from "../../api.ts"
import type { Axis } from "../../draw/axis.ts"
import type { PlotEvent } from "../../draw/plotMarks.ts"
import type { Anomaly, Trace } from "../../types.ts"
import { useAnswer } from "../../ui/useAnswer.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

const NAMES: Readonly<Partial<Record<Anomaly["type"], string>>> = {
  lock_up_or_spin: "lock-up or spin",
  wheelspin: "wheelspin"
}

export interface LapEvent {
  readonly lapId: number
  readonly name: string
  /** Metres from the line. */
  readonly distance: number
  readonly duration: number
}

/** In the order of the laps, and driven. */
export const eventsIn = (
  laps: ReadonlyArray<number>,
  anomalies: ReadonlyArray<Anomaly>
): ReadonlyArray<LapEvent> => {
  const found = anomalies.flatMap(({ dismissed, occurrences, type }) => {
    const name = NAMES[type]
    if (name === undefined || dismissed === true) return []
    return occurrences.flatMap(({ distance, duration, lap_id: lapId }) =>
      distance === null || !laps.includes(lapId) ? [] : [{ lapId, name, distance, duration }]
    )
  })
  return found.sort((a, b) => laps.indexOf(a.lapId) - laps.indexOf(b.lapId) || a.distance - b.distance)
}

/** Requested beside the comparison, which does not wait for them. Without those of a session whose analysis fails. */
export const useLapEvents = (laps: ReadonlyArray<ChosenLap>): ReadonlyArray<LapEvent> => {
  const sessions = [...new Set(laps.map(({ session }) => session.id))]
  const { value } = useAnswer(async () => {
    const each = await Promise.allSettled(sessions.map((id) => api.anomalies(id)))
    return each.flatMap((of) => (of.status === "fulfilled" ? of.value.anomalies : []))
  }, [sessions.join()])
  return useMemo(
    () =>
      eventsIn(
        laps.map(({ lap }) => lap.id),
        value ?? []
      ),
    [value, laps]
  )
}

/** A car that stands gets on at this speed, m/s: it would never come to the end. */
const MIN_SPEED = 1

/** Where an event is on the axis of the plots. Its end is as far as the car drove in its time. */
export const eventOnAxis = (
  { distance, duration, lapId }: LapEvent,
  traces: ReadonlyArray<Trace>,
  axis: Axis
): PlotEvent => {
  const lap = traces.findIndex(({ lap_id }) => lap_id === lapId)
  const trace = traces[lap]!
  const last = trace.distance.length - 1
  const nodeAt = (metres: number) =>
    Math.min(last, Math.max(0, Math.round((metres / trace.distance[last]!) * last)))
  const start = nodeAt(distance)
  let end = start
  for (let seconds = 0; end < last && seconds < duration; end++) {
    const speed = Math.max(MIN_SPEED, (trace.speed[end] ?? 0) / 3.6)
    seconds += (trace.distance[end + 1]! - trace.distance[end]!) / speed
  }
  return { from: axis.values[axis.stepOf(lap, start)]!, to: axis.values[axis.stepOf(lap, end)]!, lap }
}
