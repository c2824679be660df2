/** The imports of files: a row for each. Options and reports are JSON. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Option, Schema, Struct } from "effect"
import { ImportNotFound } from "../../domain/errors.ts"
import {
  type FileImport,
  type ImportChange,
  ImportOptions,
  ImportReport,
  ImportState,
  type ImportsWanted,
  type NewFileImport,
  noReport,
  type UnfinishedImport
} from "../../domain/FileImport.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"
import { givenId } from "./catalogRows.ts"

const Options = Schema.parseJson(ImportOptions)
const Report = Schema.parseJson(ImportReport)
const Facts = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
/** Sessions whose facts are read at a time. */
const MAX_FACTS = 1000

interface Row {
  readonly id: number
  readonly name: string
  readonly sha256: string | null
  readonly size: number | string
  readonly state: string
  readonly batch: string | null
  readonly started: number | null
  readonly finished: number | null
  readonly options: string
  readonly report: string
  /** JSON: the ids of the sessions. */
  readonly sessions: string
}

const Ids = Schema.parseJson(Schema.Array(Schema.Int))

const progressOf = ({ size, state }: Row, { read }: ImportReport): number => {
  if (state === "done" || state === "partial") return 1
  return Number(size) === 0 ? 0 : Math.min(1, read / Number(size))
}

const toImport = (row: Row): Effect.Effect<UnfinishedImport, unknown> =>
  Effect.gen(function* () {
    const report = yield* Schema.decode(Report)(row.report)
    return {
      id: Number(row.id),
      name: row.name,
      sha256: row.sha256,
      size: Number(row.size),
      // Of one that is uploading, its file knows.
      received: row.state === "uploading" ? 0 : Number(row.size),
      batch: row.batch,
      options: yield* Schema.decode(Options)(row.options),
      state: yield* Schema.decodeUnknown(ImportState)(row.state),
      progress: progressOf(row, report),
      sessions: yield* Schema.decode(Ids)(row.sessions),
      started: row.started,
      finished: row.finished,
      ...report
    }
  })

