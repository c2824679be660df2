/** Consistency of the laps at pace: in time, and in the line across the road. One lap has none. */
import { fixed, percent } from "../../format.ts"
import type { SessionConsistency } from "../../types.ts"

export const Consistency = ({ consistency: { line, times } }: { consistency: SessionConsistency }) => (
  <>
    {times.laps > 1 && (
      <div title="Robust deviation of the laps within 107 % of the best, which one bad lap does not move">
        <dt>Spread of {times.laps} laps at pace</dt>
        <dd>
          {fixed(times.robust_deviation, 2)} s <span class="muted small">{percent(times.relative, 2)}</span>
        </dd>
      </div>
    )}
    {line && (
      <div
        title={`Of ${line.laps} laps; widest ${fixed(line.widest.spread, 1)} m at ${fixed(line.widest.distance)} m`}
      >
        <dt>Spread of the line</dt>
        <dd>
          {fixed(line.median, 2)} m{" "}
          <span class="muted small">
            up to {fixed(line.widest.spread, 1)} m at {fixed(line.widest.distance)} m
          </span>
        </dd>
      </div>
    )}
  </>
)

/** Keeps the room of the figures until they are computed. */
export const ConsistencyToCome = () => (
  <>
    {["Spread of laps at pace", "Spread of the line"].map((title) => (
      <div key={title}>
        <dt>{title}</dt>
        <dd class="muted">…</dd>
      </div>
    ))}
  </>
)
