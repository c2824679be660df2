/** ILP over HTTP. The server has stored a batch once it has answered 204, and not before. */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Data, Duration, Effect } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { type QuestdbAddress, questdbUrl } from "../../platform/addresses/questdb.ts"
import { unavailable, whileAlive } from "./hanging.ts"

/** A healthy server answers within a second; one that is swapping or starting may take longer. */
const ANSWER_WITHIN = Duration.seconds(30)
const NO_CONTENT = 204
const BAD_REQUEST = 400
const UNAUTHORIZED = 401
const FORBIDDEN = 403
/**
 * A server that has lost its tables answers 400 with this text. The rows are not bad, and the tables can be made again.
 */
const NO_TABLE = "table does not exist"

/** The server refused all rows of a request because of some of them. */
export class RowsRefused extends Data.TaggedError("RowsRefused")<{ readonly reason: string }> {}

export interface Sender {
  /** Sends rows as ILP. When it returns they are durable, as far as the server's commit mode goes. */
  readonly send: (rows: Uint8Array) => Effect.Effect<void, RowsRefused | StoreUnavailable>
}

export const make = Effect.fn("Sender.make")(function* (address: QuestdbAddress) {
  const client = HttpClient.withTracerPropagation(yield* HttpClient.HttpClient, false)
  const url = questdbUrl(address, "/write?precision=n")
  const sender: Sender = {
    send: Effect.fn("Sender.send")(function* (rows) {
      // A server without `http.user` ignores the user.
      const request = HttpClientRequest.post(url, { body: HttpBody.uint8Array(rows, "text/plain") }).pipe(
        HttpClientRequest.basicAuth(address.user, address.password)
      )
      const { status, text } = yield* client.execute(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(response.text, (text) => ({ status: response.status, text }))
        ),
        Effect.mapError(unavailable),
        whileAlive(address, ANSWER_WITHIN)
      )
      if (status === NO_CONTENT) return
      const reason = text.slice(0, 500)
      if (status === BAD_REQUEST && !text.includes(NO_TABLE)) return yield* new RowsRefused({ reason })
      const advice =
        status === UNAUTHORIZED || status === FORBIDDEN
          ? "; the address names its http.user: questdb://USER:PASSWORD@HOST:PORT"
          : ""
      return yield* unavailable(new Error(`QuestDB answers ${status} to a write: ${reason.trim()}${advice}`))
    })
  }
  return sender
})
