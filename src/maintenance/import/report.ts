/** The lines that the command prints about files. */
import { Console, Duration, Effect } from "effect"
import type { FileImport } from "../../domain/FileImport.ts"
import type { FoundFile } from "./files.ts"
import { plural } from "./plural.ts"

/** The line about an import that was finished. */
const lineOf = ({ detail, laps, sessions, state, warnings }: FileImport, seconds: number): string => {
  if (state === "failed" || state === "cancelled") return `refused: ${detail}`
  const what = `${plural(sessions.length, "session")}, ${plural(laps, "lap")}, ${seconds.toFixed(1)} s`
  const warned = warnings.length === 0 ? "" : ` (${plural(warnings.length, "warning")})`
  return state === "partial" ? `partial: ${what}; ${detail}${warned}` : `ok: ${what}${warned}`
}

/** Prints what became of a file. Succeeds with whether it was not refused. */
export const report = (file: FoundFile, done: FileImport, took: Duration.Duration) =>
  Effect.as(
    Console.log(
      [
        `${file.path}: ${lineOf(done, Duration.toSeconds(took))}`,
        ...done.warnings.map((warning) => `  ${warning}`)
      ].join("\n")
    ),
    done.state === "done" || done.state === "partial"
  )

export const sayKnown = ({ path }: FoundFile, importId: number) =>
  Console.log(`${path}: same as import ${importId}`)

/** The same of one that is refused. */
export const sayRefused = ({ path }: FoundFile, sentence: string) =>
  Effect.as(Console.log(`${path}: refused: ${sentence}`), false)