/** `node`: null in a process that records nothing, which imports nothing. */
export const make = (sql: SqlClient.SqlClient, node: string | null) => {
  const own = node ?? ""
  const ids = sql.onDialectOrElse({
    pg: () => sql`(SELECT coalesce(json_agg(session_id ORDER BY session_id), '[]')::text FROM session_sources
      WHERE import_id = file_imports.id)`,
    orElse: () => sql`(SELECT json_group_array(session_id) FROM
      (SELECT session_id FROM session_sources WHERE import_id = file_imports.id ORDER BY session_id))`
  })
  const select = sql`SELECT id, name, sha256, size, state, batch, started, finished, options, report, ${ids} AS sessions
    FROM file_imports`
  const readWhole = (row: Row) => Effect.mapError(toImport(row), unavailable)
  const read = (row: Row): Effect.Effect<FileImport, ReturnType<typeof unavailable>> =>
    Effect.map(readWhole(row), Struct.omit("options"))

  const rowOf = Effect.fnUntraced(function* (id: number) {
    const [row] = yield* sql<Row>`${select} WHERE id = ${givenId(sql, id)}`
    return row ?? (yield* new ImportNotFound({ importId: id }))
  })

  const fileImport = Effect.fn("FileImports.fileImport")(
    (id: number) => Effect.flatMap(rowOf(id), read),
    orUnavailable
  )

  const addImport = Effect.fn("FileImports.addImport")(function* (added: NewFileImport) {
    const { batch = null, name, options, sha256, size, state } = added
    const [row] = yield* sql<{ id: number }>`INSERT INTO file_imports ${sql
      .insert({
        node: own,
        name,
        sha256,
        size,
        state,
        batch,
        options: yield* Effect.mapError(Schema.encode(Options)(options), unavailable),
        report: yield* Effect.mapError(Schema.encode(Report)(noReport), unavailable)
      })
      .returning("id")}`
    return yield* Effect.flatMap(Effect.orDie(rowOf(Number(row!.id))), read)
  }, orUnavailable)

  const changeImport = Effect.fn("FileImports.changeImport")(function* (
    id: number,
    { report, ...change }: ImportChange
  ) {
    const columns = {
      ...change,
      ...(report === undefined
        ? {}
        : { report: yield* Effect.mapError(Schema.encode(Report)(report), unavailable) })
    }
    if (Object.keys(columns).length > 0) {
      yield* sql`UPDATE file_imports SET ${sql.update(columns)} WHERE id = ${givenId(sql, id)}`
    }
    return yield* Effect.flatMap(rowOf(id), read)
  }, orUnavailable)

  const fileImports = Effect.fn("FileImports.fileImports")(function* ({
    batch,
    limit,
    offset,
    sessionId,
    sha256,
    state
  }: ImportsWanted & { readonly limit: number; readonly offset: number }) {
    const wanted = sql.and([
      sql`1 = 1`,
      ...(state === undefined ? [] : [sql`state = ${state}`]),
      ...(batch === undefined ? [] : [sql`batch = ${batch}`]),
      ...(sha256 === undefined ? [] : [sql`sha256 = ${sha256}`]),
      ...(sessionId === undefined
        ? []
        : [sql`id IN (SELECT import_id FROM session_sources WHERE session_id = ${givenId(sql, sessionId)})`])
    ])
    const [counted] = yield* sql<{
      count: number | string
    }>`SELECT count(*) AS count FROM file_imports WHERE ${wanted}`
    const rows = yield* sql<Row>`${select} WHERE ${wanted} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`
    return { total: Number(counted!.count), items: yield* Effect.forEach(rows, read) }
  }, orUnavailable)

  const importOf = Effect.fn("FileImports.importOf")(function* (sha256: string) {
    const [row] = yield* sql<Row>`${select} WHERE sha256 = ${sha256} AND state IN ('done', 'partial')
      AND id IN (SELECT import_id FROM session_sources) ORDER BY id DESC LIMIT 1`
    return row === undefined ? Option.none() : Option.some(yield* read(row))
  }, orUnavailable)

  const keepFacts = Effect.fn("FileImports.keepFacts")(function* (
    sessionId: number,
    facts: Readonly<Record<string, unknown>>
  ) {
    const [row] = yield* sql<{
      facts: string | null
    }>`SELECT facts FROM session_sources WHERE session_id = ${sessionId}`
    const kept =
      typeof row?.facts === "string"
        ? yield* Effect.mapError(Schema.decode(Facts)(row.facts), unavailable)
        : {}
    yield* sql`UPDATE session_sources SET facts = ${JSON.stringify({ ...kept, ...facts })} WHERE session_id = ${sessionId}`
  }, orUnavailable)

  const factsNamed = Effect.fn("FileImports.factsNamed")(function* (name: string) {
    const rows = yield* sql<{ facts: string }>`SELECT facts FROM session_sources
      WHERE facts LIKE ${`%${JSON.stringify(name)}:%`} ORDER BY session_id DESC LIMIT ${MAX_FACTS}`
    const found = yield* Effect.forEach(rows, ({ facts }) =>
      Effect.mapError(Schema.decode(Facts)(facts), unavailable)
    )
    return found.flatMap((facts) => (name in facts ? [facts[name]] : []))
  }, orUnavailable)

  // A catalog file has one node only.
  const ofThisNode = sql.onDialectOrElse({ pg: () => sql`node = ${own}`, orElse: () => sql`1 = 1` })
  const unfinishedImports = sql<Row>`${select} WHERE ${ofThisNode} AND finished IS NULL ORDER BY id`.pipe(
    Effect.flatMap(Effect.forEach(readWhole)),
    orUnavailable
  )

  const removeImport = Effect.fn("FileImports.removeImport")(function* (id: number) {
    yield* sql`DELETE FROM file_imports WHERE id = ${givenId(sql, id)}`
  }, orUnavailable)

  return {
    addImport,
    fileImport,
    fileImports,
    changeImport,
    importOf,
    unfinishedImports,
    removeImport,
    keepFacts,
    factsNamed
  }
}
