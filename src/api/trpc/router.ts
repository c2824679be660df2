/** The typed interface: REST's operations, in REST's shapes, and live events. */
import { tracked } from "@trpc/server"
import * as Analysis from "../../operations/analysis.ts"
import * as AnomalyMarks from "../../operations/anomalyMarks.ts"
import * as Channels from "../../operations/channels.ts"
import * as Configuration from "../../operations/configuration.ts"
import * as Imports from "../../operations/imports.ts"
import * as Laps from "../../operations/laps.ts"
import * as Marks from "../../operations/marks.ts"
import * as Names from "../../operations/names.ts"
import * as Nodes from "../../operations/nodes.ts"
import * as OnAir from "../../operations/onAir.ts"
import * as References from "../../operations/references.ts"
import * as Sessions from "../../operations/sessions.ts"
import * as Simulators from "../../operations/simulators.ts"
import * as Statistics from "../../operations/statistics.ts"
import * as System from "../../operations/system.ts"
import * as Telemetry from "../../operations/telemetry.ts"
import { importChanges } from "./importChanges.ts"
import { watchedImports } from "./inputs.ts"
import { live } from "./live.ts"
import { mutation, procedure, query, router, subscription } from "./trpc.ts"

export const appRouter = router({
  system: router({
    health: query(System.health),
    status: query(System.status),
    nodes: query(Nodes.list),
    simulators: query(Simulators.known)
  }),
  connections: router({
    connect: mutation(Simulators.connect),
    disconnect: mutation(Simulators.disconnect),
    list: query(Simulators.kept),
    enable: mutation(Simulators.enable)
  }),
  onAir: router({
    get: query(OnAir.read),
    put: mutation(OnAir.choose)
  }),
  sessions: router({
    list: query(Sessions.list),
    get: query(Sessions.read),
    create: mutation(Sessions.create),
    update: mutation(Sessions.update),
    delete: mutation(Sessions.remove),
    lap: query(Laps.read),
    laps: query(Laps.ofSession)
  }),
  imports: router({
    list: query(Imports.list),
    get: query(Imports.read),
    delete: mutation(Imports.remove),
    changes: procedure
      .input(watchedImports)
      .subscription(subscription(importChanges, (change) => tracked(`${change.id}`, change)))
  }),
  marks: router({
    session: query(Marks.session),
    sessionRevisions: query(Marks.sessionRevisions),
    putSession: mutation(Marks.putSession),
    deleteSession: mutation(Marks.deleteSession),
    lap: query(Marks.lap),
    lapRevisions: query(Marks.lapRevisions),
    putLap: mutation(Marks.putLap),
    deleteLap: mutation(Marks.deleteLap),
    putAnomaly: mutation(AnomalyMarks.putAnomaly),
    list: query(AnomalyMarks.list),
    names: query(Names.list),
    putName: mutation(Names.put),
    deleteName: mutation(Names.remove)
  }),
  references: router({
    list: query(References.list),
    put: mutation(References.put),
    delete: mutation(References.remove)
  }),
  telemetry: router({
    channels: query(Channels.ofSession),
    channelStats: query(Channels.ofLap),
    channelReport: query(Channels.report),
    histogram: query(Channels.histogram),
    lap: query(Laps.telemetry),
    range: query(Telemetry.range)
  }),
  analysis: router({
    compare: query(Analysis.compare),
    compareTraced: query(Analysis.compareTraced),
    sectors: query(Analysis.sectors),
    anomalies: query(Analysis.anomalies),
    predictions: query(Analysis.predictions),
    microSectors: query(Analysis.microSectors),
    consistency: query(Analysis.consistency)
  }),
  statistics: router({
    bestLaps: query(Statistics.bestLaps),
    driver: query(Statistics.driver),
    circuit: query(Statistics.circuit)
  }),
  configuration: router({
    get: query(Configuration.read),
    put: mutation(Configuration.update),
    circuits: query(Configuration.circuits),
    circuit: query(Configuration.circuit),
    putCircuit: mutation(Configuration.updateCircuit),
    vehicles: query(Configuration.vehicles)
  }),
  live
})

/** The type that clients import. */
export type AppRouter = typeof appRouter
