/** The folder of raw datagrams: `raw` in the data folder, with a file for each session that has some. */
import { readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { SessionFiles } from "../../store/SessionFiles.ts"

const folderIn = (data: string) => join(data, "raw")

const ENDING = ".ndjson.gz"

/** The file of a session's datagrams. */
export const rawFileOf = (data: string, sessionId: number): string =>
  join(folderIn(data), `${sessionId}${ENDING}`)

/** The session whose file has this name, if any. */
const sessionOf = (name: string): ReadonlyArray<number> => {
  const id = /^([1-9]\d{0,15})\.ndjson\.gz$/.exec(name)?.[1]
  return id === undefined ? [] : [Number(id)]
}

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

/** Returns the file's new name. */
const setAside = (data: string, sessionId: number): string => {
  const file = rawFileOf(data, sessionId)
  const changed = statSync(file).mtime.toISOString().replaceAll(":", "-")
  const name = join(folderIn(data), `lost-${sessionId}-${changed}${ENDING}`)
  renameSync(file, name)
  return name
}

/** `data`: the data folder. */
export const layer = (data: string) =>
  Layer.succeed(SessionFiles, {
    sessionIds: Effect.sync(() => filesIn(folderIn(data)).flatMap(sessionOf)),
    remove: (sessionId) =>
      Effect.try(() => rmSync(rawFileOf(data, sessionId), { force: true })).pipe(
        Effect.catchAll((cause) =>
          Effect.logWarning(`The raw datagrams of session ${sessionId} could not be removed`, cause)
        )
      ),
    setAside: (sessionId) =>
      Effect.try(() => setAside(data, sessionId)).pipe(
        Effect.flatMap((name) =>
          Effect.logWarning(
            `The catalog has no session ${sessionId}, as after a backup was restored: its raw datagrams are now ${name}`
          )
        ),
        Effect.catchAll((cause) =>
          Effect.logWarning(`The raw datagrams of session ${sessionId}, which is lost, stay`, cause)
        )
      ),
    bytes: Effect.sync(() => bytesIn(folderIn(data)))
  })
