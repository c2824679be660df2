/** Refuses requests that the access rules do not allow (Access.ts), before anything is read or done. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { Access, EVERYBODY, refusalOf } from "../Access.ts"
import type { Middleware } from "../App.ts"
import { detail } from "../detail.ts"
import { type HttpAnswer, answerTo } from "../problems.ts"
import { tokenOf } from "./takeTokens.ts"
import { withRequest } from "../withRequest.ts"

/** tRPC's clients use this path, and read errors in tRPC's form only. */
const TRPC = "/trpc/"

/** `trpcBody` makes the body that reports a failed request to tRPC's clients. */
export const guard = (trpcBody: (answer: HttpAnswer) => unknown) =>
  Effect.map(Access, (rules): Middleware => (app) => {
    if (rules === EVERYBODY) return app
    return withRequest((request) => {
      const { method, url } = request
      const { authorization, host, origin } = request.headers
      const headers = { authorization, host, origin }
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      const refusal = refusalOf(rules, { method, url, headers, token: tokenOf(incoming) })
      if (refusal === undefined) return app
      const answer = answerTo(refusal)!
      return Effect.succeed(
        url.startsWith(TRPC)
          ? HttpServerResponse.unsafeJson(trpcBody(answer), answer)
          : detail(answer.status, answer.detail, answer.headers)
      )
    })
  })
