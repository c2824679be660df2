/** The meaning of the server's answers for the rows that were sent. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Either } from "effect"
import { readQuestdbAddress } from "../../../src/platform/addresses/questdb.ts"
import * as Sender from "../../../src/store/questdb/Sender.ts"

/** As QuestDB 9.3.4 words them. */
const badRow =
  "failed to parse line protocol:errors encountered on line(s):\nerror in line 1: table: points, column: speed; cast error"
const noTable =
  "failed to parse line protocol:errors encountered on line(s):\nerror in line 1: table: points; table does not exist, creating new tables is disabled"

/** Sends rows to a server that gives this answer; returns their outcome. */
const answered = Effect.fn(function* (status: number, body: string) {
  const received: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        received.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
        response.writeHead(status).end(status === 204 ? undefined : JSON.stringify({ message: body }))
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  )
  const { port } = server.address() as AddressInfo
  const sender = yield* Sender.make(Either.getOrThrow(readQuestdbAddress(`questdb://127.0.0.1:${port}`)))
  const sent = yield* Effect.either(sender.send(Buffer.from("points,session=1 time=1 1\n")))
  expect(received).toEqual(["POST /write?precision=n points,session=1 time=1 1\n"])
  return Either.match(sent, { onLeft: ({ _tag }) => _tag, onRight: () => "kept" })
}, Effect.provide(NodeHttpClient.layer))

describe("rows that were sent to QuestDB", () => {
  it.scopedLive("are kept only if the answer acknowledges them, and refused only if they are the cause", () =>
    Effect.gen(function* () {
      expect(yield* answered(204, "")).toBe("kept")
      expect(yield* answered(400, badRow)).toBe("RowsRefused")
      expect(yield* answered(400, noTable)).toBe("StoreUnavailable")
      for (const status of [200, 401, 404, 413, 500, 503]) {
        expect(yield* answered(status, "no")).toBe("StoreUnavailable")
      }
    })
  )
})
