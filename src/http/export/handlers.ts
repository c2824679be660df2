import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import { type ExportFile, lapFile, sessionFile } from "../../export/files.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"

const download = <Deleted>({ name, contentType, text }: ExportFile<Deleted>) =>
  textResponse(text, { contentType, fileName: name })

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
        sessionId(path.session_id).pipe(
          Effect.flatMap((id) => Effect.provide(sessionFile(id, urlParams.format), archive)),
          Effect.flatMap(download)
        )
      )
  })
)
