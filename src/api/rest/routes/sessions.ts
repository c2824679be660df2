import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import type { Session } from "../../../domain/Session.ts"
import * as Sessions from "../../../operations/sessions.ts"
import type { Answer } from "../answers.ts"
import { del, get, post, put, routes } from "../route.ts"

const created: Answer<Session> = {
  described: [
    {
      status: 201,
      description: "The created session",
      content: { "application/json": Sessions.create.answer },
      headers: { Location: "The path of the new session" }
    }
  ],
  isStreamed: false,
  respond: (session) =>
    Effect.sync(() =>
      HttpServerResponse.unsafeJson(Sessions.create.encode(session), {
        status: 201,
        headers: { location: `/api/v1/sessions/${session.id}` }
      })
    )
}

export const sessions = routes("sessions", {
  list: get("/sessions", Sessions.list, {
    summary: "List sessions",
    description:
      "Lists sessions, the newest first unless `sort` says otherwise. `circuit`, `vehicle` and `driver` match whole names; `search` matches parts of any of the three. Case is ignored."
  }),
  read: get("/sessions/:session_id", Sessions.read, {
    summary: "Read a session",
    description: "Returns one session."
  }),
  create: post("/sessions", Sessions.create, {
    summary: "Create a session",
    description: "Creates a session without a simulator. A connection can record into it.",
    answer: created
  }),
  update: put("/sessions/:session_id", Sessions.update, {
    payload: Sessions.SessionChange,
    summary: "Pin or unpin a session",
    description:
      "The service never removes a pinned session to make room (--keep, --keep-size). DELETE still deletes it. A session that is being recorded can be pinned too."
  }),
  delete: del("/sessions/:session_id", Sessions.remove, {
    summary: "Delete a session",
    description: "Deletes the session with its laps and points. No read returns any of them from then on."
  })
})
