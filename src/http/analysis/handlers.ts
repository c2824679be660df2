import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Schema, Stream } from "effect"
import type { Comparison, Trace } from "../../analysis/comparison.ts"
import { Studies } from "../../archive/Studies.ts"
import { Lap } from "../../domain/Lap.ts"
import { breathe } from "../../threads/breathe.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"
import type { LapComparison } from "./schemas.ts"

const encodeLaps = Schema.encodeSync(Schema.Array(Lap))

const untraced = ({ traces: _traces, laps, ...comparison }: Comparison) =>
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

/** In pieces, one a lap: some milliseconds, after which others get their turn. */
export const tracedJson = (comparison: Comparison): Stream.Stream<string> =>
  Stream.make(`${JSON.stringify(untraced(comparison)).slice(0, -1)},"traces":[`).pipe(
    Stream.concat(
      Stream.mapEffect(Stream.fromIterable(comparison.traces.entries()), ([index, trace]) =>
        Effect.map(breathe, () => (index === 0 ? "" : ",") + traceJson(trace))
      )
    ),
    Stream.concat(Stream.make("]}"))
  )

/** What is told of a session, with whose it is. */
const ofSession = <A extends object, E>(path: string, study: (id: number) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const session_id = yield* sessionId(path)
    return { session_id, ...(yield* study(session_id)) }
  })

export const layer = HttpApiBuilder.group(
  Api,
  "analysis",
  Effect.fnUntraced(function* (handlers) {
    const studies = yield* Studies
    return handlers
      .handle("compare", ({ urlParams }) =>
        Effect.map(studies.compare(urlParams.lap_ids), (comparison) =>
          HttpServerResponse.unsafeJson(untraced(comparison))
        )
      )
      .handle("compareTraced", ({ payload }) =>
        Effect.flatMap(studies.compare(payload.lap_ids), (comparison) =>
          textResponse(tracedJson(comparison), { contentType: "application/json" })
        )
      )
      .handle("sectors", ({ path }) => Effect.flatMap(lapId(path.lap_id), studies.sectors))
      .handle("anomalies", ({ path }) => Effect.flatMap(sessionId(path.session_id), studies.anomalies))
      .handle("microSectors", ({ path }) => ofSession(path.session_id, studies.microSectors))
      .handle("consistency", ({ path }) => ofSession(path.session_id, studies.consistency))
      .handle("predictions", ({ path }) => ofSession(path.session_id, studies.prediction))
  })
)
