/**
 * Names the two tables of blocks, which are queried in the same way: `point_blocks` has the points, `group_blocks` the
 * samples of other groups.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** The points of a session, or the samples of one of its groups. */
export interface BlocksOf {
  readonly sessionId: number
  readonly group?: string | undefined
}

export interface BlockTable {
  /**
   * SQL that gives blocks as rows of `StoredBlock`: the selected columns and the tables. The table of blocks is called `b` in
   * both.
   */
  readonly stored: Fragment
  readonly storedFrom: Fragment
  /** The table alone, whose index has the columns below. */
  readonly from: Fragment
  readonly first: Fragment
  readonly last: Fragment
  readonly length: Fragment
}

/** The parts of a statement about the blocks of one session or group. */
export interface Blocks extends BlockTable {
  readonly theirs: Fragment
}

export const make = (sql: SqlClient.SqlClient): ((of: BlocksOf) => Blocks) => {
  const table = (
    name: string,
    {
      from = "",
      names,
      ...columns
    }: Record<"first" | "last" | "length" | "group" | "names", string> & { from?: string }
  ): BlockTable => ({
    stored: sql.literal(
      `b.id AS id, b.session_id AS session_id, ${columns.group} AS group_name, ${names} AS names,
        b.${columns.first} AS first, b.${columns.last} AS last, b.${columns.length} AS length, b.checksum AS checksum, b.data AS data`
    ),
    storedFrom: sql.literal(`${name} AS b${from}`),
    from: sql.literal(`${name} AS b`),
    first: sql.literal(`b.${columns.first}`),
    last: sql.literal(`b.${columns.last}`),
    length: sql.literal(`b.${columns.length}`)
  })
  const points = table("point_blocks", {
    first: "first_point",
    last: "last_point",
    length: "points",
    group: "NULL",
    names: "NULL"
  })
  const samples = table("group_blocks", {
    first: "first_sample",
    last: "last_sample",
    length: "samples",
    group: "b.group_name",
    names: "l.names",
    // A block whose layout is missing must be found, so that it is reported as damaged.
    from: " LEFT JOIN layouts AS l ON l.id = b.layout"
  })
  return ({ group, sessionId }) =>
    group === undefined
      ? { ...points, theirs: sql`b.session_id = ${sessionId}` }
      : { ...samples, theirs: sql`b.session_id = ${sessionId} AND b.group_name = ${group}` }
}
