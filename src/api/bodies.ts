/**
 * Request bodies. A body is read completely when its route asks for it, up to a limit, and is parsed as JSON whatever
 * its content type: `curl -d` declares a form. The answer to a real form is that it is not JSON.
 *
 * Effect's own reading closes the connection when a body is too large, so that the client never learns why.
 */
import type { IncomingMessage } from "node:http"
import * as HttpMethod from "@effect/platform/HttpMethod"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { BodyNotJson, BodyNotUtf8, BodyTooLarge } from "../operations/requestText.ts"
import type { Middleware } from "./App.ts"
import { discardRest, isUpload } from "./uploads.ts"
import { withRequest } from "./withRequest.ts"

/** Contract, section 2. */
export const MAX_BODY_BYTES = 1_048_576

const tooLarge = new BodyTooLarge({ limit: MAX_BODY_BYTES })

/** How much of a body that the route does not take, or that is too large, is read and discarded before the answer. */
const READ_ON_BYTES = 64 * 1_048_576

const readBytes = (incoming: IncomingMessage): Effect.Effect<Buffer, BodyTooLarge | BodyNotJson> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const end = (answer: Effect.Effect<Buffer, BodyTooLarge | BodyNotJson>) => {
      incoming.off("data", take).off("end", whole).off("error", broken).off("close", broken)
      resume(answer)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > MAX_BODY_BYTES) end(tooLarge)
    }
    const whole = () => end(Effect.succeed(Buffer.concat(chunks)))
    const broken = () => end(new BodyNotJson())
    incoming.on("data", take).once("end", whole).once("error", broken).once("close", broken)
    return Effect.sync(() => end(Effect.never))
  })

/**
 * Reads and discards the rest of a body. Without this, a client can lose an answer that comes before the request has
 * ended and closes the connection: the system resets a connection that is closed with bytes unread, and the reset
 * discards bytes that the client has not read yet. A client that sends more than `READ_ON_BYTES` gets its answer while
 * it still sends, and must read it meanwhile.
 */
const readOn = (incoming: IncomingMessage): Effect.Effect<void> =>
  Effect.async((resume) => {
    let size = 0
    const end = () => {
      incoming.off("data", take).off("end", end).off("error", end).off("close", end)
      incoming.resume()
      resume(Effect.void)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > READ_ON_BYTES) end()
    }
    incoming.on("data", take).once("end", end).once("error", end).once("close", end)
    return Effect.sync(end)
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decode = (bytes: Buffer) =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => new BodyNotUtf8() })

/** The text of a request's body. */
export const bodyText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(readBytes(NodeHttpServerRequest.toIncomingMessage(request)), decode)

/**
 * Refuses a body that is announced as too large. Reads the rest of any other body that the route has not read; that of a file
 * (uploads.ts) while the answer is already on its way.
 */
export const limitBodies: Middleware = (app) =>
  withRequest((request) => {
    if (!HttpMethod.hasBody(request.method)) return app
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    if (isUpload(request)) {
      return Effect.tap(Effect.exit(app), () => Effect.sync(() => discardRest(incoming))).pipe(Effect.flatten)
    }
    const isTooLarge = Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES
    return Effect.flatMap(Effect.exit(isTooLarge ? tooLarge : app), (answer) =>
      incoming.complete || incoming.destroyed ? answer : Effect.zipRight(readOn(incoming), answer)
    )
  })
