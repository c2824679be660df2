import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Clock, Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import { sessionId } from "../parameters.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const archive = yield* Archive
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.map(catalog.sessions(urlParams), ({ total, items }) => ({
          total,
          items,
          page: Math.floor(urlParams.offset / urlParams.limit),
          page_size: urlParams.limit
        }))
      )
      .handle("read", ({ path }) => Effect.flatMap(sessionId(path.session_id), catalog.session))
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const now = (yield* Clock.currentTimeMillis) / 1000
          const session = yield* catalog.createSession(
            { ...payload, datetime: payload.datetime ?? now },
            { recording: false }
          )
          return HttpServerResponse.unsafeJson(session, {
            status: 201,
            headers: { location: `/api/v1/sessions/${session.id}` }
          })
        })
      )
      .handle("delete", ({ path }) =>
        Effect.gen(function* () {
          const id = yield* sessionId(path.session_id)
          yield* archive.deleteSession(id)
          return { id, deleted: true as const, message: `Session ${id}, its laps and its points are deleted` }
        })
      )
  })
)
