import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import { sessionId } from "../parameters.ts"
import * as Answers from "./answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    return handlers
      .handle("list", ({ urlParams }) => Answers.list(urlParams))
      .handle("read", ({ path }) => Effect.flatMap(sessionId(path.session_id), catalog.session))
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const session = yield* Answers.create(payload)
          return HttpServerResponse.unsafeJson(session, {
            status: 201,
            headers: { location: `/api/v1/sessions/${session.id}` }
          })
        })
      )
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(sessionId(path.session_id), (id) => Answers.update(id, payload))
      )
      .handle("delete", ({ path }) => Effect.flatMap(sessionId(path.session_id), (id) => Answers.remove(id)))
  })
)
