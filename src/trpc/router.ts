/** The typed interface: what REST offers, in REST's shapes, and what happens live. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { Studies } from "../archive/Studies.ts"
import { Configuration } from "../domain/Configuration.ts"
import { Lap } from "../domain/Lap.ts"
import { Session } from "../domain/Session.ts"
import { tracedJson } from "../http/analysis/answers.ts"
import * as Analysis from "../http/analysis/schemas.ts"
import * as ConfigurationAnswers from "../http/configuration/answers.ts"
import { CircuitDescription, Names } from "../http/configuration/api.ts"
import type { LapTelemetry } from "../http/laps/api.ts"
import * as SessionAnswers from "../http/sessions/answers.ts"
import * as Sessions from "../http/sessions/api.ts"
import * as Statistics from "../http/statistics/api.ts"
import * as SystemAnswers from "../http/system/answers.ts"
import * as System from "../http/system/api.ts"
import { lapJson, rangeJson } from "../http/telemetry/answers.ts"
import type { TelemetryRange } from "../http/telemetry/api.ts"
import { KnownSimulator } from "../simulators/Driver.ts"
import { Simulators } from "../simulators/Simulators.ts"
import { Catalog } from "../store/Catalog.ts"
import * as Inputs from "./inputs.ts"
import { live } from "./live.ts"
import { answer, procedure, router, write } from "./trpc.ts"

/** What is told of a session, with whose it is. */
const ofSession =
  <A, E, R>(study: (sessionId: number) => Effect.Effect<A, E, R>) =>
  ({ sessionId }: { readonly sessionId: number }) =>
    Effect.map(study(sessionId), (told) => ({ session_id: sessionId, ...told }))

const system = router({
  health: procedure.query(answer(Schema.Union(System.Health, System.Unhealthy))(() => SystemAnswers.health)),
  status: procedure.query(answer(System.SystemStatus)(() => SystemAnswers.status)),
  simulators: procedure.query(
    answer(Schema.Array(KnownSimulator))(() => Effect.flatMap(Simulators, ({ known }) => known))
  )
})

const connections = router({
  connect: procedure.input(Inputs.connect).mutation(answer(System.ConnectResult)(SystemAnswers.connect)),
  disconnect: procedure
    .input(Inputs.disconnect)
    .mutation(answer(System.DisconnectResult)(SystemAnswers.disconnect))
})

const sessions = router({
  list: procedure.input(Inputs.page).query(answer(Sessions.SessionList)(SessionAnswers.list)),
  get: procedure
    .input(Inputs.session)
    .query(
      answer(Session)(({ sessionId }) => Effect.flatMap(Catalog, (catalog) => catalog.session(sessionId)))
    ),
  create: procedure.input(Inputs.newSession).mutation(answer(Session)(SessionAnswers.create)),
  update: procedure
    .input(Inputs.sessionChange)
    .mutation(answer(Session)(({ sessionId, ...change }) => SessionAnswers.update(sessionId, change))),
  delete: procedure
    .input(Inputs.session)
    .mutation(answer(Sessions.Deleted)(({ sessionId }) => SessionAnswers.remove(sessionId))),
  lap: procedure
    .input(Inputs.lap)
    .query(answer(Lap)(({ lapId }) => Effect.flatMap(Catalog, (catalog) => catalog.lap(lapId)))),
  laps: procedure
    .input(Inputs.session)
    .query(
      answer(Schema.Array(Lap))(({ sessionId }) =>
        Effect.flatMap(Catalog, (catalog) => catalog.laps(sessionId))
      )
    )
})

const telemetry = router({
  lap: procedure.input(Inputs.lapPoints).query(
    write<typeof LapTelemetry.Encoded>()(({ lapId, sampleRate }) =>
      Effect.map(
        Effect.flatMap(Archive, (archive) => archive.lapPoints(lapId, sampleRate)),
        lapJson
      )
    )
  ),
  range: procedure.input(Inputs.range).query(
    write<typeof TelemetryRange.Encoded>()(({ endTime: end, sampleRate, sessionId, startTime: start }) =>
      Effect.map(
        Effect.flatMap(Archive, (archive) => archive.range({ sessionId, start, end, sampleRate })),
        rangeJson
      )
    )
  )
})

