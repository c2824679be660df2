/** The comparison itself: plots, map, values at the cursor, corners, and losses. */
import { useSignal } from "@preact/signals"
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks"
import { type Axis, lapTimes, nodeAt, overDistance, overTime } from "../../draw/axis.ts"
import { channelsOf, lookOf, within } from "../../draw/compareChannels.ts"
import { deltasOf } from "../../draw/deltas.ts"
import { ComparePlots } from "../../draw/ComparePlots.ts"
import { go, note, withQuery } from "../../router.ts"
import { theme } from "../../theme.ts"
import type { Channel, Comparison, Trace } from "../../types.ts"
import { Notice } from "../../ui/Notice.tsx"
import { ComparedChannels } from "./ComparedChannels.tsx"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { CornerTable } from "./CornerTable.tsx"
import { Diagrams } from "./Diagrams.tsx"
import { Events } from "./Events.tsx"
import { FocusedLap } from "./FocusedLap.tsx"
import { GainMap } from "./GainMap.tsx"
import { eventOnAxis, useLapEvents } from "./lapEvents.ts"
import { Losses } from "./Losses.tsx"
import { MissingChannels } from "./MissingChannels.tsx"
import { keys, settling } from "./moving.ts"
import { PlotsHead } from "./PlotsHead.tsx"
import { RaceLines } from "./RaceLines.tsx"
import { Readout, StripValues } from "./Readout.tsx"
import { AROUND_M, type CompareView } from "./view.ts"

/** The part of the axis that is shown around a place, to each side. */
const AROUND = { m: AROUND_M, s: 6 } as const
/** A zoom becomes a step of the browser's history after this time without changes, ms. */
const SETTLED_MS = 400

const written = (value: number, { unit }: Axis) => value.toFixed(unit === "m" ? 0 : 2)

/** The shown part of the axis, for the address; empty if all of it is shown. */
const zoomQuery = (axis: Axis, from: number, to: number) => {
  const isWhole = from <= 0 && to >= axis.values.at(-1)!
  return isWhole
    ? { from: undefined, to: undefined, at: undefined }
    : { from: written(from, axis), to: written(to, axis), at: undefined }
}

interface Given {
  readonly comparison: Comparison
  /** Puts the reference first. */
  readonly laps: ReadonlyArray<ChosenLap>
  readonly dictionary: ReadonlyMap<string, Channel>
  readonly view: CompareView
}

