import { HttpApiBuilder, HttpApiError, HttpServerResponse } from "@effect/platform"
import { Effect, ParseResult, Schema } from "effect"
import { Simulators } from "../../simulators/Simulators.ts"
import { Catalog } from "../../store/Catalog.ts"
import { PointStore } from "../../store/PointStore.ts"
import { Api } from "../Api.ts"
import { RETRY_LATER } from "../problems.ts"
import * as Answers from "./answers.ts"
import { DisconnectRequest } from "./api.ts"

const decodeTarget = Schema.decodeUnknown(DisconnectRequest)

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const context = yield* Effect.context<Catalog | PointStore | Simulators>()
    return handlers
      .handle("health", () =>
        Effect.gen(function* () {
          const health = yield* Effect.provide(Answers.health, context)
          return health.status === "healthy"
            ? health
            : HttpServerResponse.unsafeJson(health, { status: 503, headers: RETRY_LATER })
        })
      )
      .handle("status", () => Effect.provide(Answers.status, context))
      .handle("connect", ({ payload }) => Effect.provide(Answers.connect(payload), context))
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
          return yield* Effect.provide(Answers.disconnect(target), context)
        })
      )
  })
)
