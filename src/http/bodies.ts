/**
 * Request bodies: read whole when a route asks, within a limit, and taken for JSON whatever they call
 * themselves. `curl -d` says that it sends a form; a form that really is one is told that it is no JSON.
 *
 * Effect's own reading cuts the connection of a body that is too large, so that its sender never learns why.
 */
import type { IncomingMessage } from "node:http"
import * as Headers from "@effect/platform/Headers"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMethod from "@effect/platform/HttpMethod"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { BodyNotJson, BodyTooLarge, readJson } from "../operations/requestText.ts"
import { withRequest } from "./withRequest.ts"

/** Contract, section 2. */
export const MAX_BODY_BYTES = 1_048_576

const tooLarge = new BodyTooLarge({ limit: MAX_BODY_BYTES })

/** So much of a body that the route does not take, or that is too large, is read into nothing before it is answered. */
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
 * Reads the rest of a body into nothing. An answer that overtakes its request is lost where the connection closes after
 * it: the system resets a connection that is closed with bytes unread, and a reset takes what its sender had not read yet.
 * A sender of more than `READ_ON_BYTES` is answered in the middle, and has to read while it sends.
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
  Effect.try({ try: () => utf8.decode(bytes), catch: () => new BodyNotJson() })

/** The same request, whose `text` and `json` are read as above. Effect has no other way to replace them. */
const reading = (
  request: HttpServerRequest.HttpServerRequest,
  text: Effect.Effect<string>
): HttpServerRequest.HttpServerRequest =>
  Object.create(request, {
    text: { value: text },
    // HttpApi takes the failure for a defect as well; it is answered for what it is (operations/problems.ts).
    json: { value: text.pipe(Effect.flatMap(readJson), Effect.orDie) },
    modify: {
      value: (changes: Parameters<typeof request.modify>[0]) => reading(request.modify(changes), text)
    }
  }) as HttpServerRequest.HttpServerRequest

const answered = (
  incoming: IncomingMessage,
  request: HttpServerRequest.HttpServerRequest,
  app: HttpApp.Default
): HttpApp.Default =>
  Effect.gen(function* () {
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return yield* Effect.die(tooLarge)
    const text = yield* Effect.cached(Effect.orDie(Effect.flatMap(readBytes(incoming), decode)))
    const headers = Headers.set(request.headers, "content-type", "application/json")
    return yield* Effect.provideService(
      app,
      HttpServerRequest.HttpServerRequest,
      reading(request.modify({ headers }), text)
    )
  })

const readable = (request: HttpServerRequest.HttpServerRequest, app: HttpApp.Default): HttpApp.Default =>
  Effect.gen(function* () {
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    const answer = yield* Effect.exit(answered(incoming, request, app))
    if (!incoming.complete && !incoming.destroyed) yield* readOn(incoming)
    return yield* answer
  })

export const readBodies = (app: HttpApp.Default): HttpApp.Default =>
  withRequest((request) => (HttpMethod.hasBody(request.method) ? readable(request, app) : app))
