import { fileURLToPath } from "node:url"
import type { Plugin } from "vite"

const entry = fileURLToPath(new URL("../../src/threads/entry.ts", import.meta.url))
const builtEntry = fileURLToPath(new URL("./builtEntry.ts", import.meta.url))

/** Has the threads of what is tested start from the build. */
export const builtThreads: Plugin = {
  name: "built-threads",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (importer === builtEntry || !source.endsWith("/entry.ts")) return null
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    return resolved?.id === entry ? builtEntry : null
  }
}
