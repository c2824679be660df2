/**
 * Checks whether a table is as the service made it. Another program may have a table of that name, and an analyst may
 * have changed the type of a column. A value that is read as another type is meaningless.
 */
import { Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import type { Connections } from "./Connections.ts"

type Ask = Pick<(typeof Connections)["Service"], "rows">

export interface Column {
  readonly name: string
  readonly type: string
}

/** Names and their types. */
export type Columns = Readonly<Record<string, string>>

/** The visible columns of a table. */
export const columnsOf = ({ rows }: Ask, table: string) =>
  Effect.map(rows(`SELECT "column" AS name, type FROM table_columns('${table}')`), (found) =>
    found.map((row): Column => ({ name: String(row["name"]), type: String(row["type"]) }))
  )

/** The tables that the server has. */
export const tablesThere = ({ rows }: Ask) =>
  Effect.map(
    rows("SELECT table_name FROM tables()"),
    (found) => new Set(found.map((row) => String(row["table_name"])))
  )

/** The types to which a DOUBLE can be changed and still be a number. */
const numbers: ReadonlySet<string> = new Set(["BYTE", "SHORT", "INT", "LONG", "FLOAT", "DECIMAL"])

/** Whether somebody has changed the type of a channel's column. A table may also have columns that an analyst added. */
export const isAltered = ({ type }: Column): boolean => numbers.has(type)

/** Fails unless the table has these columns, of these types. `alteredToo`: no other column may have been a DOUBLE. */
export const ensureFits = Effect.fn("questdb.ensureFits")(function* (
  ask: Ask,
  table: string,
  needed: Columns,
  alteredToo = false
) {
  const there = yield* columnsOf(ask, table)
  const types = new Map(there.map(({ name, type }) => [name, type]))
  const wrong = Object.entries(needed).flatMap(([name, type]) => {
    const found = types.get(name)
    return found === type ? [] : [`${name} is ${found ?? "lacking"}, and has to be ${type}`]
  })
  const altered = alteredToo ? there.filter((column) => !(column.name in needed) && isAltered(column)) : []
  wrong.push(...altered.map(({ name, type }) => `${name} is ${type}, and has to be DOUBLE`))
  if (wrong.length === 0) return
  const advice =
    "Change them back (ALTER TABLE … ALTER COLUMN … TYPE …); or, if the table is another program's, give this service tables of its own by prefix=NAME_ in --points"
  const reason = `QuestDB's table ${table} is not as the service made it: ${wrong.join("; ")}. ${advice}`
  return yield* new StoreUnavailable({ store: "questdb", cause: new Error(reason), reason })
})
