/** Comparisons as JSON, whichever interface asks. */
import { Effect, Schema, Stream } from "effect"
import type { Comparison, Trace } from "../../analysis/comparison.ts"
import { Lap } from "../../domain/Lap.ts"
import { breathe } from "../../threads/breathe.ts"
import type { LapComparison } from "./schemas.ts"

const encodeLaps = Schema.encodeSync(Schema.Array(Lap))

export const untraced = ({ traces: _traces, laps, ...comparison }: Comparison) =>
  ({ ...comparison, laps: encodeLaps(laps) }) satisfies typeof LapComparison.Encoded

/** Columns are typed arrays, which JSON knows as objects. */
const traceJson = (trace: Trace): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(trace).map(([name, value]: [string, number | Float64Array]) => [
        name,
        typeof value === "number" ? value : Array.from(value)
      ])
    )
  )

/** UTF-8 in pieces, one a lap: some milliseconds, after which others get their turn. */
export const tracedJson = (comparison: Comparison): Stream.Stream<Uint8Array> =>
  Stream.make(`${JSON.stringify(untraced(comparison)).slice(0, -1)},"traces":[`).pipe(
    Stream.concat(
      Stream.mapEffect(Stream.fromIterable(comparison.traces.entries()), ([index, trace]) =>
        Effect.map(breathe, () => (index === 0 ? "" : ",") + traceJson(trace))
      )
    ),
    Stream.concat(Stream.make("]}")),
    Stream.encodeText
  )
