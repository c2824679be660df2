import { type Agent, request } from "node:http"
import type { QuestdbAddress } from "../../src/platform/addresses/questdb.ts"

/** Posts rows as ILP in one request, which the server answers when it has committed them. */
export const postRows = (agent: Agent, { host, port }: QuestdbAddress, body: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request({ agent, host, port, method: "POST", path: "/write?precision=n" }, (answer) => {
      answer.resume()
      answer.once("end", () =>
        answer.statusCode === 204 ? resolve() : reject(new Error(`status ${answer.statusCode}`))
      )
    })
    sent.once("error", reject)
    sent.setHeader("content-length", body.length)
    sent.end(body)
  })
