/** Writes a session that has ended to the exports folder, where the configuration says so. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, Stream } from "effect"
import { Catalog } from "../store/Catalog.ts"
import { sessionFile } from "./files.ts"

const writeSession = Effect.fn("AutoExport.writeSession")(function* (folder: string, sessionId: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { auto_export, export_format } = yield* (yield* Catalog).configuration
  if (!auto_export) return
  const file = yield* sessionFile(sessionId, export_format)
  yield* fs.makeDirectory(folder, { recursive: true })
  const target = path.join(folder, file.name)
  const unfinished = `${target}.part`
  yield* file.text.pipe(
    Stream.run(fs.sink(unfinished)),
    Effect.zipRight(fs.rename(unfinished, target)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished)))
  )
  yield* Effect.logInfo(`Exported session ${sessionId} to ${target}`)
})

/** `folder`: where the files go; a file appears there under its name only when it is complete. */
export const exportEnded = (folder: string) => (sessionId: number) =>
  Effect.catchAllCause(writeSession(folder, sessionId), (cause) =>
    Effect.logError(`Could not export session ${sessionId}`, cause)
  )
