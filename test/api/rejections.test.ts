import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { limitArrival, rejectInJson, serverOptions } from "../../src/api/guard/rejections.ts"
import { NEVER_MS } from "../support/never.ts"
import { type RawAnswer, rawRequest } from "./rawRequest.ts"
import { service } from "../support/service.ts"

const HOST = "Host: test\r\n"
const CLOSE = "Connection: close\r\n"

const expectDetail = (answer: RawAnswer, status: number, sentence: string) => {
  expect([answer.status, answer.body]).toEqual([status, JSON.stringify({ detail: sentence })])
  expect(answer.headers).toMatchObject({
    "content-type": "application/json",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff"
  })
}

const strange: ReadonlyArray<readonly [name: string, request: string, status: number, sentence: string]> = [
  ["no HTTP", "garbage\r\n\r\n", 400, "The request is not valid HTTP"],
  ["another protocol", "\x16\x03\x01\x02\x00\x01\x00", 400, "The request is not valid HTTP"],
  ["a space in the path", `GET /a b HTTP/1.1\r\n${HOST}\r\n`, 400, "The request is not valid HTTP"],
  ["a path in UTF-8", `GET /ü HTTP/1.1\r\n${HOST}\r\n`, 400, "The request is not valid HTTP"],
  [
    "two lengths",
    `POST /api/v1/sessions HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    400,
    "The request is not valid HTTP"
  ],
  [
    "a negative length",
    `POST /api/v1/sessions HTTP/1.1\r\n${HOST}Content-Length: -5\r\n\r\n`,
    400,
    "The request is not valid HTTP"
  ],
  [
    "headers of 20 KB",
    `GET /api/v1/health HTTP/1.1\r\n${HOST}X-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "The headers of the request are too large"
  ],
  ["no Host", `GET /api/v1/health HTTP/1.1\r\n${CLOSE}\r\n`, 400, "The Host header is missing"]
]

it.scopedLive("requests that Node itself rejects are answered in the service's own form", () =>
  Effect.gen(function* () {
    const { json, port } = yield* service()
    for (const [name, request, status, sentence] of strange) {
      const answer = yield* rawRequest(port, request)
      expect([name, answer.status]).toEqual([name, status])
      expectDetail(answer, status, sentence)
    }
    expect((yield* json("/api/v1/health")).status).toBe(200)
  })
)

it.scopedLive("a body with broken chunks does no harm", () =>
  Effect.gen(function* () {
    const { json, logged, port } = yield* service()
    const head = `POST /api/v1/sessions HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`
    const answer = yield* rawRequest(port, `${head}zz\r\n`)
    expectDetail(answer, 400, "The request is not valid HTTP")
    expect((yield* json("/api/v1/health")).status).toBe(200)
    expect(logged.filter(({ level }) => level === "ERROR")).toEqual([])
  })
)

it.scopedLive("HTTP/1.0, unknown expectations, absolute addresses and offers of HTTP/2 are served", () =>
  Effect.gen(function* () {
    const { port } = yield* service()
    const body = JSON.stringify({ circuit: "a", vehicle: "b", driver: "c" })
    for (const [request, status] of [
      ["GET /api/v1/health HTTP/1.0\r\n\r\n", 200],
      [`GET http://elsewhere/api/v1/health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
      [
        `POST /api/v1/sessions HTTP/1.1\r\n${HOST}${CLOSE}Expect: miracles\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        201
      ],
      [
        `GET /api/v1/health HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
        200
      ]
    ] as const) {
      expect([request, (yield* rawRequest(port, request)).status]).toEqual([request, status])
    }
  })
)

it.scopedLive("a request whose client disconnects in the middle of the body is released", () =>
  Effect.gen(function* () {
    const { json, logged, port } = yield* service()
    const half = `POST /api/v1/sessions HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"circuit":`
    yield* Effect.forEach([1, 2, 3], () => Effect.timeoutOption(rawRequest(port, half), "20 millis"))
    expect((yield* json("/api/v1/health")).status).toBe(200)
    expect(logged.filter(({ level }) => level === "ERROR")).toEqual([])
  })
)

/** A server that waits this long for headers, and for a body, ms. It does not end its answer to `/streaming`. */
const waiting = (patience: number) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const options = { ...serverOptions, headersTimeout: patience, connectionsCheckingInterval: 20 }
      const server = limitArrival(patience)(rejectInJson(createServer(options)))
      server.on("request", (request, response) => {
        request.resume()
        if (request.url === "/streaming") {
          response.writeHead(200, { "content-type": "text/plain" })
          response.write("half an answer")
        }
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

const half = (path: string) => `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{`

it.scopedLive("a request that does not arrive in time is answered with 408", () =>
  Effect.gen(function* () {
    const server = yield* waiting(100)
    const { port } = server.address() as AddressInfo
    const sentence = "The request did not arrive in time"
    expectDetail(yield* rawRequest(port, "GET /api/v1/health HTT"), 408, sentence)
    // A file may take longer than any other body.
    const upload = yield* Effect.fork(rawRequest(port, half("/api/v1/imports?name=a.ld")))
    expectDetail(yield* rawRequest(port, half("/sessions")), 408, sentence)
    expect(yield* Fiber.poll(upload)).toEqual(Option.none())
  })
)

it("the service itself waits for headers for a minute", () => {
  expect(createServer(serverOptions).headersTimeout).toBe(60_000)
})

it.scopedLive("a rejection is never written into an answer that is under way", () =>
  Effect.gen(function* () {
    const server = yield* waiting(NEVER_MS)
    const { port } = server.address() as AddressInfo
    const text = yield* Effect.async<string>((resume) => {
      let received = ""
      const socket = connect(port, "127.0.0.1", () => socket.write(`GET /streaming HTTP/1.1\r\n${HOST}\r\n`))
      socket.on("data", (data) => {
        received += String(data)
        if (received.includes("half an answer")) socket.write("garbage\r\n\r\n")
      })
      socket.on("error", () => undefined)
      socket.once("close", () => resume(Effect.succeed(received)))
    })
    expect(text).toMatch(/^HTTP\/1.1 200 OK/)
    expect(text).not.toContain("detail")
  })
)
