/** Reads a file that a test makes of lines. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readFile } from "./readFile.ts"

/** The time of the files, epoch seconds. */
export const MODIFIED = 1_700_000_000

export const readLines = async (lines: ReadonlyArray<string>, name = "table.csv", timeZone = "UTC") => {
  const folder = mkdtempSync(join(tmpdir(), "lines-"))
  try {
    const path = join(folder, name)
    writeFileSync(path, lines.join("\n"))
    utimesSync(path, MODIFIED, MODIFIED)
    return await readFile(path, timeZone)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
