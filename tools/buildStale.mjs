/**
 * The parts that can be built, and the building of stale ones:
 *
 * - program: the service and its commands, `dist/program` (program.mjs).
 * - pages: the pages for browsers, `web/dist`.
 * - client: the client of `/trpc` with its types, `dist/src`, for users of the package.
 */
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { buildPart, isStale, root } from "./parts.mjs"
import { makeProgram } from "./program.mjs"

/**
 * Runs a program of node_modules by its script: the launchers that npm adds do not start in the same way on all systems.
 * @param {string} script
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<void>}
 */
const run = (script, ...args) =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [join(root, "node_modules", script), ...args], {
      cwd: root,
      // The suite sets `test`, with which Vite compiles for development: half as large again, with this machine's paths.
      env: { ...process.env, NODE_ENV: "production" },
      // Standard output belongs to the program that is started afterwards.
      stdio: ["ignore", 2, 2]
    })
    child.once("error", failed)
    child.once("close", (code) =>
      code === 0 ? done() : failed(new Error(`${script} ended with status ${code}`))
    )
  })

/** @type {ReadonlyArray<import("./parts.mjs").Part>} */
export const parts = [
  {
    name: "program",
    says: "the program",
    // The program has the names of the overlays from the pages.
    madeOf: ["src", "simulator", "demo", "tools/provision", "web/src"],
    leaves: "dist/program/main.js",
    make: makeProgram
  },
  {
    name: "pages",
    says: "the pages",
    madeOf: ["web", "src/api/trpc"],
    leaves: "web/dist/index.html",
    make: () => run("vite/bin/vite.js", "build", "web", "--logLevel", "warn")
  },
  {
    name: "client",
    says: "the client",
    madeOf: ["src", "tsconfig.client.json"],
    leaves: "dist/src/api/trpc/client.js",
    make: () => run("typescript/bin/tsc", "-p", "tsconfig.client.json")
  }
]

const lock = join(root, "dist/.building")
const LOOK_AGAIN_MS = 100

/** The process that builds; 0 if none does, or if it has only begun to. */
const builder = () => {
  try {
    return Number(readFileSync(lock, "utf8"))
  } catch {
    return 0
  }
}

/** @param {number} pid */
const lives = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Of two processes that find the same part stale, one builds it and the other waits. */
const haveTurn = async () => {
  mkdirSync(join(root, "dist"), { recursive: true })
  while (true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" })
      return
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error
    }
    const pid = builder()
    if (pid > 0 && !lives(pid)) rmSync(lock, { force: true })
    else await sleep(LOOK_AGAIN_MS)
  }
}

/**
 * Builds those of the named parts that are stale; throws if a build fails.
 * @param {ReadonlyArray<string>} names
 */
export const buildStale = async (names) => {
  const wanted = parts.filter(({ name }) => names.includes(name))
  if (!wanted.some((part) => isStale(part))) return
  await haveTurn()
  try {
    for (const part of wanted.filter((part) => isStale(part))) {
      const started = performance.now()
      console.error(`Building ${part.says} …`)
      await buildPart(part)
      console.error(`Built ${part.says} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
  } finally {
    rmSync(lock, { force: true })
  }
}

export const partNames = parts.map(({ name }) => name)
