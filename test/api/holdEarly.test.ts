import { expect, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { holdEarly } from "../../src/api/guard/holdEarly.ts"

it("holdEarly keeps requests until a handler answers them, each once", async () => {
  const server = holdEarly(createServer()).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answered: Array<string | undefined> = []
  const bothCame = new Promise<void>((resolve) => {
    const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
    let come = 0
    // A listener for `request` would take them.
    server.emit = (event: string, ...args: ReadonlyArray<unknown>) => {
      if (event === "request" && ++come === 2) setImmediate(resolve)
      return emit(event, ...args)
    }
  })
  const early = [fetch(`${url}/1`), fetch(`${url}/2`)]
  await bothCame
  server.on("request", (request, response) => {
    answered.push(request.url)
    response.end(request.url)
  })
  expect(await Promise.all(early.map(async (answer) => (await answer).text()))).toEqual(["/1", "/2"])
  expect(await (await fetch(`${url}/3`)).text()).toBe("/3")
  expect(answered.toSorted()).toEqual(["/1", "/2", "/3"])
  server.close()
  server.closeAllConnections()
})
