/** Answers as they come over the connection, asked for without what `fetch` adds by itself, and not decoded. */
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
        const asked = request(url + path, { method, headers: { ...headers }, agent: false }, (answer) => {
          const chunks: Array<Buffer> = []
          answer.on("data", (chunk: Buffer) => chunks.push(chunk))
          answer.on("error", reject)
          answer.on("end", () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) })
          )
        })
        asked.on("error", reject).end()
      })
  )
