/**
 * The route of the live WebSocket: checks the request, then serves the connection until it ends.
 *
 * Guarantees: every error is answered before the upgrade, as a domain error. The route's fiber lives as long as the
 * connection; interrupting it (shutdown) closes the connection with 1001 and waits for its end, CLOSE_GRACE_MS at most.
 *
 * Hard cases. When a route ends, Effect writes an answer on the request's response (503 if the route was interrupted).
 * On an upgraded connection those bytes would land within the WebSocket. So the response is detached from the socket
 * and ended before the handshake; Effect leaves an ended response alone. The connection may also have closed while the
 * session was looked up, or carry an earlier, unanswered request (pipelining): then it is destroyed.
 */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Deferred, Effect, Queue } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Hub } from "../../live/hub/Hub.ts"
import { beginReplay, LiveHub, selectChannels } from "../../live/hub/LiveHub.ts"
import type { SubscriptionOptions } from "../../live/hub/Subscriber.ts"
import type { WebSocketSubscriber } from "../../live/transports/WebSocketSubscriber.ts"
import { replay } from "../../live/hub/replay.ts"
import * as Live from "../../operations/live.ts"
import { Sessions } from "../../store/Sessions.ts"
import type { RequestMisfit } from "../problems.ts"
import { checkHandshake, webSockets } from "./handshake.ts"
import { storedChannels } from "./replayedChannels.ts"

/** Takes the connection away from HTTP. Returns false if that is impossible. */
const detach = (request: IncomingMessage, response: () => ServerResponse): boolean => {
  const { socket } = request
  if (socket.destroyed) return false
  try {
    const unused = response()
    unused.detachSocket(socket)
    unused.end()
    return true
  } catch {
    // ERR_HTTP_SOCKET_ASSIGNED: an earlier request of this connection has no answer yet.
    socket.destroy()
    return false
  }
}

/** Ends when the connection has closed. */
const serve = (
  hub: Hub,
  options: SubscriptionOptions,
  request: IncomingMessage,
  head: Buffer,
  response: () => ServerResponse,
  replayAgain: ((since: number) => void) | undefined,
  subscribed: (subscriber: WebSocketSubscriber) => void
): Effect.Effect<void> =>
  Effect.async((resume) => {
    const { socket } = request
    if (!detach(request, response)) return resume(Effect.void)
    let subscriber: WebSocketSubscriber | undefined
    const closed = new Promise<void>((done) => socket.once("close", () => done()))
    void closed.then(() => resume(Effect.void))
    webSockets.handleUpgrade(request, socket, head, (ws) => {
      subscriber = hub.subscribe(ws, socket, options, replayAgain)
      subscribed(subscriber)
    })
    return Effect.promise(() => {
      subscriber?.dismiss()
      return closed
    })
  })

/**
 * The route. `input`: the query's input, which is read after the handshake was checked. The status 101 is only for
 * logs: `ws` has answered already.
 */
export const upgrade = Effect.fnUntraced(function* (
  input: Effect.Effect<typeof Live.telemetry.input.Type, RequestMisfit>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const hub = yield* LiveHub
  const sessions = yield* Sessions
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  const head = yield* checkHandshake(incoming)
  const { channels, ...asked } = yield* Effect.flatMap(input, Live.telemetry.run)
  const options: SubscriptionOptions = {
    ...asked,
    channels: yield* selectChannels(channels, incoming.socket.remoteAddress)
  }
  if (options.sessionId !== undefined) yield* sessions.session(options.sessionId)
  const { sessionId, since } = options
  const arrived = yield* Deferred.make<WebSocketSubscriber>()
  let replayAgain: ((since: number) => void) | undefined
  if (sessionId !== undefined && options.numbered === true) {
    const { channels } = options
    const replaySince = (subscriber: WebSocketSubscriber, number: number) =>
      replay(subscriber, sessionId, number, channels && storedChannels(sessionId, channels))
    const missed = yield* Queue.unbounded<number>()
    replayAgain = (number) => void missed.unsafeOffer(number)
    const end = since === undefined ? Effect.void : yield* beginReplay
    // A child of the route's fiber: it ends with the connection.
    yield* Effect.fork(
      Effect.gen(function* () {
        const subscriber = yield* Deferred.await(arrived)
        if (since !== undefined) yield* Effect.ensuring(replaySince(subscriber, since), end)
        while (true) {
          const number = yield* Queue.take(missed)
          const again = Effect.zipRight(beginReplay, replaySince(subscriber, number))
          // Where too many are under way the numbers show what is missing.
          yield* Effect.catchAll(Effect.scoped(again), () => Effect.sync(() => subscriber.goLive(number)))
        }
      })
    )
  }
  yield* serve(
    hub,
    options,
    incoming,
    head,
    () => NodeHttpServerRequest.toServerResponse(request),
    replayAgain,
    (subscriber) => Deferred.unsafeDone(arrived, Effect.succeed(subscriber))
  )
  return HttpServerResponse.empty({ status: 101 })
}, Effect.scoped)