const Body = ({ comparison, laps, dictionary, view, traces }: Given & { traces: ReadonlyArray<Trace> }) => {
  const holder = useRef<HTMLDivElement>(null)
  const plots = useRef<ComparePlots>(undefined)
  const step = useSignal<number | undefined>(undefined)
  const names = view.channels.join(",")
  const look = lookOf()
  const fastestTime = comparison.laps.find(({ id }) => id === comparison.fastest_lap_id)?.lap_time ?? null
  const times = useMemo(
    () => lapTimes(traces, comparison.fastest_lap_id, fastestTime),
    [traces, comparison, fastestTime]
  )
  const axis = useMemo(
    () => (view.over === "time" && times !== undefined ? overTime(times) : overDistance(traces)),
    [traces, times, view.over]
  )
  const happened = useLapEvents(laps)
  const { drawn, left } = within(view.channels, traces.length)
  const { drawn: shown, unreported } = useMemo(
    () => channelsOf(drawn, traces, dictionary, fastestTime),
    [names, traces, dictionary, fastestTime, look]
  )
  const deltas = useMemo(() => deltasOf(traces), [traces])
  const wanted = traces.findIndex(({ lap_id }) => lap_id === view.lap)
  const focused = wanted > 0 ? wanted : 1
  const nodes = traces[0]!.distance
  const stepAt = (distance: number, lap = 0) =>
    axis.stepOf(lap, Math.round((distance / nodes.at(-1)!) * (nodes.length - 1)))
  const nodesAt = useCallback((at: number) => traces.map((_, lap) => nodeAt(axis, lap, at)), [traces, axis])
  const marks = useMemo(
    () => comparison.corners.map(({ apex, number }) => ({ at: axis.values[stepAt(apex)]!, number })),
    [comparison, axis]
  )
  useEffect(() => {
    if (shown.length === 0) return
    const holders = [...holder.current!.querySelectorAll<HTMLElement>(".strip-plot")]
    const zoomed = settling(SETTLED_MS)
    const moved = settling(SETTLED_MS)
    const made = new ComparePlots(holders, shown, axis, marks, {
      cursor: (at) => {
        step.value = at
        moved.settle(() => note({ cursor: written(axis.values[at]!, axis) }))
      },
      zoomed: (from, to) =>
        zoomed.settle(() => {
          const query = withQuery(zoomQuery(axis, from, to))
          if (query !== withQuery({})) go(query)
        })
    })
    plots.current = made
    return () => {
      zoomed.forget()
      moved.forget()
      made.close()
      plots.current = undefined
    }
  }, [shown, axis, marks, theme.value])
  useEffect(
    () => plots.current?.mark(happened.map((event) => eventOnAxis(event, traces, axis))),
    [happened, shown, axis, marks, theme.value]
  )
  // Applies the address, also after going back, and to new plots.
  useEffect(() => {
    const on = plots.current
    if (on === undefined) return
    on.zoom(view.from ?? 0, view.to ?? axis.values.at(-1)!)
    if (view.cursor === undefined) return
    const at = on.stepAt(view.cursor)
    const drawing = requestAnimationFrame(() => on.point(at, false))
    return () => cancelAnimationFrame(drawing)
  }, [view.from, view.to, shown, axis, marks, theme.value])
  useEffect(() => {
    const press = keys(() => plots.current)
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
  const show = (distance: number, lap = 0) => {
    plots.current?.show(stepAt(distance, lap), AROUND[axis.unit])
    // The plots themselves: what lies above them may be longer than the window.
    holder.current?.querySelector(".strip")?.scrollIntoView({ block: "nearest" })
  }
  return (
    <>
      <div class="compare">
        <div class="stack">
          <section class="panel" ref={holder} aria-label={`Channels over ${view.over}`}>
            <PlotsHead
              plots={() => plots.current}
              comparison={comparison}
              over={view.over}
              timed={times !== undefined}
              axis={axis}
              step={step}
            />
            {view.over === "time" && times === undefined && (
              <p class="muted small">Drawn over distance: the fastest lap has no speed.</p>
            )}
            <ComparedChannels
              dictionary={dictionary}
              chosen={view.channels}
              laps={traces.length}
              left={left}
            />
            {shown.map((channel) => (
              <div class="strip" key={`${channel.name} ${axis.unit}`}>
                <div class="strip-head small muted">
                  <p>{channel.label}</p>
                  <StripValues axis={axis} channel={channel} laps={laps} step={step} />
                </div>
                <div class="strip-plot" />
              </div>
            ))}
            <Events events={happened} laps={laps} show={show} />
            <MissingChannels comparison={comparison} unreported={unreported} />
          </section>
          <Diagrams view={view} traces={traces} laps={laps} times={times} dictionary={dictionary} />
        </div>
        <div class="stack">
          <section class="panel">
            <FocusedLap laps={laps} focused={focused} />
            <GainMap
              traces={traces}
              deltas={deltas}
              corners={comparison.corners}
              focused={focused}
              nodesAt={nodesAt}
              step={step}
              point={(node, follow) => plots.current?.point(axis.stepOf(0, node), follow)}
            />
          </section>
          <RaceLines traces={traces} laps={laps} corners={comparison.corners} nodesAt={nodesAt} step={step} />
          <section class="panel">
            <Readout axis={axis} shown={shown} laps={laps} step={step} />
          </section>
          <section class="panel">
            <Losses
              comparison={comparison}
              laps={laps}
              focused={focused}
              show={(distance, id) =>
                show(
                  distance,
                  traces.findIndex(({ lap_id }) => lap_id === id)
                )
              }
            />
          </section>
        </div>
      </div>
      <CornerTable comparison={comparison} laps={laps} show={show} />
    </>
  )
}

export const Compared = (given: Given) => {
  const { comparison, laps } = given
  const traces = useMemo(
    () => laps.flatMap(({ lap }) => comparison.traces.filter(({ lap_id }) => lap_id === lap.id)),
    [comparison, laps]
  )
  if (traces.length === 0) {
    return (
      <Notice title="These laps cannot be aligned.">
        <span>They have too few points. Their times are above; another lap may have more.</span>
      </Notice>
    )
  }
  return <Body {...given} traces={traces} />
}
