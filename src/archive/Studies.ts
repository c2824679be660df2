/**
 * Analysis and statistics of what was recorded: reads laps and points, and leaves the thinking to analysis/, where it
 * takes long by way of the analyst.
 */
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import type { LapData } from "../analysis/alignment.ts"
import type { SessionAnomalies } from "../analysis/anomalies.ts"
import { comparableLaps } from "../analysis/comparable.ts"
import { type CircuitDescription, editedCircuit } from "../analysis/circuits/description.ts"
import type { Comparison } from "../analysis/comparison.ts"
import type { Prediction } from "../analysis/predictions.ts"
import { type SectorAnalysis, sectorAnalysis } from "../analysis/sectors.ts"
import {
  bestLaps,
  type CircuitStatistics,
  circuitStatistics,
  type DriverStatistics,
  driverStatistics,
  type RankedLap
} from "../analysis/statistics.ts"
import {
  CircuitNotFound,
  DriverNotFound,
  InvalidValue,
  type LapNotFound,
  type SessionNotFound,
  type StoreUnavailable
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { channels, PointBatch } from "../domain/PointBatch.ts"
import type { SessionNamesWanted } from "../domain/Session.ts"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { Analyst } from "./Analyst.ts"
import type { SessionConsistency, SessionMicroSectors } from "./analyst/computations.ts"
import { measureDistance } from "./distances.ts"

/** Laps that one comparison takes (contract, section 3). */
export const FEWEST_COMPARED = 2
export const MOST_COMPARED = 20
/** Laps of a session that are held against each other metre by metre: 20 take 0.2 s, a day's would take 10. */
export const MOST_STUDIED = 20
/** Laps that are looked at to find a circuit's corners: the fastest may have holes. */
const MOST_LOOKED_AT = 3
/** Points around a lap that show where it crossed the line, s. */
const MARGIN_S = 2

const fastest = (session: ReadonlyArray<RecordedLap>) =>
  comparableLaps(session)
    .toSorted((a, b) => a.lap_time - b.lap_time || a.id - b.id)
    .slice(0, MOST_STUDIED)

export class Studies extends Context.Tag("archive/Studies")<
  Studies,
  {
    /** Different laps of any sessions on one circuit. */
    readonly compare: (
      lapIds: ReadonlyArray<number>
    ) => Effect.Effect<Comparison, LapNotFound | InvalidValue | StoreUnavailable>
    readonly sectors: (lapId: number) => Effect.Effect<SectorAnalysis, LapNotFound | StoreUnavailable>
    readonly anomalies: (
      sessionId: number
    ) => Effect.Effect<SessionAnomalies, SessionNotFound | StoreUnavailable>
    /** Of the session's fastest comparable laps, at most MOST_STUDIED; no pieces where none is known all the way. */
    readonly microSectors: (
      sessionId: number
    ) => Effect.Effect<SessionMicroSectors, SessionNotFound | StoreUnavailable>
    /** Times of all comparable laps, lines of the fastest of them, at most MOST_STUDIED. */
    readonly consistency: (
      sessionId: number
    ) => Effect.Effect<SessionConsistency, SessionNotFound | StoreUnavailable>
    readonly prediction: (sessionId: number) => Effect.Effect<Prediction, SessionNotFound | StoreUnavailable>
    readonly bestLaps: (
      names: SessionNamesWanted,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RankedLap>, StoreUnavailable>
    readonly driver: (name: string) => Effect.Effect<DriverStatistics, DriverNotFound | StoreUnavailable>
    readonly circuit: (name: string) => Effect.Effect<CircuitStatistics, CircuitNotFound | StoreUnavailable>
    /** The name as its newest session has it, of a circuit that has one. */
    readonly circuitName: (name: string) => Effect.Effect<string, CircuitNotFound | StoreUnavailable>
    /** Its corners: those that a user gave, else those of the known circuit that it is, else those found in its laps. */
    readonly circuitCorners: (
      name: string
    ) => Effect.Effect<CircuitDescription, CircuitNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const points = yield* PointStore
      const analyst = yield* Analyst
      const stores = yield* Effect.context<Catalog | PointStore>()

      const readLap = Effect.fn("Studies.readLap")(function* (lap: RecordedLap) {
        const around = {
          sessionId: lap.session_id,
          from: lap.start_time - MARGIN_S,
          until: lap.end_time + MARGIN_S
        }
        const batches = Chunk.toReadonlyArray(yield* Stream.runCollect(points.read(around)))
        const whole = batches.length === 0 ? PointBatch.allocate(0, channels) : PointBatch.concat(batches)
        return { lap, points: whole } satisfies LapData
      })

      const readLaps = (laps: ReadonlyArray<RecordedLap>) => Effect.forEach(laps, readLap)

      const comparable = Effect.fn("Studies.comparable")(function* (lapIds: ReadonlyArray<number>) {
        const unfit = (expected: string) =>
          new InvalidValue({ name: "lap_ids", value: lapIds.join(","), expected })
        if (new Set(lapIds).size !== lapIds.length) return yield* unfit("different laps")
        if (lapIds.length < FEWEST_COMPARED || lapIds.length > MOST_COMPARED) {
          return yield* unfit(`${FEWEST_COMPARED} to ${MOST_COMPARED} laps`)
        }
        const laps = yield* Effect.forEach(lapIds, catalog.lap)
        const sessions = yield* Effect.forEach(new Set(laps.map((lap) => lap.session_id)), (id) =>
          // A lap goes with its session: one that is gone between the two reads takes the lap along.
          Effect.option(catalog.session(id))
        )
        const circuits = new Set(
          sessions.flatMap(Option.toArray).map((session) => session.circuit.toLowerCase())
        )
        const [circuit, ...others] = circuits
        return others.length > 0 ? yield* unfit("laps of one circuit") : { circuit, laps }
      })

      const circuitName = Effect.fn("Studies.circuitName")(function* (name: string) {
        const { items } = yield* catalog.sessions({ circuit: name, limit: 1, offset: 0 })
        const [newest] = items
        return newest === undefined ? yield* new CircuitNotFound({ circuit: name }) : newest.circuit
      })

      return {
        compare: Effect.fn("Studies.compare")(function* (lapIds) {
          const { circuit, laps } = yield* comparable(lapIds)
          const details = circuit === undefined ? undefined : yield* catalog.circuitDetails(circuit)
          return yield* analyst.compare(readLaps(laps), details)
        }),
        circuitName,
        circuitCorners: Effect.fn("Studies.circuitCorners")(function* (wanted) {
          const name = yield* circuitName(wanted)
          const details = yield* catalog.circuitDetails(name)
          if (details !== undefined && details.corners.length > 0) return editedCircuit(name, details)
          const sessions = yield* catalog.sessionsWithLaps({ circuit: name })
          const laps = fastest(sessions.flatMap((one) => one.laps)).slice(0, MOST_LOOKED_AT)
          return yield* analyst.circuit(name, readLaps(laps), details)
        }),
        sectors: Effect.fn("Studies.sectors")(function* (lapId) {
          const lap = yield* catalog.lap(lapId)
          const session = yield* Effect.catchTag(catalog.laps(lap.session_id), "SessionNotFound", () =>
            Effect.succeed([lap])
          )
          return sectorAnalysis(yield* readLap(lap), session)
        }),
        anomalies: Effect.fn("Studies.anomalies")(function* (sessionId) {
          const laps = yield* catalog.laps(sessionId)
          return yield* analyst.anomalies(sessionId, readLaps(laps))
        }),
        microSectors: Effect.fn("Studies.microSectors")(function* (sessionId) {
          const laps = fastest(yield* catalog.laps(sessionId))
          return yield* analyst.microSectors(readLaps(laps))
        }),
        consistency: Effect.fn("Studies.consistency")(function* (sessionId) {
          const laps = yield* catalog.laps(sessionId)
          return yield* analyst.consistency(laps, readLaps(fastest(laps)))
        }),
        prediction: (sessionId) => Effect.flatMap(catalog.laps(sessionId), analyst.prediction),
        bestLaps: (names, limit) =>
          Effect.map(catalog.sessionsWithLaps(names), (sessions) => bestLaps(sessions, limit)),
        driver: Effect.fn("Studies.driver")(function* (name) {
          const sessions = yield* catalog.sessionsWithLaps({ driver: name })
          if (sessions.length === 0) return yield* new DriverNotFound({ driver: name })
          const metres = yield* Effect.forEach(sessions, ({ distance, session }) =>
            distance === null ? Effect.provide(measureDistance(session.id), stores) : Effect.succeed(distance)
          )
          const total = metres.reduce((sum, of) => sum + of, 0)
          return driverStatistics(sessions.at(-1)!.session.driver, sessions, total)
        }),
        circuit: Effect.fn("Studies.circuit")(function* (name) {
          const sessions = yield* catalog.sessionsWithLaps({ circuit: name })
          if (sessions.length === 0) return yield* new CircuitNotFound({ circuit: name })
          return circuitStatistics(sessions.at(-1)!.session.circuit, sessions)
        })
      }
    })
  )
}
