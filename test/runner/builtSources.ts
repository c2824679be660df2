/**
 * Gives tests the build in the place of the sources, where it is that of the sources: what ships is tested, nothing is
 * compiled again in each process. While files are watched, and after a change that was
 * not built, tests have the sources.
 */
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { Vite } from "vitest/node"
import { builtFolders, isBuilt } from "./build.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Modules that Node loads by itself. */
export const builtModules = /\/dist\/(src|simulator|demo)\/.*\.js$/

export const builtSources = (): Vite.Plugin => {
  let active = false
  return {
    name: "built-sources",
    enforce: "pre",
    configureVitest: ({ vitest }) => {
      active = !vitest.config.watch && isBuilt()
    },
    async resolveId(source, importer, options) {
      if (!active || !source.endsWith(".ts") || importer === undefined) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (resolved === null) return resolved
      const path = relative(root, resolved.id).replaceAll(sep, "/")
      if (!builtFolders.some((folder) => path.startsWith(`${folder}/`))) return resolved
      // The test of threads has an entry of its own, which is not built.
      if (path.startsWith("src/threads/")) return resolved
      return join(root, "dist", path.replace(/\.ts$/, ".js"))
    }
  }
}
