/**
 * Builds stale parts of the program, and becomes it: `node tools/start.mjs [COMMAND] FLAGS`. It stays one process, so it
 * receives the signals that npm and shells send.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildStale } from "./buildStale.mjs"
import { root } from "./parts.mjs"
import { PROGRAM } from "./program.mjs"

/** Commands without pages. */
const WITHOUT_PAGES = new Set(["simulator", "migrate", "adopt", "verify", "restore"])

try {
  await buildStale(WITHOUT_PAGES.has(process.argv[2] ?? "") ? ["program"] : ["program", "pages"])
} catch (error) {
  console.error(String(error))
  process.exit(1)
}
const program = join(root, PROGRAM, "main.js")
// The program starts its other processes by this name.
process.argv[1] = program
await import(pathToFileURL(program).href)
