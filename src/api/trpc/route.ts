/**
 * `/trpc`: hands requests of the platform's router to tRPC, and its answers back.
 *
 * Guarantees. A call's Effects belong to its request (log annotations, interruption). However a request ends, its
 * signal is aborted, so that no subscription outlives its client. When the service ends, it ends subscriptions
 * immediately, and their clients connect again; other calls may finish, as REST's do.
 *
 * Hard cases. The server reads bodies for tRPC as it does for REST, so the same limit applies, and a wrong body gives
 * an error in tRPC's form. An answer that breaks off midway destroys the connection, as REST's do. tRPC answers a HEAD
 * with 204 whatever the path: here it is a GET without its body, as everywhere else.
 */
import * as HttpMethod from "@effect/platform/HttpMethod"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Exit, Runtime, Stream } from "effect"
import { resolveResponse } from "@trpc/server/http"
import { TooManySubscriptions } from "../../domain/errors.ts"
import { bodyText } from "../bodies.ts"
import { readJson } from "../../operations/requestText.ts"
import type { ServerRoute } from "../routing.ts"
import { room } from "../OpenAnswers.ts"
import { streamedResponse } from "../streaming.ts"
import { contextOf } from "./CallContext.ts"
import { errorOf, isDefect } from "./errors.ts"
import { eventsOf } from "./events.ts"
import { EventStream } from "./EventStream.ts"
import { MAX_BATCH } from "./limits.ts"
import { MaxSubscriptions } from "./MaxSubscriptions.ts"
import { appRouter } from "./router.ts"
import type { TrpcServices } from "./Services.ts"
import { Marks } from "./streamed.ts"

const PREFIX = "/trpc/"

/** The request headers that tRPC reads. */
const PASSED_ON = ["accept", "content-type", "last-event-id", "trpc-accept"]

/** tRPC's routers ignore the host. */
const urlOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URL(`http://localhost${url}`)

/** The request's body, if it has one. It must be JSON, no deeper than REST allows. */
const readBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const body = HttpMethod.hasBody(request.method) ? yield* bodyText(request) : undefined
  const input = body ?? urlOf(request).searchParams.get("input") ?? ""
  if (input !== "") yield* readJson(input)
  return body
})

const toWebRequest = (
  request: HttpServerRequest.HttpServerRequest,
  body: string | undefined,
  signal: AbortSignal
) => {
  const { method } = request
  const headers: Readonly<Record<string, string | undefined>> = {
    ...request.headers,
    // `curl -d` declares a form.
    ...(HttpMethod.hasBody(method) ? { "content-type": "application/json" } : {})
  }
  return new Request(urlOf(request), {
    method: method === "HEAD" ? "GET" : method,
    headers: PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ...(body === undefined ? {} : { body }),
    signal
  })
}

const bytesOf = (response: Response) =>
  Stream.fromReadableStream(
    () => response.body!,
    (cause) => cause
  )

const EVENTS = "text/event-stream"

const isSubscription = ({ headers }: Response) => headers.get("content-type") === EVENTS

/** Turns tRPC's answer into the platform's, and its marks into texts, which are written while they are sent. */
const toResponse = Effect.fnUntraced(function* (response: Response, marks: Marks, stream: EventStream) {
  const { status } = response
  const {
    "content-type": contentType,
    "transfer-encoding": encoding,
    ...headers
  } = Object.fromEntries(response.headers)
  const type = { contentType: contentType ?? "application/json" }
  if (isSubscription(response)) {
    return HttpServerResponse.raw(eventsOf(response.body!, stream), { status, headers, ...type })
  }
  // The request's calls are answered one by one, each as soon as its answer is ready: one line, and one piece, for each
  // call.
  const inPieces = encoding === "chunked"
  const text = inPieces ? "" : yield* Effect.promise(() => response.text())
  if (!inPieces && !marks.used) return HttpServerResponse.text(text, { status, headers, ...type })
  // With pieces, earlier answers have already been sent, so a text can no longer be refused by a status: it waits, or
  // breaks off.
  if (!inPieces) yield* room
  const pieces = inPieces ? Stream.decodeText(bytesOf(response)) : Stream.make(text)
  const filled = Stream.flatMap(pieces, (piece) =>
    marks.fill(piece, (text) => (inPieces ? Stream.unwrapScoped(Effect.as(room, text)) : text))
  )
  const written = yield* streamedResponse(filled, type)
  return written.pipe(HttpServerResponse.setStatus(status), HttpServerResponse.setHeaders(headers))
})

/** Below this path are subscriptions only. */
const SUBSCRIPTIONS = `${PREFIX}live.`

/** `subscriptions` holds those that are open or being opened. */
const serve = (subscriptions: Set<AbortController>, limit: number) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const runtime = yield* Effect.runtime<TrpcServices>()
    const ending = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (ending) =>
        Effect.sync(() => {
          subscriptions.delete(ending)
          ending.abort()
        })
    )
    if (request.url.startsWith(SUBSCRIPTIONS)) {
      // This refuses by an HTTP status. tRPC would report the error as an event of an open stream.
      if (subscriptions.size >= limit) return yield* new TooManySubscriptions({ limit })
      subscriptions.add(ending)
    }
    const body = yield* Effect.exit(readBody(request))
    const error = Exit.isSuccess(body) ? null : yield* errorOf(body.cause)
    const marks = new Marks()
    const stream = new EventStream(NodeHttpServerRequest.toServerResponse(request))
    const response = yield* Effect.promise(() =>
      resolveResponse({
        router: appRouter,
        maxBatchSize: MAX_BATCH,
        req: toWebRequest(request, Exit.isSuccess(body) ? body.value : undefined, ending.signal),
        path: request.url.slice(PREFIX.length).split("?")[0]!,
        error,
        createContext: async () => contextOf(runtime, marks, stream),
        onError: ({ error }) => {
          if (isDefect(error))
            Runtime.runFork(runtime)(Effect.logError("A request failed", error.cause ?? error))
        }
      })
    )
    const { refusal } = stream
    if (refusal !== undefined) {
      yield* Effect.promise(async () => response.body?.cancel())
      return yield* refusal
    }
    if (request.method !== "HEAD") return yield* toResponse(response, marks, stream)
    yield* Effect.promise(async () => response.body?.cancel())
    return HttpServerResponse.empty({
      status: response.status,
      headers: Object.fromEntries(response.headers)
    })
  })

/** The routes of `/trpc`; the end of their scope ends the subscriptions. */
export const routes = Effect.gen(function* () {
  const subscriptions = new Set<AbortController>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const ending of subscriptions) ending.abort()
    })
  )
  const served = serve(subscriptions, yield* MaxSubscriptions)
  return (["GET", "POST"] as const).map((method): ServerRoute => ({
    method,
    path: `${PREFIX}*`,
    handler: () => served
  }))
})
