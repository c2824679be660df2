import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Option, ParseResult, Schema } from "effect"
import { Name } from "../../domain/Configuration.ts"
import { Session } from "../../domain/Session.ts"
import { formatDateTime, parseDateTime } from "../../domain/Time.ts"
import { withLocation } from "../openApi.ts"
import { QueryInt, QueryText, SessionPath } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { abridged } from "../../domain/expecting.ts"

/** An ISO 8601 date-time as epoch seconds; an offset is accepted and converted to UTC. */
const DateTime = Schema.transformOrFail(Schema.String, Schema.Number, {
  strict: true,
  decode: (text, _options, ast) =>
    Option.match(parseDateTime(text), {
      onNone: () =>
        ParseResult.fail(
          new ParseResult.Type(
            ast,
            text,
            `must be an ISO 8601 date-time, got ${abridged(JSON.stringify(text))}`
          )
        ),
      onSome: ParseResult.succeed
    }),
  encode: (seconds) => ParseResult.succeed(formatDateTime(seconds))
}).annotations({ jsonSchema: { type: "string", format: "date-time" } })

export const NewSession = Schema.Struct({
  circuit: Name,
  vehicle: Name,
  driver: Name,
  datetime: Schema.optional(DateTime).annotations({ description: "Now, where it is left out" })
}).annotations({ identifier: "NewSession" })

/** What of a session a user may change. */
export const SessionChange = Schema.Struct({ pinned: Schema.Boolean }).annotations({
  identifier: "SessionChange"
})

export const SessionList = Schema.Struct({
  total: Schema.Int.annotations({ description: "All sessions that match" }),
  items: Schema.Array(Session),
  page: Schema.Int.annotations({ description: "Counted from 0" }),
  page_size: Schema.Int
}).annotations({ identifier: "SessionList" })

export const Deleted = Schema.Struct({
  id: Schema.Int,
  deleted: Schema.Literal(true),
  message: Schema.String
}).annotations({ identifier: "DeletedSession" })

/** Sessions in one answer: at most, and where nobody says. */
export const Page = { most: 1000, usual: 50 }

const Filter = (name: string) =>
  Schema.optionalWith(QueryText(`Only sessions of this ${name}, ignoring case`), {
    exact: true
  })

export const Sessions = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions")
      .annotate(OpenApi.Summary, "List sessions")
      .setUrlParams(
        Schema.Struct({
          circuit: Filter("circuit"),
          vehicle: Filter("vehicle"),
          driver: Filter("driver"),
          limit: Schema.optionalWith(
            QueryInt(1, Page.most, { description: "Most sessions in the answer", default: Page.usual }),
            { default: () => Page.usual, exact: true }
          ),
          offset: Schema.optionalWith(
            QueryInt(0, Number.MAX_SAFE_INTEGER, {
              description: "Sessions left out before them",
              default: 0
            }),
            { default: () => 0, exact: true }
          )
        })
      )
      .addSuccess(SessionList)
      .annotate(OpenApi.Description, "Newest first. The filters match whole names, ignoring case.")
  )
  .add(
    HttpApiEndpoint.get("read", "/sessions/:session_id")
      .annotate(OpenApi.Summary, "Read a session")
      .setPath(SessionPath)
      .addSuccess(Session)
      .addError(Problems.SessionNotFound)
      .annotate(OpenApi.Description, "One session.")
  )
  .add(
    HttpApiEndpoint.post("create", "/sessions")
      .annotate(OpenApi.Summary, "Create a session")
      .setPayload(NewSession)
      .addSuccess(
        Session.annotations(
          HttpApiSchema.annotations({
            status: 201,
            identifier: "Session",
            description: "The created session"
          })
        )
      )
      .annotate(OpenApi.Description, "A session that no simulator drives; a connection may record into it.")
      .annotate(OpenApi.Transform, withLocation)
  )
  .add(
    HttpApiEndpoint.put("update", "/sessions/:session_id")
      .annotate(OpenApi.Summary, "Pin a session")
      .setPath(SessionPath)
      .setPayload(SessionChange)
      .addSuccess(Session)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        "A pinned session is never removed to make room (--keep, --keep-size). Who asks for its deletion is asked nothing more. Also of a session that is being recorded."
      )
  )
  .add(
    HttpApiEndpoint.del("delete", "/sessions/:session_id")
      .annotate(OpenApi.Summary, "Delete a session")
      .setPath(SessionPath)
      .addSuccess(Deleted)
      .addError(Problems.SessionNotFound)
      .addError(Problems.SessionBeingRecorded)
      .annotate(OpenApi.Description, "Deletes the session, its laps and its points, for every read at once.")
  )
