/** A DuckDB file, read by a process of its own (databaseProcess.ts). */
import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { entryOf } from "../../../platform/threads/entry.ts"
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"
import type { DatabaseAnswer, DatabaseAsk, Table } from "./databaseProcess.ts"

const MAGIC = "DUCK"
const MAGIC_AT = 8
const VERSION_AT = 12
/** The version of the library that wrote the file, as a text. */
const LIBRARY_AT = 0x34
const LIBRARY_BYTES = 32

const INSTALL = "npm install @duckdb/node-api"

export const isDuckDb = (head: Uint8Array): boolean =>
  head.length > VERSION_AT + 8 &&
  new TextDecoder().decode(head.subarray(MAGIC_AT, MAGIC_AT + MAGIC.length)) === MAGIC

/** "storage version 64, by v1.2.0": what a library that is too old for the file must be told apart by. */
const writtenBy = (file: SourceFile): string => {
  const head = file.bytes(0, LIBRARY_AT + LIBRARY_BYTES)
  const version = new DataView(head.buffer, head.byteOffset).getBigUint64(VERSION_AT, true)
  const [library = ""] = /^[\w.+-]*/.exec(new TextDecoder().decode(head.subarray(LIBRARY_AT))) ?? []
  return `storage version ${version}${library === "" ? "" : `, by ${library}`}`
}

export interface LmuDatabase {
  readonly tables: ReadonlyArray<Table>
  /** Rows of a numeric column from `from` to `until` (exclusive). Cheap only if asked for forwards. */
  readonly values: (table: string, column: string, from: number, until: number) => Promise<Float64Array>
  readonly texts: (
    table: string,
    columns: ReadonlyArray<string>
  ) => Promise<ReadonlyArray<ReadonlyArray<string>>>
}

/** Opens the file for as long as the generator `use` runs. Throws UnreadableFile if it cannot be read. */
export async function* withDatabase<A>(
  file: SourceFile,
  use: (database: LmuDatabase) => AsyncGenerator<A, void, void>
): AsyncGenerator<A, void, void> {
  const wal = `${file.path}.wal`
  if (existsSync(wal)) throw new UnreadableFile(`The game is still writing it: ${basename(wal)} is beside it`)
  const child = fork(entryOf("./databaseProcess", import.meta.url), [], {
    serialization: "advanced",
    execArgv: [],
    // What DuckDB prints as it crashes is no line of the service's log.
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  const ask = async (message: DatabaseAsk): Promise<DatabaseAnswer> => {
    const answer = await new Promise<DatabaseAnswer>((resolve) => {
      const ended = () => resolve({ failed: "DuckDB crashed" })
      child.once("exit", ended)
      child.once("message", (given: DatabaseAnswer) => {
        child.off("exit", ended)
        resolve(given)
      })
      if (child.exitCode !== null || child.signalCode !== null) ended()
      else child.send(message)
    })
    if ("missing" in answer) {
      throw new UnreadableFile(`It needs DuckDB's library: ${INSTALL}, then import it again`)
    }
    if ("failed" in answer) {
      const [reason = ""] = answer.failed.split("\n")
      throw new UnreadableFile(`DuckDB cannot read it (${writtenBy(file)}): ${reason.slice(0, 200)}`)
    }
    return answer
  }
  try {
    const opened = await ask({ open: file.path })
    yield* use({
      tables: "tables" in opened ? opened.tables : [],
      values: async (table, column, from, until) => {
        const answer = await ask({ table, column, from, until })
        return "values" in answer ? answer.values : new Float64Array()
      },
      texts: async (texts, columns) => {
        const answer = await ask({ texts, columns })
        return "rows" in answer ? answer.rows : []
      }
    })
  } finally {
    child.kill("SIGKILL")
  }
}
