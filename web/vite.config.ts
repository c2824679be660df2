import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { pageDocuments } from "./pageDocuments.ts"
import { precompressed } from "./precompressed.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const documents = ["index", "overlay", "docs", "not-found"]

/**
 * One document each: for the pages; for the overlays, which carry nothing of the pages' shell; for the API's description; and for
 * unknown paths.
 */
export default defineConfig({
  plugins: [pageDocuments, precompressed],
  // Scripts refer to each other by relative paths: the service may be below a path (src/api/guard/BasePath.ts).
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true })
  },
  build: {
    // Chromium 103 is the browser in OBS 28 to 30.2.
    target: ["es2022", "chrome103"],
    // No inlined data: the content security policy requires scripts and styles in files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: documents.map((name) => here(`./${name}.html`)),
      // A slow build needs no warning.
      checks: { bundlerTimings: false, pluginTimings: false }
    },
    // Swagger UI is 1.5 MB, and loaded by one page only.
    chunkSizeWarningLimit: 2000
  },
  // `vite dev web` uses a service on its default port.
  server: {
    proxy: {
      "/api": { target: "http://127.0.0.1:8080", ws: true },
      "/trpc": "http://127.0.0.1:8080",
      "/openapi.json": "http://127.0.0.1:8080"
    }
  }
})
