/**
 * Analysis and statistics of recorded laps: reads laps and points, and calls the functions of analysis/. Long
 * computations run on the threads of AnalysisWorkers.
 *
 * Over 250 lines: it is one list of the analysis's answers.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { LapKinds } from "../analysis/lapKinds/placedLaps.ts"
import { judgedPartsOf } from "../analysis/anomalies/parts.ts"
import { sectorTimes } from "../analysis/compare/comparable.ts"
import { editedCircuit } from "../analysis/circuits/description.ts"
import type { TracedComparison } from "../analysis/compare/comparison.ts"
import { sectorAnalysis } from "../analysis/compare/sectors.ts"
import type { SessionAnomalies } from "../domain/analysis/anomalies.ts"
import type { CircuitDescription } from "../domain/analysis/circuit.ts"
import type { LapComparison } from "../domain/analysis/comparison.ts"
import type { SessionConsistency } from "../domain/analysis/consistency.ts"
import type { SessionMicroSectors } from "../domain/analysis/microSectors.ts"
import type { OfLaps } from "../domain/analysis/parts.ts"
import type { Prediction } from "../domain/analysis/predictions.ts"
import type { SectorAnalysis } from "../domain/analysis/sectors.ts"
import { POINTS } from "../domain/Dictionary.ts"
import {
  CircuitNotFound,
  DriverNotFound,
  InvalidValue,
  LapNotFound,
  type SessionNotFound,
  type StillComputing,
  type SessionUnreadable
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { SessionNamesWanted } from "../domain/Session.ts"
import type { BestLap, CircuitStatistics, DriverStatistics } from "../domain/statistics.ts"
import { Circuits } from "../store/Circuits.ts"
import { Dictionaries } from "../store/Dictionaries.ts"
import { Laps } from "../store/Laps.ts"
import { RowStore } from "../store/RowStore.ts"
import { Sessions } from "../store/Sessions.ts"
import { type RankedWanted, Statistics } from "../store/Statistics.ts"
import { AnalysisWorkers } from "./AnalysisWorkers.ts"
import * as CircuitLayouts from "./circuitLayouts.ts"
import { fastest } from "./circuitLayouts.ts"
import { comparing, judging, placing, withCompanions } from "./companionChannels.ts"
import * as SharedAnswers from "./SharedAnswers.ts"
import { dictionaryOf } from "./dictionaryOf.ts"
import { measureDistance } from "./distances.ts"
import { copiedLaps, readLaps as readLapsOf } from "./readLaps.ts"
import { tracedChannels, withinBounds, withTraced } from "./tracedChannels.ts"
import { circuitStatistics, driverStatistics, rankedLaps } from "./statistics.ts"

/** Bounds of the laps of one comparison (contract, section 3). */
export const MIN_COMPARED = 2
export const MAX_COMPARED = 20
/**
 * The maximum number of a session's laps that are compared metre by metre: 20 take 0.2 s, a day's laps would take 10 s.
 */
export const MAX_ANALYSED = 20

type Compared<A> = Effect.Effect<A, LapNotFound | InvalidValue | SessionUnreadable>

const running = (laps: ReadonlyArray<RecordedLap>, kinds: LapKinds) => laps.filter(({ id }) => !kinds.has(id))

/** Errors of answers that are computed once for a session and kept until the session changes. */
type OfSession = SessionNotFound | SessionUnreadable | StillComputing

