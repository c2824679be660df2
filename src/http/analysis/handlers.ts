import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { Comparison } from "../../analysis/comparison.ts"
import { Studies } from "../../archive/Studies.ts"
import { Lap } from "../../domain/Lap.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"

const encodeLaps = Schema.encodeSync(Schema.Array(Lap))

/** Columns are typed arrays, which JSON knows as objects. */
const plain = (_key: string, value: unknown) => (value instanceof Float64Array ? Array.from(value) : value)

const json = (value: object) =>
  HttpServerResponse.text(JSON.stringify(value, plain), { contentType: "application/json" })

const untraced = ({ traces: _traces, laps, ...comparison }: Comparison) => ({
  ...comparison,
  laps: encodeLaps(laps)
})

export const layer = HttpApiBuilder.group(
  Api,
  "analysis",
  Effect.fnUntraced(function* (handlers) {
    const studies = yield* Studies
    return handlers
      .handle("compare", ({ urlParams }) =>
        Effect.map(studies.compare(urlParams.lap_ids), (comparison) => json(untraced(comparison)))
      )
      .handle("compareTraced", ({ payload }) =>
        Effect.map(studies.compare(payload.lap_ids), (comparison) =>
          json({ ...untraced(comparison), traces: comparison.traces })
        )
      )
      .handle("sectors", ({ path }) => Effect.flatMap(lapId(path.lap_id), studies.sectors))
      .handle("anomalies", ({ path }) => Effect.flatMap(sessionId(path.session_id), studies.anomalies))
      .handle("predictions", ({ path }) =>
        Effect.gen(function* () {
          const id = yield* sessionId(path.session_id)
          return json({ session_id: id, ...(yield* studies.prediction(id)) })
        })
      )
  })
)
