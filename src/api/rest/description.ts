/** `/openapi.json`: the description of the API, with what this service demands of its clients. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import { Effect } from "effect"
import { Access } from "../Access.ts"
import { BasePath } from "../guard/BasePath.ts"
import { Api } from "./Api.ts"
import { restricted } from "./openApi.ts"
import type { Json } from "./openApiSchemas.ts"

export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const base = yield* BasePath
    const described = restricted(OpenApi.fromApi(Api) as unknown as Json, yield* Access)
    const description = base === "/" ? described : { ...described, servers: [{ url: base.slice(0, -1) }] }
    const response = yield* Effect.orDie(HttpServerResponse.json(description))
    yield* router.get("/openapi.json", Effect.succeed(response))
  })
)
