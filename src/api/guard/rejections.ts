/**
 * Answers in cases in which Node would answer by itself, before there is a request to route: bytes that are not HTTP,
 * headers that are too large, a request that takes too long. Node's own answers have no body; ours have one.
 */
import { type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { isUpload } from "../uploads.ts"
import { securityHeaders } from "./securityHeaders.ts"

/** The limit for headers to arrive, and then for a body, unless it is a file. */
const WITHIN_MS = 60_000

/**
 * For `createServer`. A missing Host is refused by our middleware instead (requireHost.ts), for the same reason. An `Upgrade` to
 * another protocol than WebSocket is ignored, as a server may (RFC 9110, 7.8): Java's client asks each server for `h2c` first.
 */
export const serverOptions: ServerOptions = {
  requireHostHeader: false,
  // It would end long uploads, too.
  requestTimeout: 0,
  // Without the other one, Node would wait for headers for ever.
  headersTimeout: WITHIN_MS,
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket"
}

const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT"

const answers: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers of the request are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions of the request body are too large"],
  [TIMED_OUT]: [408, "The request did not arrive in time"]
}

const rejection = (status: number, sentence: string) => {
  const body = JSON.stringify({ detail: sentence })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")
}

/** Rejects a request whose body takes too long, as Node does if it is told the limit. Files have limits of their own. */
export const limitArrival =
  (withinMs = WITHIN_MS) =>
  (server: Server): Server =>
    server.on("request", (request) => {
      const { headers, socket } = request
      const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined
      if (!hasBody || isUpload(request)) return
      const timer = setTimeout(() => {
        if (!request.complete)
          server.emit("clientError", Object.assign(new Error(), { code: TIMED_OUT }), socket)
      }, withinMs)
      timer.unref()
      request.once("close", () => clearTimeout(timer))
    })

export const rejectInJson = (server: Server): Server => {
  const answering = new WeakMap<Duplex, ServerResponse>()
  return server
    .on("request", (request, response) => answering.set(request.socket, response))
    .on("checkExpectation", (request, response) => {
      // An expectation may be ignored (RFC 9110, 10.1.1); Node would refuse it with an empty 417.
      server.emit("request", request, response)
    })
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const response = answering.get(socket)
      const amidAnswer = response !== undefined && response.headersSent && !response.writableFinished
      if (!socket.writable || amidAnswer || error.code === "ECONNRESET") return socket.destroy()
      const [status, sentence] = answers[error.code ?? ""] ?? [400, "The request is not valid HTTP"]
      socket.end(rejection(status, sentence), () => socket.destroy())
    })
}
