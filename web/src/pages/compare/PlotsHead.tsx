/** The heading of the plots: the axis, the cursor's place, and the zoom. */
import type { Signal } from "@preact/signals"
import type { Axis } from "../../draw/axis.ts"
import type { ComparePlots } from "../../draw/ComparePlots.ts"
import { go, withQuery } from "../../router.ts"
import type { Comparison } from "../../types.ts"
import { placeText } from "./Readout.tsx"
import type { CompareView } from "./view.ts"

/** A change of the axis resets the zoom. */
const goOver = (to: string | undefined) =>
  go(withQuery({ over: to, from: undefined, to: undefined, cursor: undefined, at: undefined }))

export const PlotsHead = ({
  plots,
  comparison,
  over,
  timed,
  axis,
  step
}: {
  plots: () => ComparePlots | undefined
  comparison: Comparison
  over: CompareView["over"]
  timed: boolean
  axis: Axis
  step: Signal<number | undefined>
}) => {
  const at = step.value
  return (
    <div class="panel-head">
      <h2>Over {over}</h2>
      <span class="muted small">
        {at === undefined ? (
          <>
            <span class="on-screen">Drag or wheel to zoom; </span>aligned by {comparison.method}
          </>
        ) : (
          placeText(axis, at)
        )}
      </span>
      <span class="form">
        {timed && (
          <button type="button" onClick={() => goOver(over === "time" ? undefined : "time")}>
            Over {over === "time" ? "distance" : "time"}
          </button>
        )}
        <button type="button" class="icon" aria-label="Zoom in" onClick={() => plots()?.zoomBy(1)}>
          +
        </button>
        <button type="button" class="icon" aria-label="Zoom out" onClick={() => plots()?.zoomBy(-1)}>
          −
        </button>
        <button type="button" onClick={() => plots()?.whole()}>
          Whole lap
        </button>
      </span>
    </div>
  )
}
