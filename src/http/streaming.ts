import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Stream } from "effect"

interface TextResponse {
  readonly contentType: string
  /** Offered as a download under this name. */
  readonly fileName?: string
}

/**
 * Text as it is made. A stream that fails midway tears the connection down, so that what was sent can't be
 * taken for the whole: the platform by itself would end it like a complete answer.
 */
export const textResponse = <E>(text: Stream.Stream<string, E>, { contentType, fileName }: TextResponse) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    HttpServerResponse.stream(
      text.pipe(
        Stream.encodeText,
        Stream.tapErrorCause((cause) =>
          Effect.zipRight(
            Effect.logError("An answer broke off", cause),
            Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())
          )
        )
      ),
      {
        contentType,
        headers: fileName === undefined ? {} : { "content-disposition": `attachment; filename="${fileName}"` }
      }
    )
  )
