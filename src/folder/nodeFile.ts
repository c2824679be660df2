/**
 * The node that a data folder makes of the service that records into it: `node.json`.
 *
 * `id` is drawn once and stays with the folder. `holder` is the process that was the node last, and `place` where the folder
 * was then: who records into a folder has it for itself (FolderLock.ts), so that the holder of before has ended, if
 * this is still the same folder and not a copy of it.
 */
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
import { DataFolderUnusable } from "../domain/errors.ts"
import type { NodeHolder } from "../store/Nodes.ts"

const NodeFile = Schema.parseJson(
  Schema.Struct({ id: Schema.NonEmptyString, holder: Schema.String, place: Schema.String })
)

const nodeFile = (folder: string) => join(folder, "node.json")

/** A copy of a folder is another file of the system; a folder that was renamed is the same. */
const placeOf = (folder: string): string => `${hostname()} ${statSync(folder, { bigint: true }).ino}`

const read = (folder: string) => {
  let text: string
  try {
    text = readFileSync(nodeFile(folder), "utf8")
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return undefined
    throw error
  }
  return Either.getOrThrowWith(
    Schema.decodeEither(NodeFile)(text),
    () => new Error(`${nodeFile(folder)} is damaged; without it the folder becomes a new node`)
  )
}

/** Whole or not at all: a power cut must not take the node's identity. */
const write = (folder: string, node: typeof NodeFile.Type) => {
  const fresh = `${nodeFile(folder)}.new`
  const file = openSync(fresh, "w")
  try {
    writeSync(file, `${Schema.encodeSync(NodeFile)(node)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, nodeFile(folder))
}

const inFolder = <A>(folder: string, attempt: () => A) =>
  Effect.try({ try: attempt, catch: (cause) => new DataFolderUnusable({ folder, cause }) })

/** What this process is to be, which has the folder for itself. A folder that is used first becomes a node. */
export const nodeOf = (folder: string) =>
  inFolder(folder, (): NodeHolder => {
    const place = placeOf(folder)
    const found = read(folder)
    const known = found ?? { id: randomUUID(), holder: "", place }
    if (found === undefined) write(folder, known)
    return {
      node: known.id,
      holder: randomUUID(),
      described: `process ${process.pid} on ${hostname()} in ${folder}`,
      ended: known.place === place ? known.holder : undefined
    }
  })

/** The process is the node from here on. */
export const rememberHolder = (folder: string, { holder, node }: NodeHolder) =>
  inFolder(folder, () => write(folder, { id: node, holder, place: placeOf(folder) }))
