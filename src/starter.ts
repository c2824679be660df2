#!/usr/bin/env node
/** What users start of the bundled program: it loads the bundle beside it, `main.cjs` beside `main.js`. */
import { fileURLToPath } from "node:url"
import { startBundle } from "./compiledCode.ts"

/** As `engines` of package.json. */
const OLDEST = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`Node ${OLDEST.join(".")} or later is needed, and this is Node ${process.versions.node}`)
  process.exitCode = 1
} else startBundle(fileURLToPath(import.meta.url).replace(/\.js$/, ".cjs"))
