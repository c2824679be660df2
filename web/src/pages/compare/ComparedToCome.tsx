/** Keeps the room of a comparison while it is computed and loaded, so that nothing moves when it arrives. */
import { counted } from "../../format.ts"

/** Heights of the usual plots, px. */
const HEIGHTS = [170, 120, 78, 78, 70, 84]

export const ComparedToCome = ({ laps }: { laps: number }) => (
  <div class="compare to-come">
    <section class="panel">
      <p class="muted" role="status">
        Comparing {counted(laps, "lap")} …
      </p>
      {HEIGHTS.map((height, k) => (
        <i key={k} style={{ height: `${height}px` }} />
      ))}
    </section>
    <section class="panel" aria-hidden="true">
      <i style={{ height: "300px" }} />
    </section>
  </div>
)
