/**
 * Sends complete answers directly to the connection. The platform would copy their headers once more, and keep the
 * request's fiber until the system has taken the bytes. It sees that the answer has been sent, and does nothing more.
 * Streams, files and cookies are left to the platform; streams are paced by their sockets (OpenAnswers.ts).
 */
import * as Cookies from "@effect/platform/Cookies"
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { OpenAnswers } from "./OpenAnswers.ts"

/**
 * Sends the answer with these headers instead of its own, or leaves it to the platform. Returns the answer with these
 * headers.
 */
export const send = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>,
  answers: OpenAnswers
): HttpServerResponse.HttpServerResponse => {
  const { body, cookies, status } = response
  const pieces = answers.streamOf(body)
  if (pieces !== undefined) {
    const paced = answers.paced(pieces, NodeHttpServerRequest.toServerResponse(request))
    const streamed = HttpBody.stream(paced, body.contentType, body.contentLength)
    return HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, streamed), headers)
  }
  // These are files. Events are not watched, because they have a heartbeat.
  if (body._tag === "Raw" && headers["content-type"] !== "text/event-stream" && request.method !== "HEAD")
    answers.piped(NodeHttpServerRequest.toServerResponse(request))
  const isWhole = body._tag === "Uint8Array" || body._tag === "Empty"
  if (!isWhole || !Cookies.isEmpty(cookies)) return HttpServerResponse.setHeaders(response, headers)
  const outgoing = NodeHttpServerRequest.toServerResponse(request)
  if (outgoing.writableEnded) return response
  outgoing.writeHead(status, headers)
  if (body._tag === "Empty" || request.method === "HEAD") outgoing.end()
  else outgoing.end(body.body)
  answers.sent(outgoing)
  return response
}
