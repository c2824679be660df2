/** Makes the data folder, and those above it that are missing. */
import { constants } from "node:fs"
import { access, mkdir, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import { DataFolderUnusable } from "../domain/errors.ts"

const codeOf = (error: unknown) => (error as { readonly code?: unknown } | null)?.code

const isFolder = async (path: string): Promise<boolean> => {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return true
    throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR" })
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false
    throw error
  }
}

/**
 * One folder after the other: Node's own `recursive` never returns where the system makes no folder in one that exists, as
 * in /proc (Node 20 and 22).
 */
const make = async (path: string): Promise<void> => {
  if (await isFolder(path)) return
  await make(dirname(path))
  try {
    await mkdir(path)
  } catch (error) {
    // Another process was quicker.
    if (codeOf(error) !== "EEXIST") throw error
  }
}

/** The folder is there, and files can be made in it; where it is, whole. */
export const makeFolder = (folder: string) => {
  const path = resolve(folder)
  return Effect.tryPromise({
    try: async () => {
      await make(path)
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
      return path
    },
    catch: (cause) => new DataFolderUnusable({ folder: path, cause })
  })
}
