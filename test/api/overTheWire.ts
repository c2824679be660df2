/** Answers as they come over the connection, without the headers that `fetch` adds, and not decoded. */
import { type IncomingHttpHeaders, request } from "node:http"
import { Effect } from "effect"

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export const answered = (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET"
): Effect.Effect<Answered> =>
  Effect.promise(
    () =>
      new Promise((resolve, reject) => {
        const sent = request(url + path, { method, headers: { ...headers }, agent: false }, (answer) => {
          const chunks: Array<Buffer> = []
          answer.on("data", (chunk: Buffer) => chunks.push(chunk))
          answer.on("error", reject)
          answer.on("end", () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) })
          )
        })
        sent.on("error", reject).end()
      })
  )
