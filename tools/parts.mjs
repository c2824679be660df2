/**
 * The parts that can be built, their sources, and the check whether a part is older than its sources.
 *
 * A build leaves a stamp in `dist/.built` with the time when it began.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * The path of a part's stamp.
 * @param {string} name
 * @param {string} folder The root.
 */
const stampOf = (name, folder) => join(folder, "dist/.built", name)

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} says Text that is shown during the build.
 * @property {ReadonlyArray<string>} madeOf Sources: files and folders, relative to the root.
 * @property {string} leaves One of the files that exist after the build.
 * @property {() => Promise<void>} make
 */

/**
 * When a file, or anything in a folder, was last changed, ms since the epoch. A folder's own time shows removals.
 * @param {string} path
 * @returns {number}
 */
const lastChange = (path) => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist")
    .reduce((latest, { name }) => Math.max(latest, lastChange(join(path, name))), found.mtimeMs)
}

/** Sources of every part: the libraries, the compilers' settings, and the build tools. */
export const always = [
  "package.json",
  "tsconfig.json",
  "node_modules/.package-lock.json",
  ...["buildStale", "parts", "program"].map((name) => `tools/${name}.mjs`)
]

/**
 * Whether any source has changed since the build.
 * @param {Part} part
 */
export const isStale = ({ leaves, madeOf, name }, folder = root) => {
  const stamp = statSync(stampOf(name, folder), { throwIfNoEntry: false })
  if (stamp === undefined || !existsSync(join(folder, leaves))) return true
  return [...always, ...madeOf].some((path) => lastChange(join(folder, path)) >= stamp.mtimeMs)
}

/** @param {Part} part */
export const buildPart = async ({ make, name }, folder = root) => {
  const stamp = stampOf(name, folder)
  // An interrupted build does not count.
  rmSync(stamp, { force: true })
  const began = `${stamp}.began`
  mkdirSync(dirname(stamp), { recursive: true })
  rmSync(began, { force: true })
  // By the clock of the files' times, which the system's clock may be ahead of.
  writeFileSync(began, "")
  await make()
  renameSync(began, stamp)
}
