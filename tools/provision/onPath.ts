/** Finds programs of other makers on this machine. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/** The first folder of PATH that holds a program. */
export const folderOnPath = (program: string): string | undefined =>
  (process.env["PATH"] ?? "").split(delimiter).find((folder) => existsSync(join(folder, program)))

/** A Chromium for tests and benchmarks of the pages: the one that CHROMIUM names, or the first on PATH. */
export const chromium = (): string | undefined => {
  const given = process.env["CHROMIUM"]
  if (given !== undefined) return existsSync(given) ? given : undefined
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const folder = folderOnPath(name)
    if (folder !== undefined) return join(folder, name)
  }
  return undefined
}
