/**
 * A document for each page: `index.html`, which names the modules of that page as well. A browser asks for them together with the
 * shell's, instead of after the shell has run.
 */
import type { Plugin, Rolldown } from "vite"

type Bundle = Rolldown.OutputBundle

/** A chunk's file, and those that it imports. */
const filesOf = (file: string, bundle: Bundle, found = new Set<string>()): ReadonlySet<string> => {
  const chunk = bundle[file]
  if (chunk?.type !== "chunk" || found.has(file)) return found
  found.add(file)
  for (const imported of chunk.imports) filesOf(imported, bundle, found)
  return found
}

/** The name of a page's document (src/api/pages/pagePaths.ts): `compare` for `pages/ComparePage.tsx`. */
const documentOf = (module: string | null): string | undefined =>
  /\/pages\/(\w+)Page\.tsx$/.exec(module ?? "")?.[1]?.toLowerCase()

export const pageDocuments: Plugin = {
  name: "pageDocuments",
  apply: "build",
  // After the bundler's own plugin has made index.html.
  enforce: "post",
  generateBundle(_, bundle) {
    const index = bundle["index.html"]
    if (index?.type !== "asset") throw new Error("the build has no index.html")
    const html = String(index.source)
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      const document = documentOf(chunk.facadeModuleId)
      if (document === undefined) continue
      const links = [...filesOf(chunk.fileName, bundle)]
        .filter((file) => !html.includes(`"/${file}"`))
        .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
      this.emitFile({
        type: "asset",
        fileName: `${document}.html`,
        source: html.replace("  </head>", `${links.join("")}  </head>`)
      })
    }
  }
}
