/** Marks as lists: all kinds together, and those that answers and pages go by. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { Mark, Reference } from "../../domain/Mark.ts"
import type { SessionNamesWanted } from "../../domain/Session.ts"
import type { MarksWanted } from "../Marks.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { givenId, nameKey } from "./catalogRows.ts"
import * as Kinds from "./markKinds.ts"
import type { MarkRow } from "./markRows.ts"

interface ListedRow extends MarkRow {
  readonly kind: Mark["kind"]
  readonly session_id: number | null
  readonly lap_id: number | null
  readonly found_lap: number | null
}

const idOrNull = (id: number | null) => (id === null ? null : Number(id))

const listed = (row: ListedRow): Effect.Effect<Mark, StoreUnavailable> =>
  Effect.map(
    Kinds.kinds[row.kind].read(row.value) as Effect.Effect<object, StoreUnavailable>,
    (value) =>
      ({
        ...value,
        id: Number(row.id),
        kind: row.kind,
        sessionId: idOrNull(row.session_id),
        lapId: idOrNull(row.lap_id),
        revision: row.revision,
        changedAt: row.changed_at,
        unmatched: row.lap_id !== null && row.found_lap === null
      }) as Mark
  )

/** How special a reference is: one for the driver's own car goes before one for the car, and that before one for the driver. */
const speciality = ({ driver, vehicle }: Reference) => (vehicle === null ? 0 : 2) + (driver === null ? 0 : 1)

/** Whether a reference that is for this name, or for any, is for the wanted one. */
const fits = (of: string | null, wanted: string | undefined) =>
  of === null || wanted === undefined || nameKey(of) === nameKey(wanted)

export const make = (sql: SqlClient.SqlClient) => {
  const rowsOf = (...where: ReadonlyArray<ReturnType<typeof givenId>>) =>
    sql<ListedRow>`SELECT marks.id, kind, marks.session_id, marks.lap_id, value, is_set, revision, changed_at,
      laps.id AS found_lap FROM marks LEFT JOIN laps ON laps.id = marks.lap_id
      WHERE ${sql.and(["is_set = 1", ...where])} ORDER BY marks.id`

  const marks = Effect.fn("Marks.marks")(function* ({ after, kind, limit, sessionId, tag }: MarksWanted) {
    const rows = yield* sql<ListedRow>`${rowsOf(
      sql`marks.id > ${givenId(sql, after)}`,
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(sessionId === undefined ? [] : [sql`marks.session_id = ${givenId(sql, sessionId)}`]),
      ...(tag === undefined
        ? []
        : [sql`marks.id IN (SELECT mark_id FROM tags WHERE tag_key = ${nameKey(tag)})`])
    )} LIMIT ${limit}`
    return yield* Effect.forEach(rows, listed)
  }, orUnavailable)

  /** Also those that were taken back, which have their revisions. */
  const anomalyRows = Effect.fnUntraced(function* (sessionId: number) {
    const rows = yield* sql<{
      readonly target: string
      readonly value: string
    }>`SELECT target, value FROM marks
      WHERE session_id = ${sessionId} AND kind = 'anomaly' ORDER BY id`
    return yield* Effect.forEach(rows, ({ target, value }) =>
      Effect.map(Kinds.anomaly.read(value), (mark) => ({ target, mark }))
    )
  })

  const anomalyMarks = Effect.fn("Marks.anomalyMarks")(function* (sessionId: number) {
    const rows = yield* anomalyRows(sessionId)
    return rows.flatMap(({ mark }) => (mark.dismissed ? [mark] : []))
  }, orUnavailable)

  const references = Effect.fn("Marks.references")(function* ({
    circuit,
    driver,
    vehicle
  }: SessionNamesWanted) {
    const rows = yield* rowsOf(sql`kind = 'reference'`)
    const all = yield* Effect.forEach(rows, (row) =>
      Effect.map(
        listed(row),
        ({ changedAt, circuit, driver, lapId, name, revision, sessionId, unmatched, vehicle }) =>
          ({ circuit, vehicle, driver, lapId, sessionId, name, revision, changedAt, unmatched }) as Reference
      )
    )
    return all
      .filter((one) => fits(one.circuit, circuit) && fits(one.vehicle, vehicle) && fits(one.driver, driver))
      .toSorted((a, b) => speciality(b) - speciality(a))
  }, orUnavailable)

  const names = Effect.gen(function* () {
    const rows = yield* rowsOf(sql`kind = 'name'`)
    return yield* Effect.forEach(rows, ({ changed_at: changedAt, revision, value }) =>
      Effect.map(Kinds.name.read(value), (value) => ({ value, revision, changedAt }))
    )
  }).pipe(orUnavailable)

  return { anomalyRows, lists: { marks, anomalyMarks, references, names } }
}
