import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema } from "effect"
import { explained } from "../../domain/misfits.ts"
import { BODY } from "../endpoint.ts"
import * as Simulators from "../../operations/simulators.ts"
import * as System from "../../operations/system.ts"
import { withOptionalBody } from "../openApi.ts"
import { RETRY_LATER } from "../problems.ts"
import { get, post, rawRoute, routes } from "../route.ts"

const decodeTarget = Schema.decodeUnknown(explained(Simulators.DisconnectRequest, BODY))

export const system = routes("system", {
  health: get("/health", System.health, {
    summary: "Check whether the service works",
    description:
      "The service is healthy while the catalog and the point store answer within 2 s, no received data has waited longer than that to be stored, the data folder is writable, and the files that the service opened are still in it.",
    success: [
      System.Health,
      System.Unhealthy.annotations(HttpApiSchema.annotations({ status: 503, identifier: "Unhealthy" }))
    ],
    respond: (health) =>
      Effect.succeed(
        HttpServerResponse.unsafeJson(
          health,
          health.status === "healthy" ? {} : { status: 503, headers: RETRY_LATER }
        )
      )
  }),
  status: get("/status", System.status, {
    summary: "Read the state of connections and the counts of points",
    description:
      "Lists the connections, with the points that each received, stored, dropped and rejected, and the totals of what the service has recorded."
  }),
  connect: post("/connect", Simulators.connect, {
    summary: "Connect to a simulator",
    description:
      "Connects to a simulator, and answers when the handshake has succeeded or failed. Connecting again with the same settings changes nothing. If the service itself sends to `host` or opens a connection to it, `host` must not be a link-local, metadata, multicast, broadcast or unspecified address, nor a name that resolves to one. If the simulator sends without being asked, the service listens, and the host 0.0.0.0 means every address of this machine. The service tries at most 8 simulators at once; further requests wait for their turn."
  }),
  disconnect: rawRoute(
    "POST",
    "/disconnect",
    {
      summary: "Disconnect from simulators",
      description:
        "Ends one connection, or all connections if the request has no body. Answers when everything received is stored.",
      payload: Simulators.DisconnectRequest,
      success: [Simulators.disconnect.answer],
      errors: [],
      transform: withOptionalBody
    },
    (request) =>
      Effect.gen(function* () {
        const body = yield* Effect.orDie(request.text)
        const target =
          body.trim() === ""
            ? undefined
            : yield* Effect.catchAll(
                Effect.flatMap(Effect.orDie(request.json), decodeTarget),
                HttpApiError.HttpApiDecodeError.refailParseError
              )
        return yield* Simulators.disconnect.run(target)
      })
  )
})
