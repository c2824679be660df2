/**
 * Starts a built program in this process, and keeps what V8 has compiled of it by the time that it is ready and has answered some
 * requests: `node tools/keepCode.mjs main`. The process ends with it.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { root } from "./parts.mjs"

/** How each program is started, the line that says that it is ready, and what is asked of it then. */
const starts = {
  main: {
    /** @param {string} folder */
    flags: (folder) => ["--port", "0", "--data", folder, "--log-level", "none"],
    ready: /^listening on (\S+)/,
    ask: ["/", "/api/v1/health", "/api/v1/status", "/api/v1/sessions", "/api/v1/1", "/metrics"]
  },
  "simulator/main": { flags: () => ["--port", "0"], ready: /^feed on (\S+)/, ask: [] }
}

const name = /** @type {keyof typeof starts} */ (process.argv[2])
const { ask, flags, ready } = starts[name]
const folder = mkdtempSync(join(tmpdir(), "telemetry-code-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

// The settings of whoever builds are of another service: this one must not open their catalog, nor want their token.
for (const setting of Object.keys(process.env))
  if (setting.startsWith("TELEMETRY_")) delete process.env[setting]

const program = join(root, "dist/program")
const { codeOf, compileBundle, runBundle } = await import(join(program, "compiledCode.js"))
const bundle = join(program, `${name}.cjs`)
const script = compileBundle(bundle)

/** @type {Promise<string>} */
const address = new Promise((said) => {
  // What the program prints is for whoever starts it, which is this module.
  console.log = (line) => {
    const [, found] = ready.exec(line) ?? []
    if (found !== undefined) said(found)
  }
})
process.argv = [process.execPath, join(program, `${name}.js`), ...flags(folder)]
runBundle(bundle, script)
const base = await address
for (const path of ask) await (await fetch(base + path)).arrayBuffer()

// V8 refuses code that was kept under other flags than it is read under, and the program sets this one when it begins (src/youngHeap.ts).
setFlagsFromString("--semi-space-growth-factor=2")
// Whole, or not at all, for a program that starts meanwhile.
const kept = `${codeOf(bundle)}.${process.pid}`
writeFileSync(kept, script.createCachedData())
renameSync(kept, codeOf(bundle))
process.exit()
