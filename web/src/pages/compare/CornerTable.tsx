/** Each corner with the values of each lap, one column or part for each lap. A click on a value goes to its place. */
import { useState } from "preact/hooks"
import { delta, deltaClass, fixed, metres, NOTHING, speed } from "../../format.ts"
import { speedUnit } from "../../settings.ts"
import type { Comparison, Corner } from "../../types.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import { LapSwatch } from "./LapSwatch.tsx"

const SIDES = { left: "↰ left", right: "↱ right" } as const

type Pass = Corner["passes"][number]

interface Metric {
  readonly title: () => string
  /** `reference`: the pass of the reference lap. */
  readonly text: (pass: Pass, reference: Pass | undefined) => string
  readonly class?: (pass: Pass, reference: Pass | undefined) => string
  /** The reference has no value of its own, and no column. */
  readonly isOfOthers?: boolean
  /** Metres from the line; null without a place. */
  readonly at: (pass: Pass, corner: Corner) => number | null
}

/** Null where one of the two was not recorded. */
const lost = (pass: Pass, reference: Pass | undefined) => {
  const from = reference === undefined ? 0 : reference.time_lost
  return pass === reference || pass.time_lost === null || from === null ? null : pass.time_lost - from
}

const place = (value: number | null) => (value === null ? NOTHING : metres(value))

const metrics: Readonly<Record<string, Metric>> = {
  lost: {
    title: () => "Lost, s",
    text: (pass, reference) => delta(lost(pass, reference)),
    isOfOthers: true,
    class: (pass, reference) => deltaClass(lost(pass, reference)),
    at: (_pass, corner) => corner.apex
  },
  time: { title: () => "Time, s", text: (pass) => fixed(pass.time, 3), at: (_pass, corner) => corner.entry },
  braking: {
    title: () => "Brakes at",
    text: (pass) => place(pass.braking_point),
    at: (pass) => pass.braking_point
  },
  entry: {
    title: () => `Entry ${speedUnit.value}`,
    text: (pass) => speed(pass.entry_speed),
    at: (_pass, corner) => corner.entry
  },
  minimum: {
    title: () => `Minimum ${speedUnit.value}`,
    text: (pass) => speed(pass.minimum_speed),
    at: (pass, corner) => pass.minimum_speed_at ?? corner.apex
  },
  exit: {
    title: () => `Exit ${speedUnit.value}`,
    text: (pass) => speed(pass.exit_speed),
    at: (_pass, corner) => corner.exit
  },
  throttle: {
    title: () => "Throttle at",
    text: (pass) => place(pass.throttle_point),
    at: (pass) => pass.throttle_point
  }
}

const ALL = "all"
/** With more laps than these, the table shows one value for each corner until the user asks for more. */
const FEW = 3

const CornerName = ({ corner, show }: { corner: Corner; show: (distance: number) => void }) => (
  <button type="button" class="plain" onClick={() => show(corner.apex)}>
    {corner.label} {corner.direction !== null && SIDES[corner.direction]}
    <br />
    <span class="muted">
      {corner.name !== null && `${corner.name}, `}
      {metres(corner.apex)}
      {corner.radius === null ? ", by speed" : `, radius ${fixed(corner.radius)} m`}
    </span>
  </button>
)

const Value = ({
  isFirst,
  metric,
  corner,
  pass,
  reference,
  show
}: {
  isFirst: boolean
  metric: Metric
  corner: Corner
  pass: Pass | undefined
  reference: Pass | undefined
  show: (distance: number) => void
}) => {
  const part = isFirst ? " part" : ""
  if (pass === undefined) return <td class={`num${part}`}>{NOTHING}</td>
  const at = metric.at(pass, corner)
  const text = metric.text(pass, reference)
  return (
    <td class={`num ${metric.class?.(pass, reference) ?? ""}${part}`}>
      {at === null || text === "" ? (
        text
      ) : (
        <button type="button" class="plain" onClick={() => show(at)}>
          {text}
        </button>
      )}
    </td>
  )
}

export const CornerTable = ({
  comparison,
  laps,
  show
}: {
  comparison: Comparison
  laps: ReadonlyArray<ChosenLap>
  /** `lap`: the lap whose place is meant. */
  show: (distance: number, lap?: number) => void
}) => {
  const isNarrow = matchMedia("(max-width: 640px)").matches
  const [chosen, choose] = useState(laps.length > FEW || isNarrow ? "lost" : ALL)
  if (comparison.corners.length === 0) return null
  const shown = Object.entries(metrics).filter(([name]) => chosen === ALL || name === chosen)
  /** The laps that have a column of a figure. */
  const columnsOf = ({ isOfOthers }: Metric) => [...laps.keys()].slice(isOfOthers === true ? 1 : 0)
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Corners</h2>
        <label class="small muted">
          Show{" "}
          <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            <option value={ALL}>everything</option>
            {Object.entries(metrics).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title()}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="scroll" tabIndex={0}>
        <table class="corners">
          <thead>
            <tr>
              <th class="fixed" rowSpan={2}>
                Corner
              </th>
              {shown.map(([name, metric]) => (
                <th key={name} class="part head" colSpan={columnsOf(metric).length}>
                  {metric.title()}
                </th>
              ))}
            </tr>
            <tr>
              {shown.map(([name, metric]) =>
                columnsOf(metric).map((k, place) => (
                  <th key={`${name} ${laps[k]!.lap.id}`} class={`num${place === 0 ? " part" : ""}`}>
                    <LapSwatch index={k} />
                    {laps[k]!.lap.lap_number}
                  </th>
                ))
              )}
            </tr>
          </thead>
          <tbody>
            {comparison.corners.map((corner) => {
              const passes = laps.map(({ lap }) => corner.passes.find(({ lap_id }) => lap_id === lap.id))
              return (
                <tr key={corner.label}>
                  <th class="fixed" scope="row">
                    <CornerName corner={corner} show={show} />
                  </th>
                  {shown.map(([name, metric]) =>
                    columnsOf(metric).map((k, place) => (
                      <Value
                        key={`${name} ${laps[k]!.lap.id}`}
                        isFirst={place === 0}
                        metric={metric}
                        corner={corner}
                        pass={passes[k]}
                        reference={passes[0]}
                        show={(distance) => show(distance, k)}
                      />
                    ))
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
