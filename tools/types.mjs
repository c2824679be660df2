/**
 * Checks types and Effect's diagnostics of all projects at once, by one compiler: Effect's build of TypeScript. What it found is kept
 * in node_modules/.cache, so that it looks again at changed files, and at those that depend on them.
 */
import { execFileSync, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const cli = fileURLToPath(new URL("../node_modules/@effect/tsgo/dist/effect-tsgo.cjs", import.meta.url))
const compiler = execFileSync(process.execPath, [cli, "get-exe-path"], { cwd: root, encoding: "utf8" }).trim()

/**
 * @param {string} project The folder of its tsconfig.json.
 * @returns {Promise<number>}
 */
const check = (project) => {
  const kept = `node_modules/.cache/types/${project === "." ? "src" : project}.tsbuildinfo`
  const child = spawn(compiler, ["-p", project, "--incremental", "--tsBuildInfoFile", kept], {
    cwd: root,
    stdio: "inherit"
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", (status) => resolve(status ?? 1))
  })
}

const statuses = await Promise.all([".", "web", "tools"].map(check))
process.exitCode = Math.max(...statuses)
