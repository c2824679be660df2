/**
 * The whole REST interface: its groups, the errors common to all of them, its OpenAPI description, and its handlers.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as OpenApi from "@effect/platform/OpenApi"
import { Context, Effect, Layer } from "effect"
import { ChannelsDamaged, PointsDamaged, StoreUnavailable } from "../../domain/errors.ts"
import { version } from "../../platform/version.ts"
import { publish } from "./openApi.ts"
import { errorSchema } from "../problems.ts"
import { groupOf, type Needs, type Route, type Routes } from "./route.ts"
import { allRoutes } from "./routes/index.ts"
import { withRequest } from "../withRequest.ts"

const PREFIX = "/api/v1"

type Group = HttpApiGroup.HttpApiGroup<string>

export const Api = allRoutes
  .reduce<HttpApi.HttpApi<string, Group, HttpApiDecodeError>>(
    (api, routes) => api.add(groupOf(routes) as Group),
    HttpApi.make("telemetry-session-service")
  )
  .addError(errorSchema(StoreUnavailable))
  .addError(errorSchema(PointsDamaged))
  .addError(errorSchema(ChannelsDamaged))
  .prefix(PREFIX)
  .annotateContext(
    OpenApi.annotations({
      title: "Telemetry Session Service",
      version,
      description:
        "Sessions, laps and telemetry of racing simulators. Times are seconds since the Unix epoch, UTC; speeds are in km/h, positions in metres. Every error is an object {detail}. The service compresses answers with gzip or br if Accept-Encoding allows it.",
      transform: publish
    })
  )

type Handlers = HttpApiBuilder.Handlers<never, never, Needs, never>

/** HttpApi checks by types that each route has a handler; here each route already comes with its handler (route.ts). */
const handlersOf = ({ group, routes }: Routes) =>
  HttpApiBuilder.group(
    Api,
    group,
    (handlers) =>
      Object.entries(routes).reduce(
        (handled, [name, { handler, raw, takesIds }]) =>
          takesIds
            ? handled
            : raw
              ? (handled.handleRaw(name as never, handler as never) as never)
              : (handled.handle(name as never, handler as never) as never),
        handlers
      ) as unknown as Handlers
  )

/** A route for the platform's router, whose type for services differs from ours. */
const byIdsOf = (name: string, { endpoint, handler }: Route): HttpRouter.Route<never, never> => {
  const { method, path } = endpoint(name) as unknown as {
    readonly method: HttpMethod.HttpMethod
    readonly path: HttpRouter.PathInput
  }
  const answer = withRequest((request, fiber) => {
    const { params } = Context.unsafeGet(fiber.currentContext, HttpRouter.RouteContext)
    return handler({ path: params as Record<string, string>, urlParams: {}, payload: undefined, request })
  })
  return HttpRouter.makeRoute(method, `${PREFIX}${path}`, answer as never)
}

/**
 * Serves routes that take only ids, or nothing, without HttpApi's work for each request: schemas of all its parts, and
 * putting the services into its context once more. The server's context has the services already: what this layer gets,
 * the server gets.
 */
const byIds = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    yield* Effect.context<Needs>()
    for (const { routes } of allRoutes) {
      for (const [name, route] of Object.entries(routes)) {
        if (route.takesIds) yield* router.addRoute(byIdsOf(name, route))
      }
    }
  })
)

const [first, ...others] = allRoutes

/** The handlers of all routes. */
export const layer = HttpApiBuilder.api(Api).pipe(
  Layer.provide(Layer.mergeAll(handlersOf(first), ...others.map(handlersOf))),
  Layer.merge(byIds)
)
