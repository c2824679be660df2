/** SQL for the sessions that a list or a sum is about: by names, by words, by tags. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { SessionFilter, SessionNamesWanted } from "../../domain/Session.ts"
import { nameKey } from "./catalogRows.ts"

const NAMES = ["circuit", "vehicle", "driver"] as const

export const make = (sql: SqlClient.SqlClient) => {
  /** A condition for each name that is given, followed by `more`. */
  const conditions = (names: SessionNamesWanted, ...more: ReadonlyArray<Fragment>) => {
    const named = NAMES.flatMap((name) => {
      const wanted = names[name]
      return wanted === undefined ? [] : [sql`${sql(`${name}_key`)} = ${nameKey(wanted)}`]
    })
    return [...named, ...more]
  }

  /**
   * Searches names in `totals`, which has a row for each combination of the three names. Sessions that do not match are
   * not read.
   */
  const searched = (search: string): ReadonlyArray<Fragment> =>
    nameKey(search)
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => {
        const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`
        return sql.or(NAMES.map((name) => sql`${sql(`${name}_key`)} LIKE ${pattern} ESCAPE '\\'`))
      })

  /** The filter as conditions on names, for the sessions themselves or for the rows of `totals` that count them. */
  const whereFound = (
    { search, tag, ...names }: Pick<SessionFilter, keyof SessionNamesWanted | "search" | "tag">,
    of: "sessions" | "totals",
    ...others: ReadonlyArray<Fragment>
  ) => {
    const more = tag === undefined ? others : [...others, sql`id IN (${sessionsTagged(tag)})`]
    const words = search === undefined ? [] : searched(search)
    if (words.length === 0) return whereNamed(names, ...more)
    if (of === "totals") return whereNamed(names, ...words, ...more)
    const found = sql`(circuit, vehicle, driver) IN (SELECT circuit, vehicle, driver FROM totals ${whereNamed(names, ...words)})`
    return whereNamed(names, found, ...more)
  }

  const sessionsTagged = (tag: string) =>
    sql`SELECT session_id FROM tags WHERE tag_key = ${nameKey(tag)} AND lap_id IS NULL`

  const whereNamed = (names: SessionNamesWanted, ...more: ReadonlyArray<Fragment>) => {
    const all = conditions(names, ...more)
    return all.length === 0 ? sql`` : sql`WHERE ${sql.and(all)}`
  }

  return { sessionsTagged, whereFound, whereNamed }
}
