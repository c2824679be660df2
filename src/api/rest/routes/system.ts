import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema } from "effect"
import { explained } from "../../../domain/misfits.ts"
import { BODY } from "../endpoint.ts"
import * as Simulators from "../../../operations/simulators.ts"
import * as System from "../../../operations/system.ts"
import { withOptionalBody } from "../openApi.ts"
import { RETRY_LATER } from "../../problems.ts"
import { get, post, rawRoute, routes } from "../route.ts"

const decodeTarget = Schema.decodeUnknown(explained(Simulators.DisconnectRequest, BODY))

export const system = routes("system", {
  health: get("/health", System.health, {
    summary: "Check whether the service works",
    description:
      "The service is healthy while the catalog and the point store answer within 2 s, nothing received has waited longer than that to be stored, the data folder is writable, and its files are those that the service opened.",
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
    summary: "What is connected, and what became of every point",
    description: "Returns the connections, and how much of what they received is stored."
  }),
  connect: post("/connect", Simulators.connect, {
    summary: "Connect to a simulator",
    description:
      "Connects to a simulator, and answers when the handshake has succeeded or failed. Connecting again with the same settings changes nothing. For a simulator that the service sends to, or opens a connection to, host must neither be nor resolve to a link-local, metadata, multicast, broadcast or unspecified address. For a simulator that sends unasked, host is where the service listens: 0.0.0.0 means every address of this machine. The service tries at most 8 simulators at once; further requests wait for their turn."
  }),
  disconnect: rawRoute(
    "POST",
    "/disconnect",
    {
      summary: "Disconnect from simulators",
      description:
        "Ends one connection, or all of them if the request has no body. It answers when everything received is stored.",
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
