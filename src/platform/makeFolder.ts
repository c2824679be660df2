/** Creates the data folder, and missing folders above it. */
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
 * Creates one folder after the other. Node's own `recursive` never returns if the system refuses a new folder in an existing
 * one, as in /proc (Node 20 and 22).
 */
const make = async (path: string): Promise<void> => {
  if (await isFolder(path)) return
  await make(dirname(path))
  try {
    await mkdir(path)
  } catch (error) {
    // Another process created it first.
    if (codeOf(error) !== "EEXIST") throw error
  }
}

/** Succeeds if the folder exists or was created, and files can be created in it. Returns its full path. */
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
