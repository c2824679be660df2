import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { Middleware } from "../App.ts"
import { detail } from "../detail.ts"
import { withRequest } from "../withRequest.ts"

/** RFC 9112, 3.2: a request of HTTP/1.1 names its host. Node would refuse it too, but not in our form. */
export const requireHost: Middleware = (app) =>
  withRequest((request) =>
    request.headers["host"] === undefined &&
    NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1"
      ? Effect.succeed(detail(400, "The Host header is missing"))
      : app
  )
