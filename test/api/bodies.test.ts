import { connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseAnswer, type RawAnswer, rawRequest } from "./rawRequest.ts"
import { sending, service } from "../support/service.ts"

const MiB = 1_048_576

/** A body of exactly so many bytes that is a session. */
const bodyOf = (bytes: number) => {
  const bare = JSON.stringify({ circuit: "a", vehicle: "b", driver: "c", filler: "" })
  return bare.replace('"filler":""', `"filler":"${"x".repeat(bytes - bare.length)}"`)
}

const chunked = (port: number, body: string, path = "/api/v1/sessions") => {
  const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
  const chunks = body.match(/[^]{1,65536}/g) ?? []
  return rawRequest(port, [
    head,
    ...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`),
    "0\r\n\r\n"
  ])
}

it.scopedLive("a body of 1 MiB is taken, announced or chunked, and a larger one is 413", () =>
  Effect.gen(function* () {
    const { json, port } = yield* service()
    const tooLarge = { detail: "The request body is larger than 1048576 bytes" }
    expect((yield* json("/api/v1/sessions", sending("POST", bodyOf(MiB)))).status).toBe(201)
    const announced = yield* json("/api/v1/sessions", sending("POST", bodyOf(MiB + 1)))
    expect(announced.status).toBe(413)
    expect(announced.body).toEqual(tooLarge)
    expect(announced.headers.get("x-request-id")).not.toBeNull()
    expect((yield* chunked(port, bodyOf(MiB))).status).toBe(201)
    for (const path of ["/api/v1/sessions", "/api/v1/connect", "/api/v1/disconnect"]) {
      for (const bytes of [MiB + 1, 8 * MiB]) {
        const answer = yield* chunked(port, bodyOf(bytes), path)
        expect([path, bytes, answer.status]).toEqual([path, bytes, 413])
        expect(answer.headers["content-type"]).toBe("application/json")
        expect(JSON.parse(answer.body)).toEqual(tooLarge)
      }
    }
    const update = yield* json("/api/v1/config", sending("PUT", bodyOf(2 * MiB)))
    expect(update.status).toBe(413)
  })
)

/** Sends everything before it reads anything, as many simple clients do; then reads until the server closes. */
const sendingFirst = (port: number, head: string, bytes: number) =>
  Effect.async<RawAnswer>((resume) => {
    const socket = connect(port, "127.0.0.1").pause().setEncoding("latin1")
    let text = ""
    socket.on("data", (data) => (text += data))
    socket.on("error", () => undefined)
    socket.once("close", () => resume(Effect.sync(() => parseAnswer(text))))
    socket.write(`${head}Content-Length: ${bytes}\r\nConnection: close\r\n\r\n`)
    socket.write(Buffer.alloc(bytes, "x"), () => socket.resume())
    return Effect.sync(() => socket.destroy())
  })

it.scopedLive("a client that reads nothing before it has sent everything gets its answer", () =>
  Effect.gen(function* () {
    const { port } = yield* service()
    const bytes = 32 * MiB
    for (const [request, status] of [
      ["POST /api/v1/sessions", 413],
      ["POST /api/v1/nowhere", 413],
      ["PUT /api/v1/config", 413],
      ["DELETE /api/v1/sessions/none", 413]
    ] as const) {
      const answer = yield* sendingFirst(port, `${request} HTTP/1.1\r\nHost: test\r\n`, bytes)
      expect([request, answer.status]).toEqual([request, status])
      expect(JSON.parse(answer.body)).toHaveProperty("detail")
    }
  })
)

it.scopedLive("JSON is taken with any content type, and with a byte order mark", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const body = JSON.stringify({ circuit: "a", vehicle: "b", driver: "ü" })
    for (const type of [
      "application/json; charset=utf-8",
      "text/plain",
      "application/x-www-form-urlencoded",
      ""
    ]) {
      const answer = yield* json("/api/v1/sessions", {
        method: "POST",
        headers: { "content-type": type },
        body
      })
      expect([type, answer.status]).toEqual([type, 201])
    }
    const marked = yield* json("/api/v1/sessions", { method: "POST", body: `\uFEFF${body}` })
    expect(marked.status).toBe(201)
    expect(marked.body).toMatchObject({ driver: "ü" })
    const latin1 = yield* json("/api/v1/sessions", { method: "POST", body: Buffer.from(body, "latin1") })
    expect([latin1.status, latin1.body]).toEqual([422, { detail: "The request body is not UTF-8" }])
  })
)

const nested = (depth: number) =>
  `{"circuit":${"[".repeat(depth)}${"]".repeat(depth)},"vehicle":"b","driver":"c"}`

it.scopedLive("JSON nested as deep as a body allows does no harm", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const depth of [40, 5000, 500_000]) {
      const answer = yield* json("/api/v1/sessions", sending("POST", nested(depth)))
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({ detail: "The request body is nested deeper than 32 levels" })
    }
    const shallow = yield* json("/api/v1/sessions", sending("POST", nested(3)))
    expect(shallow.body).toEqual({ detail: "circuit must be 1 to 200 characters of text, got [[[]]]" })
  })
)
