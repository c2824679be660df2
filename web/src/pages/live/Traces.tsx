/** Strips over the last minutes, this lap or the stint, which scroll, or stand still while one looks back. */
import { useMemo } from "preact/hooks"
import type { Strip } from "../../draw/TracePlot.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import type { Column } from "../../live/Ring.ts"
import { speedFrom, speedUnit } from "../../settings.ts"
import { Strips } from "./Strips.tsx"
import { TraceControls } from "./TraceControls.tsx"
import { useTraceView } from "./useTraceView.ts"

/** Heights that fit all strips on a laptop's screen of 900 px, the steering last. */
const strips = (): ReadonlyArray<Strip> => [
  {
    label: `Speed ${speedUnit.value}`,
    height: 92,
    least: 0,
    most: 100,
    from: speedUnit.value === "km/h" ? undefined : speedFrom,
    columns: [{ column: "speed", label: "Speed" }]
  },
  {
    label: "Throttle, brake",
    height: 74,
    range: [0, 1.02],
    columns: [
      { column: "throttle", label: "Throttle", fill: true },
      { column: "brake", label: "Brake", fill: true }
    ]
  },
  { label: "rpm", height: 64, columns: [{ column: "rpm", label: "rpm" }] },
  {
    label: "Gear",
    height: 56,
    least: 0,
    most: 6.5,
    columns: [{ column: "gear", label: "Gear", stepped: true }]
  },
  { label: "Steering", height: 62, range: [-1, 1], columns: [{ column: "steering", label: "Steering" }] }
]

/** The strips of reported channels; a strip of several columns keeps the reported ones. */
const reported = (absent: ReadonlyArray<Column>): ReadonlyArray<Strip> =>
  strips().flatMap((strip) => {
    const columns = strip.columns.filter(({ column }) => !absent.includes(column as Column))
    if (columns.length === strip.columns.length) return [strip]
    return columns.length === 0
      ? []
      : [{ ...strip, columns, label: columns.map(({ label }) => label).join(", ") }]
  })

export const Traces = ({ drive }: { drive: LiveSession }) => {
  const absent = drive.feed.absent.value
  const shown = useMemo(() => reported(absent), [absent, speedUnit.value])
  const view = useTraceView(drive)
  return (
    <>
      <TraceControls view={view} />
      <Strips feed={drive.feed} ring={view.ring} strips={shown} span={view.span} />
    </>
  )
}
