import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Chunk, Effect, FiberRef, Option, Stream } from "effect"

interface TextResponse {
  readonly contentType: string
  /** The name under which a browser saves the answer. */
  readonly fileName?: string
}

/** The same stream, once its first piece is there: the status can still report a failure before that piece. */
const begun = Effect.fnUntraced(function* <E>(text: Stream.Stream<Uint8Array, E>) {
  const pull = yield* Stream.toPull(text)
  let first: Chunk.Chunk<Uint8Array> | undefined = yield* Effect.catchAll(
    pull,
    Option.match({ onNone: () => Effect.succeed(Chunk.empty<Uint8Array>()), onSome: Effect.fail })
  )
  const next = Effect.suspend(() => {
    if (first === undefined) return pull
    const piece = Effect.succeed(first)
    // If it stayed referenced until the answer's end, only a full garbage collection would free its bytes.
    first = undefined
    return piece
  })
  return Stream.repeatEffectChunkOption(next)
})

/**
 * Streams UTF-8 text while it is made. If a stream fails midway, the connection is destroyed, so that the client cannot
 * mistake a part for the whole: the platform would end the answer like a complete one.
 */
export const streamedResponse = Effect.fnUntraced(function* <E>(
  text: Stream.Stream<Uint8Array, E>,
  { contentType, fileName }: TextResponse
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  // The stream runs after the route has ended; its log lines still belong to the request.
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

/** The same, but a stream that fails before its first piece makes this fail with its error. */
export const textResponse = Effect.fnUntraced(function* <E>(
  text: Stream.Stream<Uint8Array, E>,
  like: TextResponse
) {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  // A HEAD request has no body, so nothing is read for it.
  return yield* streamedResponse(method === "HEAD" ? text : yield* begun(text), like)
})
