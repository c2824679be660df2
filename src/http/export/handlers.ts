import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import { type ExportFile, lapFile, sessionFile } from "../../export/files.ts"
import { negotiated } from "../accept.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"

const download = <Deleted>({ name, contentType, text }: ExportFile<Deleted>) =>
  textResponse(text, { contentType, fileName: name })

/** The format that is asked for, or else the one that the client accepts, csv before json. */
const fileFormat = (wanted: "csv" | "json" | undefined) => {
  const offered = { csv: ["text/csv"], json: ["application/json"] } as const
  return Effect.map(
    negotiated(wanted === undefined ? ["text/csv", "application/json"] : offered[wanted]),
    (type) => (type === "text/csv" ? "csv" : "json")
  )
}

export const layer = HttpApiBuilder.group(
  Api,
  "export",
  Effect.fnUntraced(function* (handlers) {
    const archive = yield* Effect.context<Archive>()
    const lap = (text: string, format: "csv" | "json") =>
      lapId(text).pipe(
        Effect.flatMap((id) => Effect.provide(lapFile(id, format), archive)),
        Effect.flatMap(download)
      )
    return handlers
      .handle("lapCsv", ({ path }) => lap(path.lap_id, "csv"))
      .handle("lapJson", ({ path }) => lap(path.lap_id, "json"))
      .handle("session", ({ path, urlParams }) =>
        Effect.gen(function* () {
          const id = yield* sessionId(path.session_id)
          const format = yield* fileFormat(urlParams.format)
          const file = yield* Effect.provide(sessionFile(id, format), archive)
          return HttpServerResponse.setHeader(yield* download(file), "vary", "Accept")
        })
      )
  })
)
