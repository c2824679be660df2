import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Studies } from "../../archive/Studies.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"
import { tracedJson, untraced } from "./answers.ts"

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
