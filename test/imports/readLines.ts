/** Reads a file that a test makes of lines. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "@effect/vitest"
import { readFile } from "./readFile.ts"

const folder = mkdtempSync(join(tmpdir(), "lines-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The time of the files, epoch seconds. */
export const MODIFIED = 1_700_000_000

export const readLines = (lines: ReadonlyArray<string>, name = "table.csv", timeZone = "UTC") => {
  const path = join(folder, name)
  writeFileSync(path, lines.join("\n"))
  utimesSync(path, MODIFIED, MODIFIED)
  return readFile(path, timeZone)
}
