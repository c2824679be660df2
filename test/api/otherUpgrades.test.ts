/** A client that offers HTTP/2 is answered in HTTP/1.1, including its body, at every request. */
import { once } from "node:events"
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawRequest } from "./rawRequest.ts"
import { service } from "../support/service.ts"

const body = JSON.stringify({ circuit: "Monza", vehicle: "GT3", driver: "Jiří" })

const offering = (connection: string) =>
  [
    "POST /api/v1/sessions HTTP/1.1",
    "Host: localhost",
    `Connection: ${connection}`,
    "Upgrade: h2c",
    "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    ""
  ].join("\r\n")

const enough = (answer: string) => answer.includes('"pinned":false,"source":"live"}')

it.scopedLive("a request that offers h2c is answered, whether its body comes with it or later", () =>
  Effect.gen(function* () {
    const { port, json } = yield* service()
    for (const pieces of [
      [offering("Upgrade, HTTP2-Settings") + body],
      [offering("Upgrade, HTTP2-Settings"), body],
      [offering("Upgrade, HTTP2-Settings, close"), body.slice(0, 9), body.slice(9)]
    ]) {
      const answer = yield* rawRequest(port, pieces, enough)
      expect(answer.status).toBe(201)
    }
    expect((yield* json("/api/v1/sessions")).body).toMatchObject({
      total: 3,
      items: [{ driver: "Jiří" }, { driver: "Jiří" }, { driver: "Jiří" }]
    })
    // Two on one connection, the offer first.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const offer = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAEAAEAA" }
    const answerTo = (headers: OutgoingHttpHeaders) =>
      Effect.promise(async () => {
        const sent = request({ port, agent, path: "/api/v1/health", headers }).end()
        const [answer] = (await once(sent, "response")) as [IncomingMessage]
        await answer.resume().toArray()
        return [answer.statusCode, sent.reusedSocket]
      })
    expect(yield* answerTo(offer)).toEqual([200, false])
    expect(yield* answerTo({})).toEqual([200, true])
    agent.destroy()
  })
)
