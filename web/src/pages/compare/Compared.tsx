/** The comparison itself: plots, map, what the cursor reads, corners, and where the time went. */
import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { channelsOf } from "../../draw/compareChannels.ts"
import { ComparePlots } from "../../draw/ComparePlots.ts"
import { theme } from "../../theme.ts"
import type { Comparison } from "../../types.ts"
import { Notice } from "../../ui/Notice.tsx"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { CornerTable } from "./CornerTable.tsx"
import { GainMap } from "./GainMap.tsx"
import { Losses } from "./Losses.tsx"
import { Readout } from "./Readout.tsx"

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, select, textarea")

const Untold = ({ channels }: { channels: Comparison["missing_channels"] }) =>
  channels.length === 0 ? null : (
    <p class="muted small">
      Not told by every lap: {channels.join(", ").replaceAll("_", " ")}. What needs them is left out.
    </p>
  )

/** A corner with the braking before it and the throttle after. */
const AROUND_M = 250
/** With Shift ten times as far. */
const STEP_NODES = 5

const keys = (plots: ComparePlots) => (event: KeyboardEvent) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  const step = STEP_NODES * (event.shiftKey ? 10 : 1)
  const act: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => plots.step(-step),
    ArrowRight: () => plots.step(step),
    "+": () => plots.zoomBy(1),
    "-": () => plots.zoomBy(-1),
    "0": () => plots.whole()
  }
  const wanted = act[event.key]
  if (wanted === undefined) return
  event.preventDefault()
  wanted()
}

export const Compared = ({
  comparison,
  laps,
  at
}: {
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
  at: number | undefined
}) => {
  const holder = useRef<HTMLDivElement>(null)
  const plots = useRef<ComparePlots>(undefined)
  const node = useSignal<number | undefined>(undefined)
  const traces = useMemo(
    () => laps.flatMap(({ lap }) => comparison.traces.filter(({ lap_id }) => lap_id === lap.id)),
    [comparison, laps]
  )
  const [focus, setFocus] = useState(1)
  const focused = Math.min(focus, traces.length - 1)
  useEffect(() => {
    if (traces.length === 0) return
    const holders = [...holder.current!.querySelectorAll<HTMLElement>(".strip-plot")]
    const made = new ComparePlots(holders, traces, comparison.corners, {
      cursor: (at) => (node.value = at)
    })
    plots.current = made
    if (at !== undefined) made.show(at, AROUND_M)
    const press = keys(made)
    document.addEventListener("keydown", press)
    return () => {
      document.removeEventListener("keydown", press)
      made.close()
    }
  }, [traces, at, theme.value])
  if (traces.length === 0) {
    return (
      <Notice title="These laps cannot be laid over each other.">
        <span>They have too few points. Their times are above; another lap may have more.</span>
      </Notice>
    )
  }
  const show = (distance: number) => plots.current?.show(distance, AROUND_M)
  return (
    <>
      <div class="compare">
        <section class="panel" ref={holder} aria-label="Channels over distance">
          <div class="panel-head">
            <h2>Over distance</h2>
            <span class="muted small">
              Drag to zoom, double click for the whole lap; laid over each other by {comparison.method}
            </span>
            <span class="form">
              <button
                type="button"
                class="icon"
                aria-label="Zoom in"
                onClick={() => plots.current?.zoomBy(1)}
              >
                +
              </button>
              <button
                type="button"
                class="icon"
                aria-label="Zoom out"
                onClick={() => plots.current?.zoomBy(-1)}
              >
                −
              </button>
              <button type="button" onClick={() => plots.current?.whole()}>
                Whole lap
              </button>
            </span>
          </div>
          {channelsOf(traces).map(({ label, name }) => (
            <div class="strip" key={name}>
              <p class="small muted">{label}</p>
              <div class="strip-plot" />
            </div>
          ))}
          <Untold channels={comparison.missing_channels} />
        </section>
        <div class="stack">
          <section class="panel">
            <GainMap
              traces={traces}
              corners={comparison.corners}
              focused={focused}
              focus={setFocus}
              laps={laps}
              node={node}
            />
          </section>
          <section class="panel">
            <Readout traces={traces} laps={laps} node={node} />
          </section>
          <section class="panel">
            <Losses comparison={comparison} laps={laps} show={show} />
          </section>
        </div>
      </div>
      <CornerTable comparison={comparison} laps={laps} show={show} />
    </>
  )
}