export class AnalysisService extends Context.Tag("archive/AnalysisService")<
  AnalysisService,
  {
    /** The laps differ, and belong to any sessions on one circuit. */
    readonly compare: (lapIds: ReadonlyArray<number>) => Compared<LapComparison>
    /** The same with a trace for each lap. `channels` adds traces of these channels. */
    readonly compareTraced: (
      lapIds: ReadonlyArray<number>,
      channels?: ReadonlyArray<string>
    ) => Compared<TracedComparison>
    readonly sectors: (lapId: number) => Effect.Effect<SectorAnalysis, LapNotFound | SessionUnreadable>
    readonly anomalies: (sessionId: number) => Effect.Effect<SessionAnomalies, OfSession>
    /** Covers the fastest comparable laps, at most MAX_ANALYSED; no pieces where none of them is known all the way. */
    readonly microSectors: (sessionId: number) => Effect.Effect<OfLaps<SessionMicroSectors>, OfSession>
    /** Covers the times of all comparable laps, and the lines of the fastest of them, at most MAX_ANALYSED. */
    readonly consistency: (sessionId: number) => Effect.Effect<OfLaps<SessionConsistency>, OfSession>
    readonly prediction: (sessionId: number) => Effect.Effect<OfLaps<Prediction>, OfSession>
    readonly bestLaps: (
      wanted: RankedWanted,
      limit: number
    ) => Effect.Effect<ReadonlyArray<BestLap>, SessionUnreadable>
    /** Covers the driver's sessions; only those on the circuit or in the vehicle, where these are given. */
    readonly driver: (
      name: string,
      only?: Pick<SessionNamesWanted, "circuit" | "vehicle">
    ) => Effect.Effect<DriverStatistics, DriverNotFound | SessionUnreadable>
    readonly circuit: (name: string) => Effect.Effect<CircuitStatistics, CircuitNotFound | SessionUnreadable>
    /** The name as the newest session on the circuit spells it. */
    readonly circuitName: (name: string) => Effect.Effect<string, CircuitNotFound | SessionUnreadable>
    /**
     * The circuit's corners: those that a user gave, else those of the known circuit that it matches, else those found
     * in its laps.
     */
    readonly circuitCorners: (
      name: string
    ) => Effect.Effect<CircuitDescription, CircuitNotFound | SessionUnreadable>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { circuitDetails } = yield* Circuits
      const dictionaries = yield* Dictionaries
      const { lap: lapOf, laps: lapsOf } = yield* Laps
      const sessions = yield* Sessions
      const statistics = yield* Statistics
      const points = yield* RowStore
      const workers = yield* AnalysisWorkers
      const shared = yield* SharedAnswers.make
      const stores = yield* Effect.context<RowStore | Sessions>()

      /** Laps with the samples that place them. */
      const readLaps = (laps: ReadonlyArray<RecordedLap>) =>
        Effect.flatMap(readLapsOf(points, laps), withCompanions(dictionaries, points, placing))
      const withCompared = withCompanions(dictionaries, points, comparing)
      /** Laps with the samples that place them and those that show why they lose time. */
      const readCompared = (laps: ReadonlyArray<RecordedLap>) =>
        Effect.flatMap(readLapsOf(points, laps), withCompared)
      /** Laps with the samples that place them and those that anomalies are judged by. */
      const readJudged = (laps: ReadonlyArray<RecordedLap>) =>
        Effect.flatMap(readLapsOf(points, laps), withCompanions(dictionaries, points, judging))

      const layouts = yield* CircuitLayouts.make(readLaps)

      const comparable = Effect.fn("AnalysisService.comparable")(function* (lapIds: ReadonlyArray<number>) {
        const unfit = (expected: string) =>
          new InvalidValue({ name: "lap_ids", value: lapIds.join(","), expected })
        if (new Set(lapIds).size !== lapIds.length) return yield* unfit("different laps")
        if (lapIds.length < MIN_COMPARED || lapIds.length > MAX_COMPARED) {
          return yield* unfit(`${MIN_COMPARED} to ${MAX_COMPARED} laps`)
        }
        const laps = yield* Effect.forEach(lapIds, lapOf)
        const found = yield* Effect.forEach(new Set(laps.map((lap) => lap.sessionId)), (id) =>
          // A lap goes with its session: if the session is gone by the second read, the lap is gone too.
          Effect.option(sessions.session(id))
        )
        const circuits = new Set(
          found.flatMap(Option.toArray).map((session) => session.circuit.toLowerCase())
        )
        const [circuit, ...others] = circuits
        if (others.length > 0) return yield* unfit("laps of one circuit")
        if (circuit === undefined) return yield* new LapNotFound({ lapId: lapIds[0]! })
        return { laps, circuit }
      })

      /** An Effect that reads laps, with samples of the channels that are traced. */
      const readTraced = Effect.fnUntraced(function* (
        laps: ReadonlyArray<RecordedLap>,
        names: ReadonlyArray<string>
      ) {
        yield* withinBounds(names, laps.length)
        const ids = [...new Set(laps.map(({ sessionId }) => sessionId))]
        const known = yield* Effect.forEach(ids, (id) =>
          // The session was deleted meanwhile, and its laps with it.
          Effect.catchTag(dictionaryOf(dictionaries, points, id), "SessionNotFound", () => {
            const { id: lapId } = laps.find(({ sessionId }) => sessionId === id)!
            return new LapNotFound({ lapId })
          })
        )
        const traced = yield* tracedChannels(names, known)
        return readLapsOf(points, laps).pipe(
          Effect.flatMap(
            Effect.forEach((lap) => withTraced(points, lap, traced[ids.indexOf(lap.lap.sessionId)]!))
          ),
          // Samples that are among the traced ones are not read again.
          Effect.flatMap(withCompared)
        )
      })

      const circuitName = Effect.fn("AnalysisService.circuitName")(function* (name: string) {
        const { items } = yield* sessions.sessions({ circuit: name, limit: 1, offset: 0 })
        const [newest] = items
        return newest === undefined ? yield* new CircuitNotFound({ circuit: name }) : newest.circuit
      })

      /**
       * All laps of a session as they are now, except those that were taken back. Points just after a lap may be stored
       * later than the lap. They extend the session's duration, so the version includes it.
       */
      const lapsNow = Effect.fnUntraced(function* (sessionId: number) {
        const laps = (yield* lapsOf(sessionId)).filter(({ withdrawn }) => withdrawn !== true)
        const { duration } = yield* sessions.session(sessionId)
        // Laps may change, so the version includes their values.
        const facts = laps.map((lap) => [lap.id, lap.lapTime, ...sectorTimes(lap), lap.valid].join())
        return { laps, version: `${sessionId} ${duration} ${facts.join(" ")}` }
      })

      type LapsNow = Effect.Effect.Success<ReturnType<typeof lapsNow>>

      /** The anomalies, and the kinds of the laps. */
      const judged = (sessionId: number, { laps, version }: LapsNow) =>
        shared.answer(
          "anomalies",
          version,
          Effect.gen(function* () {
            const all = { sessionId, group: POINTS, from: -Infinity, until: Infinity }
            const count = yield* points.count(all)
            const { baseline, parts } = judgedPartsOf(laps, count / Math.max(1, laps.length))
            const usual = yield* readJudged(baseline)
            const read = parts.map(({ judged, own }) => ({
              judged,
              laps: Effect.map(readJudged(own), (read) => [...copiedLaps(usual), ...read])
            }))
            return yield* workers.anomalies(sessionId, laps, read)
          })
        )

      const ofSession = <A, E>(
        question: string,
        sessionId: number,
        compute: (laps: ReadonlyArray<RecordedLap>, kinds: LapKinds) => Effect.Effect<A, E>
      ) =>
        Effect.gen(function* () {
          const now = yield* lapsNow(sessionId)
          const answer = Effect.flatMap(judged(sessionId, now), ({ kinds }) => compute(now.laps, kinds))
          return yield* shared.answer(question, now.version, answer)
        }).pipe(Effect.withSpan(`AnalysisService.${question}`))

      return {
        compare: Effect.fn("AnalysisService.compare")(function* (lapIds) {
          const { circuit, laps } = yield* comparable(lapIds)
          return yield* layouts.on(circuit, (facts) => workers.compare(readCompared(laps), facts))
        }),
        compareTraced: Effect.fn("AnalysisService.compareTraced")(function* (lapIds, channels = []) {
          const { circuit, laps } = yield* comparable(lapIds)
          const names = [...new Set(channels)]
          const read = names.length === 0 ? readCompared(laps) : yield* readTraced(laps, names)
          return yield* layouts.on(circuit, (facts) => workers.compareTraced(read, names, facts))
        }),
        circuitName,
        circuitCorners: Effect.fn("AnalysisService.circuitCorners")(function* (wanted) {
          const name = yield* circuitName(wanted)
          const details = yield* circuitDetails(name)
          if (details !== undefined && details.corners.length > 0) return editedCircuit(name, details)
          return yield* layouts.describe(name)
        }),
        sectors: Effect.fn("AnalysisService.sectors")(function* (lapId) {
          const lap = yield* lapOf(lapId)
          const session = yield* Effect.catchTag(lapsOf(lap.sessionId), "SessionNotFound", () =>
            Effect.succeed([lap])
          )
          const [read] = yield* readLapsOf(points, [lap])
          return sectorAnalysis(read!, session)
        }),
        anomalies: Effect.fn("AnalysisService.anomalies")(function* (sessionId) {
          const { anomalies } = yield* judged(sessionId, yield* lapsNow(sessionId))
          return anomalies
        }),
        microSectors: (sessionId) =>
          ofSession("micro-sectors", sessionId, (laps, kinds) =>
            workers.microSectors(readLaps(fastest(running(laps, kinds), MAX_ANALYSED)))
          ),
        consistency: (sessionId) =>
          ofSession("figures of consistency", sessionId, (all, kinds) => {
            const laps = running(all, kinds)
            return workers.consistency(laps, readLaps(fastest(laps, MAX_ANALYSED)))
          }),
        prediction: (sessionId) => ofSession("predictions", sessionId, workers.prediction),
        bestLaps: (wanted, limit) => Effect.map(statistics.bestLaps(wanted, limit), rankedLaps),
        driver: Effect.fn("AnalysisService.driver")(function* (wanted, only = {}) {
          const name = yield* statistics.driverName(wanted)
          if (name === undefined) return yield* new DriverNotFound({ driver: wanted })
          const names = { ...only, driver: wanted }
          const circuits = yield* statistics.totalsByCircuit(names)
          const measured = yield* Effect.forEach(
            yield* statistics.notMeasured(names),
            ({ circuit, sessionId }) =>
              Effect.map(Effect.provide(measureDistance(sessionId), stores), (metres) => ({
                circuit,
                metres
              }))
          )
          return driverStatistics(name, circuits, measured)
        }),
        circuit: Effect.fn("AnalysisService.circuit")(function* (name) {
          const totals = yield* statistics.circuitTotals(name)
          if (totals === undefined) return yield* new CircuitNotFound({ circuit: name })
          const [best] = yield* statistics.bestLaps({ circuit: name }, 1)
          return circuitStatistics(totals, best)
        })
      }
    })
  )
}
