/**
 * The node of a data folder, which the service that records into the folder becomes: `node.json`.
 *
 * `id` is drawn once and stays with the folder. `holder` is the process that was the node last, and `place` is where the
 * folder was then. A process that records into a folder has it exclusively (FolderLock.ts). So the previous holder has ended,
 * if this is still the same folder and not a copy of it. `databases` belongs to databaseLogs.ts.
 */
import { randomUUID } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync
} from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
import { DataFolderUnusable } from "../../domain/errors.ts"
import type { NodeHolder } from "../../store/Nodes.ts"

const NodeFile = Schema.parseJson(
  Schema.Struct({
    id: Schema.NonEmptyString,
    holder: Schema.String,
    place: Schema.String,
    databases: Schema.Record({ key: Schema.String, value: Schema.Int })
  })
)

const nodeFile = (folder: string) => join(folder, "node.json")

/** Whether no service has recorded into the folder. A copy of a recorded folder may lack the node, but has a store. */
export const isNew = (folder: string): boolean =>
  !existsSync(nodeFile(folder)) &&
  !(existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".sqlite")))

/** Identifies the folder: a copy has another inode, a renamed folder has the same one. */
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

/** Writes the file completely or not at all: a power cut must not lose the node's identity. */
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

/** The node and holder that this process becomes. It must have the folder exclusively. A new folder becomes a node. */
export const nodeOf = (folder: string) =>
  inFolder(folder, (): NodeHolder => {
    const place = placeOf(folder)
    const found = read(folder)
    const known = found ?? { id: randomUUID(), holder: "", place, databases: {} }
    if (found === undefined) write(folder, known)
    return {
      node: known.id,
      holder: randomUUID(),
      described: `process ${process.pid} on ${hostname()} in ${folder}`,
      ended: known.place === place ? known.holder : undefined
    }
  })

/** Records that this process is the node from now on. */
export const rememberHolder = (folder: string, { holder, node }: NodeHolder) =>
  inFolder(folder, () =>
    write(folder, { id: node, holder, place: placeOf(folder), databases: read(folder)?.databases ?? {} })
  )

/** The databases of the folder, by name, each with its cookie as noted by databaseLogs.ts. */
export const notedDatabases = (folder: string) => inFolder(folder, () => read(folder)?.databases ?? {})

/** Replaces the noted databases. A folder that is not a node yet has none. */
export const noteDatabases = (folder: string, databases: Readonly<Record<string, number>>) =>
  inFolder(folder, () => {
    const node = read(folder)
    if (node !== undefined && Object.keys({ ...node.databases, ...databases }).length > 0)
      write(folder, { ...node, databases })
  })
