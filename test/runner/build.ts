/** The built program, for tests that run it. */
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** What is built, each into the folder of its name in `dist`. */
export const builtFolders = ["src", "simulator", "demo"]

const changed = (path: string): number => statSync(path).mtimeMs

/** Whether every module was built after it was last changed. */
export const isBuilt = (): boolean =>
  builtFolders.every((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .every((name) => {
        const output = join(root, "dist", folder, name.replace(/\.ts$/, ".js"))
        return existsSync(output) && changed(output) >= changed(join(root, folder, name))
      })
  )
