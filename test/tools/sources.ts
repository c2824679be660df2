import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Source {
  /** The path from the root of the repository. */
  readonly path: string
  readonly text: string
}

export const root = fileURLToPath(new URL("../../", import.meta.url))

/** The source files of these kinds in these folders of the repository; none that were built or installed. */
export const sourcesIn = (folders: ReadonlyArray<string>, kinds: RegExp): ReadonlyArray<Source> =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => kinds.test(name) && !/^(?:dist|node_modules)\//.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
  )
