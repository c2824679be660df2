/** Circuits in the catalog: sector lines that came with laps, details that users give, and layouts found in laps. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { CircuitDetails } from "../../domain/Circuit.ts"
import { CircuitLayout, type CircuitLayouts, MAX_LAYOUTS } from "../../domain/CircuitLayout.ts"
import { SectorLines } from "../../domain/SectorLines.ts"
import { fromWire } from "../../platform/wire.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"
import { nameKey } from "./catalogRows.ts"

const StoredDetails = Schema.parseJson(fromWire(CircuitDetails))
const StoredLines = Schema.parseJson(SectorLines)
const StoredLayouts = Schema.parseJson(Schema.Array(CircuitLayout))

const layoutsOf = ({ value, version }: { readonly value: string; readonly version: number }) =>
  Effect.map(
    Effect.mapError(Schema.decode(StoredLayouts)(value), unavailable),
    (layouts): CircuitLayouts => ({ version, layouts })
  )

const detailsOf = ({ value }: { readonly value: string }) =>
  Effect.mapError(Schema.decode(StoredDetails)(value), unavailable)

export const make = (sql: SqlClient.SqlClient) => {
  /** Adds the lines to the circuit of this session: the reported one, by which the recorder asks for them. */
  const addSectorLines = Effect.fnUntraced(function* (sessionId: number, lines: SectorLines) {
    const value = yield* Effect.mapError(Schema.encode(StoredLines)(lines), unavailable)
    const [row] = yield* sql<{ circuit: string }>`SELECT coalesce(circuit_reported, circuit) AS circuit
      FROM sessions WHERE id = ${sessionId}`
    if (row === undefined) return
    yield* sql`INSERT INTO sector_lines (circuit_key, value) VALUES (${nameKey(row.circuit)}, ${value})`
  })

  const sectorLines = Effect.fn("Circuits.sectorLines")(function* (circuit: string) {
    const rows = yield* sql<{ value: string }>`SELECT value FROM sector_lines
      WHERE circuit_key = ${nameKey(circuit)} ORDER BY id LIMIT ${MAX_LAYOUTS}`
    return yield* Effect.forEach(rows, ({ value }) =>
      Effect.mapError(Schema.decode(StoredLines)(value), unavailable)
    )
  }, orUnavailable)

  const circuitDetails = Effect.fn("Circuits.circuitDetails")(function* (name: string) {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM circuits WHERE name_key = ${nameKey(name)}`
    return row === undefined ? undefined : yield* detailsOf(row)
  }, orUnavailable)

  const putCircuitDetails = Effect.fn("Circuits.putCircuitDetails")(function* (
    name: string,
    details: CircuitDetails
  ) {
    const value = yield* Effect.mapError(Schema.encode(StoredDetails)(details), unavailable)
    yield* sql`INSERT INTO circuits (name_key, name, value) VALUES (${nameKey(name)}, ${name}, ${value})
      ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, value = excluded.value`
  }, orUnavailable)

  const allCircuitDetails = Effect.gen(function* () {
    const rows = yield* sql<{ name: string; value: string }>`SELECT name, value FROM circuits`
    const all = yield* Effect.forEach(rows, (row) =>
      Effect.map(detailsOf(row), (details) => [row.name, details] as const)
    )
    return all.toSorted(([a], [b]) => (a < b ? -1 : 1))
  }).pipe(orUnavailable)

  const circuitLayouts = Effect.fn("Circuits.circuitLayouts")(function* (circuit: string) {
    const [row] = yield* sql<{ value: string; version: number }>`SELECT value, version FROM circuit_layouts
      WHERE circuit_key = ${nameKey(circuit)}`
    return row === undefined ? { version: 0, layouts: [] } : yield* layoutsOf(row)
  }, orUnavailable)

  const putCircuitLayouts = Effect.fn("Circuits.putCircuitLayouts")(function* (
    circuit: string,
    { layouts, version }: CircuitLayouts
  ) {
    const value = yield* Effect.mapError(Schema.encode(StoredLayouts)(layouts), unavailable)
    const key = nameKey(circuit)
    const changed =
      version === 0
        ? yield* sql`INSERT INTO circuit_layouts (circuit_key, version, value) VALUES (${key}, 1, ${value})
            ON CONFLICT (circuit_key) DO NOTHING RETURNING version`
        : yield* sql`UPDATE circuit_layouts SET version = version + 1, value = ${value}
            WHERE circuit_key = ${key} AND version = ${version} RETURNING version`
    return changed.length > 0
  }, orUnavailable)

  const allCircuitLayouts = Effect.gen(function* () {
    const rows = yield* sql<{ circuit_key: string; value: string; version: number }>`
      SELECT circuit_key, value, version FROM circuit_layouts`
    const all = yield* Effect.forEach(rows, (row) =>
      Effect.map(layoutsOf(row), (layouts) => [row.circuit_key, layouts] as const)
    )
    return all.toSorted(([a], [b]) => (a < b ? -1 : 1))
  }).pipe(orUnavailable)

  return {
    addSectorLines,
    circuits: {
      sectorLines,
      circuitDetails,
      putCircuitDetails,
      allCircuitDetails,
      circuitLayouts,
      putCircuitLayouts,
      allCircuitLayouts
    }
  }
}

export type SqlCircuits = ReturnType<typeof make>