const analysis = router({
  compare: procedure
    .input(Inputs.laps)
    .query(
      answer(Analysis.LapComparison)(({ lapIds }) =>
        Effect.flatMap(Studies, (studies) => studies.compare(lapIds))
      )
    ),
  compareTraced: procedure.input(Inputs.laps).query(
    write<typeof Analysis.TracedLapComparison.Encoded>()(({ lapIds }) =>
      Effect.map(
        Effect.flatMap(Studies, (studies) => studies.compare(lapIds)),
        tracedJson
      )
    )
  ),
  sectors: procedure
    .input(Inputs.lap)
    .query(
      answer(Analysis.SectorAnalysis)(({ lapId }) =>
        Effect.flatMap(Studies, (studies) => studies.sectors(lapId))
      )
    ),
  anomalies: procedure
    .input(Inputs.session)
    .query(
      answer(Analysis.SessionAnomalies)(({ sessionId }) =>
        Effect.flatMap(Studies, (studies) => studies.anomalies(sessionId))
      )
    ),
  predictions: procedure
    .input(Inputs.session)
    .query(
      answer(Analysis.Prediction)(
        ofSession((id) => Effect.flatMap(Studies, (studies) => studies.prediction(id)))
      )
    ),
  microSectors: procedure
    .input(Inputs.session)
    .query(
      answer(Analysis.SessionMicroSectors)(
        ofSession((id) => Effect.flatMap(Studies, (studies) => studies.microSectors(id)))
      )
    ),
  consistency: procedure
    .input(Inputs.session)
    .query(
      answer(Analysis.SessionConsistency)(
        ofSession((id) => Effect.flatMap(Studies, (studies) => studies.consistency(id)))
      )
    )
})

const statistics = router({
  bestLaps: procedure
    .input(Inputs.ranking)
    .query(
      answer(Statistics.BestLaps)(({ limit, ...names }) =>
        Effect.flatMap(Studies, (studies) => studies.bestLaps(names, limit))
      )
    ),
  driver: procedure
    .input(Inputs.driver)
    .query(
      answer(Statistics.DriverStatistics)(({ name, ...only }) =>
        Effect.flatMap(Studies, (studies) => studies.driver(name, only))
      )
    ),
  circuit: procedure
    .input(Inputs.named)
    .query(
      answer(Statistics.CircuitStatistics)(({ name }) =>
        Effect.flatMap(Studies, (studies) => studies.circuit(name))
      )
    )
})

const configuration = router({
  get: procedure.query(
    answer(Configuration)(() => Effect.flatMap(Catalog, (catalog) => catalog.configuration))
  ),
  put: procedure.input(Inputs.configuration).mutation(answer(Configuration)(ConfigurationAnswers.update)),
  circuits: procedure.query(answer(Names)(() => Effect.flatMap(Catalog, (catalog) => catalog.circuits))),
  circuit: procedure
    .input(Inputs.named)
    .query(
      answer(CircuitDescription)(({ name }) =>
        Effect.flatMap(Studies, (studies) => studies.circuitCorners(name))
      )
    ),
  putCircuit: procedure
    .input(Inputs.circuit)
    .mutation(
      answer(CircuitDescription)(({ details, name }) => ConfigurationAnswers.updateCircuit(name, details))
    ),
  vehicles: procedure.query(answer(Names)(() => Effect.flatMap(Catalog, (catalog) => catalog.vehicles)))
})

export const appRouter = router({
  system,
  connections,
  sessions,
  telemetry,
  analysis,
  statistics,
  configuration,
  live
})

/** What a client is typed by. */
export type AppRouter = typeof appRouter
