/** What a crash, or the end of the program, left of imports. */
import { Clock, Effect } from "effect"
import { type FileImport, noReport } from "../domain/FileImport.ts"
import { FileImports } from "../store/FileImports.ts"
import { removeSessions } from "./removeSessions.ts"

const giveUp = Effect.fnUntraced(function* ({ id, name }: FileImport) {
  const { changeImport } = yield* FileImports
  const now = yield* Clock.currentTimeMillis
  const report = { ...noReport, detail: "It was cut off: import it again" }
  yield* changeImport(id, { state: "failed", finished: now / 1000, report })
  yield* Effect.logInfo(`The import of ${name} was cut off: nothing of it is left`)
})

const beginAgain = Effect.fnUntraced(function* ({ format, id, name, state }: FileImport) {
  const { changeImport } = yield* FileImports
  if (state !== "reading") return
  yield* changeImport(id, { state: "queued", report: { ...noReport, format } })
  yield* Effect.logInfo(`The import of ${name} was cut off: it begins again`)
})

/**
 * Removes the sessions of imports that were cut off. An import whose file the service has waits again, to be begun at the
 * start of the file; any other is given up. To be run at the start, when nothing is imported.
 */
export const removeBroken = Effect.fn("imports.removeBroken")(function* (hasFile: (id: number) => boolean) {
  const { unfinishedImports } = yield* FileImports
  for (const broken of yield* unfinishedImports) {
    yield* removeSessions(broken.sessions)
    if (hasFile(broken.id)) yield* beginAgain(broken)
    else yield* giveUp(broken)
  }
})
