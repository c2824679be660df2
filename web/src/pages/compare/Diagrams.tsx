/** Diagrams that are not lines over distance: combined forces, and distributions of values. */
import { useMemo } from "preact/hooks"
import { DiagramCanvas, looks } from "../../draw/DiagramCanvas.tsx"
import { dashOf, lapToken } from "../../draw/lapLook.ts"
import { distribution, drawForces, drawShares, edgesAround0 } from "../../draw/diagrams.ts"
import { fixed } from "../../format.ts"
import { go, withQuery } from "../../router.ts"
import { colour, theme } from "../../theme.ts"
import type { Channel, Trace } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { channelsOfDiagram, type CompareView, type Diagram, DIAGRAMS } from "./view.ts"
import { capital, lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

const titles: Readonly<Record<Diagram, string>> = {
  gg: "g-g diagram",
  suspension: "Suspension velocity",
  throttle: "Throttle"
}

/** Edges of the bins of a pedal, shares. */
const PEDALS = Array.from({ length: 11 }, (_, k) => k / 10)

/** Seconds that a lap spends at each node; metres, if its speed is not reported. */
const weightsOf = (trace: Trace, times: Float64Array | undefined): Float64Array =>
  Float64Array.from(trace.distance, (metres, n) =>
    times === undefined
      ? metres - (trace.distance[n - 1] ?? metres)
      : Math.max(0, times[n]! - (times[n - 1] ?? times[n]!))
  )

const Forces = ({ traces }: { traces: ReadonlyArray<Trace> }) => {
  const draw = useMemo(
    () => (canvas: HTMLCanvasElement) =>
      drawForces(
        canvas,
        traces.map(({ channels }, lap) => ({
          across: channels?.["g_lateral"] ?? [],
          along: channels?.["g_longitudinal"] ?? [],
          stroke: colour(lapToken(lap))
        })),
        looks()
      ),
    [traces, theme.value]
  )
  return (
    <>
      <DiagramCanvas round draw={draw} label="Lateral against longitudinal force of each lap, in g" />
      <p class="small muted">g: to the right of the middle in a right-hand bend, above it under power.</p>
    </>
  )
}

const Shares = ({
  traces,
  times,
  name,
  title,
  edges,
  write
}: {
  traces: ReadonlyArray<Trace>
  times: ReadonlyArray<Float64Array> | undefined
  name: string
  title: string
  edges: ReadonlyArray<number>
  write: (value: number) => string
}) => {
  const draw = useMemo(() => {
    const laps = traces.map((trace, lap) => ({
      shares: distribution(
        name === "throttle" ? trace.throttle : (trace.channels?.[name] ?? []),
        weightsOf(trace, times?.[lap]),
        edges
      ),
      stroke: colour(lapToken(lap)),
      dash: dashOf(lap)
    }))
    return (canvas: HTMLCanvasElement) => drawShares(canvas, laps, edges.map(write), looks())
  }, [traces, times, name, theme.value])
  return (
    <figure>
      <figcaption class="small muted">{title}</figcaption>
      <DiagramCanvas draw={draw} label={`Share of the lap's time at each ${title}`} />
    </figure>
  )
}

const Shown = ({
  diagram,
  traces,
  times
}: {
  diagram: Diagram
  traces: ReadonlyArray<Trace>
  times: ReadonlyArray<Float64Array> | undefined
}) => {
  if (diagram === "gg") return <Forces traces={traces} />
  if (diagram === "throttle") {
    return (
      <Shares
        traces={traces}
        times={times}
        name="throttle"
        title="Throttle, %: share of the lap's time"
        edges={PEDALS}
        write={(value) => fixed(value * 100)}
      />
    )
  }
  // The same bins for all wheels and laps, so that they can be compared.
  const edges = edgesAround0(
    channelsOfDiagram("suspension").flatMap((name) => traces.map(({ channels }) => channels?.[name] ?? []))
  )
  return (
    <div class="wheels">
      {channelsOfDiagram("suspension").map((name) => (
        <Shares
          key={name}
          traces={traces}
          times={times}
          name={name}
          title={`${name.slice(-2).toUpperCase()}, mm/s: share of the lap's time`}
          edges={edges}
          write={(value) => fixed(value)}
        />
      ))}
    </div>
  )
}

export const Diagrams = ({
  view,
  traces,
  laps,
  times,
  dictionary
}: {
  view: CompareView
  traces: ReadonlyArray<Trace>
  laps: ReadonlyArray<ChosenLap>
  times: ReadonlyArray<Float64Array> | undefined
  dictionary: ReadonlyMap<string, Channel>
}) => {
  const { diagram } = view
  const names = lapNames(laps)
  const lacks = channelsOfDiagram(diagram).filter((name) => !dictionary.has(name))
  return (
    <section class={`panel stack${diagram === undefined ? " on-screen" : ""}`}>
      <div class="panel-head">
        <h2>Diagrams</h2>
        <span class="form">
          {DIAGRAMS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === diagram}
              onClick={() => go(withQuery({ diagram: name === diagram ? undefined : name }))}
            >
              {titles[name]}
            </button>
          ))}
        </span>
      </div>
      {diagram !== undefined && (
        <>
          <p class="small">
            {laps.map(({ lap }, k) => (
              <span key={lap.id} class="legend">
                <LapSwatch index={k} />
                {capital(names[k]!)}{" "}
              </span>
            ))}
          </p>
          {lacks.length > 0 ? (
            <p class="muted">These laps' sessions lack {lacks.join(", ").replaceAll("_", " ")}.</p>
          ) : (
            <Shown diagram={diagram} traces={traces} times={times} />
          )}
        </>
      )}
    </section>
  )
}
