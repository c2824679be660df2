/** A SQLite file opened as by another program beside the service. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

interface Options {
  readonly readOnly?: boolean
  /** How long a statement waits for another connection's lock, ms. */
  readonly timeout?: number
}

export const openSqlite = (file: string, options: Options = {}): DatabaseSync =>
  new DatabaseSync(file, { timeout: 5000, ...options })

/** The first column of the first row; undefined if there is no row. */
export const valueOf = (database: DatabaseSync, text: string, ...parameters: ReadonlyArray<SQLInputValue>) =>
  Object.values(database.prepare(text).get(...parameters) ?? {})[0]
