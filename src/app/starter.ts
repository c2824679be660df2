#!/usr/bin/env node
/**
 * The file that starts the bundled program: it checks the version of Node, then loads the program beside it,
 * `main.program.js` beside `main.js`.
 */
import { existsSync } from "node:fs"
// Imported as a whole: a Node that is too old lacks the named exports.
import * as modules from "node:module"
import { fileURLToPath } from "node:url"

/** The same version as `engines` in package.json. */
const OLDEST = [24, 9] as const

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

/** In a clone, the script that starts a program with the Node that npm installed there. */
const starter = ["../../", "../../../"]
  .map((root) => new URL(`${root}tools/run-node.mjs`, import.meta.url))
  .find((url) => existsSync(url))

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  // The cache is beside the program: the folder for temporary files may be emptied, and the next start would compile
  // everything again.
  modules.enableCompileCache(fileURLToPath(new URL(".compiled", import.meta.url)))
  await import(import.meta.url.replace(/\.js$/, ".program.js"))
} else if (starter === undefined) {
  console.error(`Node ${OLDEST.join(".")} or later is needed, and this is Node ${process.versions.node}`)
  process.exitCode = 1
} else {
  process.argv.splice(1, 0, fileURLToPath(starter))
  await import(starter.href)
}
