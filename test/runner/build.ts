/** The built program, for tests that run it. */
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const sources = fileURLToPath(new URL("../../src/", import.meta.url))
const built = fileURLToPath(new URL("../../dist/src/", import.meta.url))

const changed = (path: string): number => statSync(path).mtimeMs

/** Whether every module was built after it was last changed. */
export const isBuilt = (): boolean =>
  readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .every((name) => {
      const output = join(built, name.replace(/\.ts$/, ".js"))
      return existsSync(output) && changed(output) >= changed(join(sources, name))
    })
