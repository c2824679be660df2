#!/usr/bin/env node
/** What users start of the bundled program: it loads the bundle beside it, `main.cjs` beside `main.js`. */
import { fileURLToPath } from "node:url"
import { startBundle } from "./compiledCode.ts"

startBundle(fileURLToPath(import.meta.url).replace(/\.js$/, ".cjs"))
