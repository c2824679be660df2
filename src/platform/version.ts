/** The version of the running service: package.json's. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"

const Manifest = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** From the sources, package.json is one folder up; from the build, two. */
const readManifest = (folder: string): string => {
  try {
    return readFileSync(join(folder, "package.json"), "utf8")
  } catch (error) {
    const parent = dirname(folder)
    if (parent === folder) throw error
    return readManifest(parent)
  }
}

export const version: string = Schema.decodeSync(Manifest)(
  readManifest(dirname(fileURLToPath(import.meta.url)))
).version
