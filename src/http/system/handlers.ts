import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, ParseResult, Schema } from "effect"
import { Api } from "../Api.ts"
import { RETRY_LATER } from "../problems.ts"
import * as Answers from "./answers.ts"
import { DisconnectRequest } from "./api.ts"

const decodeTarget = Schema.decodeUnknown(DisconnectRequest)

export const layer = HttpApiBuilder.group(Api, "system", (handlers) =>
  handlers
    .handle("health", () =>
      Effect.map(Answers.health, (health) =>
        HttpServerResponse.unsafeJson(
          health,
          health.status === "healthy" ? {} : { status: 503, headers: RETRY_LATER }
        )
      )
    )
    .handle("status", () => Answers.status)
    .handle("connect", ({ payload }) => Answers.connect(payload))
    .handleRaw("disconnect", ({ request }) =>
      Effect.gen(function* () {
        const body = yield* Effect.orDie(request.text)
        const target =
          body.trim() === ""
            ? undefined
            : yield* Effect.mapError(
                Effect.flatMap(Effect.orDie(request.json), decodeTarget),
                (error) =>
                  new HttpApiError.HttpApiDecodeError({
                    issues: ParseResult.ArrayFormatter.formatErrorSync(error),
                    message: error.message
                  })
              )
        return yield* Answers.disconnect(target)
      })
    )
)
