/** Answers are encoded in one pass, with the result of their schemas. */
import { Arbitrary, FastCheck, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { LapComparison } from "../../src/domain/analysis/comparison.ts"
import { SessionAnomalies } from "../../src/domain/analysis/anomalies.ts"
import { SessionConsistency } from "../../src/domain/analysis/consistency.ts"
import { SessionMicroSectors } from "../../src/domain/analysis/microSectors.ts"
import { Prediction } from "../../src/domain/analysis/predictions.ts"
import { SectorAnalysis } from "../../src/domain/analysis/sectors.ts"
import { CircuitDescription } from "../../src/domain/analysis/circuit.ts"
import { Configuration } from "../../src/domain/Configuration.ts"
import { Lap } from "../../src/domain/Lap.ts"
import { Session } from "../../src/domain/Session.ts"
import { BestLap, CircuitStatistics, DriverStatistics } from "../../src/domain/statistics.ts"
import { Health, SystemStatus, Unhealthy } from "../../src/operations/system.ts"
import { KnownSimulator } from "../../src/simulators/Driver.ts"
import { runs } from "../support/runs.ts"
import { toJson, toWire, wireSchema } from "../../src/platform/wire.ts"

const answers = {
  BestLap: Schema.Array(BestLap),
  CircuitDescription,
  CircuitStatistics,
  Configuration,
  DriverStatistics,
  Health: Schema.Union(Health, Unhealthy),
  KnownSimulator,
  Lap,
  LapComparison,
  Prediction,
  SectorAnalysis,
  Session,
  SessionAnomalies,
  SessionConsistency,
  SessionMicroSectors,
  SystemStatus
} satisfies Record<string, Schema.Schema.AnyNoContext>

/** The same with numbers that can be times of a calendar. */
const bounded = (value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? value % 1e9 : 0
  if (Array.isArray(value)) return value.map(bounded)
  if (typeof value !== "object" || value === null) return value
  // Schemas drop the key `__proto__` of a record.
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__")
  return Object.fromEntries(entries.map(([key, one]) => [key, bounded(one)]))
}

describe("an answer is encoded as by its schema", () => {
  it.each(Object.entries(answers))("%s", (_, answer) => {
    const schema = Schema.make<unknown>(answer.ast)
    const bySchema = Schema.encodeSync(wireSchema(schema))
    const rename = toWire(schema)
    const encode = toJson(schema)
    const values = Arbitrary.make(schema).map(bounded)
    FastCheck.assert(
      FastCheck.property(values, (value) => {
        expect(JSON.stringify(encode(value))).toBe(JSON.stringify(bySchema(rename(value))))
      }),
      { numRuns: runs(50) }
    )
  })
})
