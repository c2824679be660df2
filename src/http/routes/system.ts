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
    summary: "Whether the service works",
    description:
      "Healthy while catalog and points answer within 2 s, nothing that was received has waited for longer than that to be stored, the data folder can be written to, and the files in it are those that were opened.",
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
    description: "What the service is connected to and has recorded."
  }),
  connect: post("/connect", Simulators.connect, {
    summary: "Connect to a simulator",
    description:
      "Connects to a simulator; answers when its handshake has succeeded or failed. Connecting again with the same settings changes nothing. Where the service sends, or opens a connection, host must not be, nor resolve to, a link-local, metadata, multicast, broadcast or unspecified address; a simulator that sends unasked is waited for, and 0.0.0.0 then means every address of this machine. At most 8 simulators are tried at once; others wait for their turn."
  }),
  disconnect: rawRoute(
    "POST",
    "/disconnect",
    {
      summary: "Disconnect from simulators",
      description:
        "Ends one connection, or all without a body. What was received is stored before it answers.",
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
