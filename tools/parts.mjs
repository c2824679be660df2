/**
 * What is built: the parts, what each is made of, and how to see that one is older than what it is made of.
 *
 * A part that is built leaves a stamp in `dist/.built`, which has the time when its building began.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * Where a part's stamp stands.
 * @param {string} name
 * @param {string} folder The root.
 */
const stampOf = (name, folder) => join(folder, "dist/.built", name)

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} says What is reported while it is built.
 * @property {ReadonlyArray<string>} madeOf Files and folders, as seen from the root.
 * @property {string} leaves One of the files that are there when it is built.
 * @property {() => Promise<void>} make
 */

/**
 * When a file, or anything in a folder, was last changed, ms since the epoch. A folder's own time tells of what was removed.
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

/** What every part depends on: the libraries, the compilers' settings, and how parts are built. */
export const always = [
  "package.json",
  "tsconfig.json",
  "node_modules/.package-lock.json",
  ...["buildStale", "parts", "program"].map((name) => `tools/${name}.mjs`)
]

/**
 * Whether anything that it is made of was changed since it was built.
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
  // One that is broken off is not taken for built.
  rmSync(stamp, { force: true })
  const began = `${stamp}.began`
  mkdirSync(dirname(stamp), { recursive: true })
  rmSync(began, { force: true })
  // By the clock that the files' times are of, which the system's may be ahead of.
  writeFileSync(began, "")
  await make()
  renameSync(began, stamp)
}
