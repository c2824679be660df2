import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Chunk, Effect, FiberRef, Option, Stream } from "effect"

interface TextResponse {
  readonly contentType: string
  /** Offered as a download under this name. */
  readonly fileName?: string
}

/** The same stream, when its first piece is there: what fails before that can still be said by the status. */
const begun = Effect.fnUntraced(function* <E>(text: Stream.Stream<Uint8Array, E>) {
  const pull = yield* Stream.toPull(text)
  let first: Chunk.Chunk<Uint8Array> | undefined = yield* Effect.catchAll(
    pull,
    Option.match({ onNone: () => Effect.succeed(Chunk.empty<Uint8Array>()), onSome: Effect.fail })
  )
  const next = Effect.suspend(() => {
    if (first === undefined) return pull
    const piece = Effect.succeed(first)
    // Kept until the answer's end, its bytes would be collected with the whole heap only.
    first = undefined
    return piece
  })
  return Stream.repeatEffectChunkOption(next)
})

/**
 * Text in UTF-8, as it is made. A stream that fails midway tears the connection down, so that what was sent can't be
 * taken for the whole: the platform by itself would end it like a complete answer.
 */
export const streamedResponse = Effect.fnUntraced(function* <E>(
  text: Stream.Stream<Uint8Array, E>,
  { contentType, fileName }: TextResponse
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  // The stream runs when the route has ended; its log lines are the request's all the same.
  const annotations = yield* Effect.logAnnotations
  const body = text.pipe(
    Stream.tapErrorCause((cause) =>
      Effect.logError("An answer broke off", cause).pipe(
        Effect.locally(FiberRef.currentLogAnnotations, annotations),
        Effect.zipRight(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy()))
      )
    )
  )
  return HttpServerResponse.stream(body, {
    contentType,
    headers: fileName === undefined ? {} : { "content-disposition": `attachment; filename="${fileName}"` }
  })
})

/** The same, but fails as the stream does when that fails before its first piece. */
export const textResponse = Effect.fnUntraced(function* <E>(
  text: Stream.Stream<Uint8Array, E>,
  like: TextResponse
) {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  // A HEAD has no body: nothing is read for it.
  return yield* streamedResponse(method === "HEAD" ? text : yield* begun(text), like)
})
