/** Finds the modules of our threads, whether the program runs from its build or from its sources (tests). */
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * A folder with the threads of the sources, bundled (tools/program.mjs). Without it a thread loads some thousand modules, which takes
 * half a second of processor time, and tests start hundreds of threads.
 */
const bundles = process.env["TELEMETRY_TEST_THREADS"]

const isSource = (url: string) => url.endsWith(".ts")

/** The module `name` (`./x`, without an extension) of a thread, beside the module whose `import.meta.url` is `beside`. */
export const entryOf = (name: string, beside: string): URL => {
  if (!isSource(beside)) return new URL(`${name}.js`, beside)
  return bundles === undefined ? new URL(`${name}.ts`, beside) : pathToFileURL(join(bundles, `${name}.js`))
}
