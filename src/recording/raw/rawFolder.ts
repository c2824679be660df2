/** The folder of raw datagrams: `raw` in the data folder, with a file for each session that has some. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { SessionFiles } from "../../store/SessionFiles.ts"

const folderIn = (data: string) => join(data, "raw")

/** The file of a session's datagrams. */
export const rawFileOf = (data: string, sessionId: number): string =>
  join(folderIn(data), `${sessionId}.ndjson.gz`)

const bytesIn = (folder: string): number => {
  let bytes = 0
  // The folder is made with its first file, and a file may go at any time.
  for (const file of filesIn(folder)) {
    bytes += statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

const filesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** `data`: the data folder. */
export const layer = (data: string) =>
  Layer.succeed(SessionFiles, {
    remove: (sessionId) =>
      Effect.try(() => rmSync(rawFileOf(data, sessionId), { force: true })).pipe(
        Effect.catchAll((cause) =>
          Effect.logWarning(`The raw datagrams of session ${sessionId} could not be removed`, cause)
        )
      ),
    bytes: Effect.sync(() => bytesIn(folderIn(data)))
  })
