/**
 * Refuses a request whose `Accept` allows none of the types that its route answers with, before anything is done. The
 * types are read from the OpenAPI description, so that what clients read and what they are held to is the same. Errors
 * are JSON for every client. Pages check `Accept` themselves (pages.ts), and so does tRPC.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApp from "@effect/platform/HttpApp"
import { FindMyWay } from "@effect/platform/HttpLayerRouter"
import * as OpenApi from "@effect/platform/OpenApi"
import { Effect } from "effect"
import { NotAcceptable, preferred } from "../accept.ts"
import { Api } from "./Api.ts"
import * as Metrics from "./metrics.ts"
import { typesOf } from "./openApi.ts"
import { routerConfig } from "./routerConfig.ts"
import { withRequest } from "../withRequest.ts"

type Types = readonly [string, ...ReadonlyArray<string>]

const typesByPath = () => {
  const paths = FindMyWay.make<Types>(routerConfig)
  paths.on("GET", "/metrics", [Metrics.CONTENT_TYPE])
  paths.on("GET", "/openapi.json", ["application/json"])
  const description = OpenApi.fromApi(Api)
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path } }) => {
      const [first, ...others] = typesOf(description, method, path)
      // A WebSocket has no content type.
      if (first !== undefined) paths.on(method, path, [first, ...others])
    }
  })
  return paths
}

export const refuseUnacceptable = Effect.sync(() => {
  // Describing the routes takes a twentieth of a start. Most programs accept everything, and the first that does not waits.
  let paths: ReturnType<typeof typesByPath> | undefined
  return (app: HttpApp.Default): HttpApp.Default =>
    withRequest(({ headers, method, url }) => {
      const { accept } = headers
      if (accept === undefined || accept === "*/*") return app
      paths ??= typesByPath()
      const offered = paths.find(method === "HEAD" ? "GET" : method, url.split("?")[0]!)?.handler
      if (offered === undefined || preferred(accept, offered) !== undefined) return app
      return Effect.die(new NotAcceptable({ accept, offered }))
    })
})
