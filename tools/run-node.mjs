/**
 * Runs a program with the Node that npm installed with the project: `node tools/run-node.mjs FILE ARGUMENTS`, started by any Node from
 * 16 on. If npm has none that starts here (Alpine, other machines), the machine's own Node runs it, if it is new enough.
 *
 * Where it can, this process becomes the program. Otherwise it stays as its parent: it passes on signals, ends with the program, and the
 * program ends with it (src/platform/exit.ts).
 */
import { spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { fileURLToPath } from "node:url"
import { nodePackageOf } from "./nodePackage.mjs"

const { arch, platform } = process
const root = new URL("../", import.meta.url)

/** package.json's `engines`: `>=24.9`. */
const least = JSON.parse(readFileSync(new URL("package.json", root), "utf8")).engines.node.slice(2)

const installed = fileURLToPath(
  new URL(
    `node_modules/${nodePackageOf(platform, arch)}/bin/${platform === "win32" ? "node.exe" : "node"}`,
    root
  )
)

const starts = () => spawnSync(installed, ["-v"]).status === 0
const isNewEnough = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/** Shells report a program that was ended by a signal with this and the signal's number. */
const ENDED_BY_SIGNAL = 128

/**
 * @param {string} node
 * @param {string[]} args
 */
const startBy = (node, args) => {
  const child = spawn(node, args, {
    stdio: "inherit",
    env: { ...process.env, TELEMETRY_UNDER_STARTER: "1" }
  })
  // A terminal sends Ctrl+C to both; a second one ends a program at once, a second SIGTERM does not.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => platform === "win32" || child.kill("SIGTERM"))
  child.on("error", (error) => {
    console.error(`${node}: ${error.message}`)
    process.exit(1)
  })
  child.on("exit", (code, signal) =>
    process.exit(code ?? ENDED_BY_SIGNAL + constants.signals[signal ?? "SIGKILL"])
  )
  endWithNpm(child)
}

/** How often it looks whether npm's shell is still its parent, ms. */
const PARENT_EVERY_MS = 1000

/**
 * npm ends only the shell that runs this script.
 * @param {import("node:child_process").ChildProcess} child
 */
const endWithNpm = (child) => {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM")
  }, PARENT_EVERY_MS).unref()
}

const node = starts() ? installed : isNewEnough() ? process.execPath : undefined
if (node === undefined) {
  console.error(
    `Node ${least} or later is needed. This is Node ${process.versions.node}, and the one that npm installs for ${platform} on ${arch} is not there or does not start here: ${installed}`
  )
  process.exit(1)
}
const args = process.argv.slice(2)
const { execve } =
  /** @type {{ execve?: (file: string, args: string[], env: NodeJS.ProcessEnv) => never }} */ (process)
if (execve !== undefined && platform !== "win32") {
  // It prints a warning that it is experimental.
  process.removeAllListeners("warning")
  execve(node, [node, ...args], process.env)
} else startBy(node, args)
