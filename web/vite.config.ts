import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two documents: the pages, and the overlays, which carry nothing of the pages' shell. */
export default defineConfig({
  build: {
    target: "es2022",
    // No inlined data: the content security policy wants scripts and styles from files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [here("./index.html"), here("./overlay.html")],
      // On a busy machine it would be said of every build.
      checks: { bundlerTimings: false }
    }
  },
  // `vite dev web` against a service on its default port.
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true }, "/trpc": "http://127.0.0.1:8080" }
  }
})
