/** The service for the pages: its typed client, and errors with the status and sentence of REST. */
import { TRPCClientError } from "@trpc/client"
import { createTelemetryClient, type Inputs } from "../../src/api/trpc/client.ts"
import { base } from "./base.ts"
import { isTokenWanted, token } from "./token.ts"
import type { FileImport } from "./types.ts"

/** `status` 0: the service did not answer. */
export class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * tRPC's client ends the request of a batch once it has the last answer, just before the service does, and browsers list such a request
 * as cancelled. The pages let each one end by itself: they never cancel one.
 */
const uncancelled: typeof fetch = (address, init) => fetch(address, { ...init, signal: null })

const client = createTelemetryClient(base, { token, fetch: uncancelled })

const statusOf = (error: TRPCClientError<never>): number | undefined =>
  (error.data as { readonly httpStatus?: number } | null | undefined)?.httpStatus

const failed = (error: unknown): never => {
  const status = error instanceof TRPCClientError ? statusOf(error as TRPCClientError<never>) : undefined
  if (status === undefined) throw new ApiError(0, "The service does not answer")
  if (status === 401) isTokenWanted.value = true
  throw new ApiError(status, (error as Error).message)
}

const asked = <A>(answer: Promise<A>): Promise<A> => answer.catch(failed)

export const api = {
  lap: (lapId: number) => asked(client.sessions.lap.query({ lapId })),
  status: () => asked(client.system.status.query()),
  simulators: () => asked(client.system.simulators.query()),
  connect: (input: Inputs["connections"]["connect"]) => asked(client.connections.connect.mutate(input)),
  disconnect: (input: { readonly host: string; readonly port: number }) =>
    asked(client.connections.disconnect.mutate(input)),
  onAir: () => asked(client.onAir.get.query()),
  putOnAir: (input: Inputs["onAir"]["put"]) => asked(client.onAir.put.mutate(input)),
  connections: () => asked(client.connections.list.query()),
  enableConnection: (input: Inputs["connections"]["enable"]) =>
    asked(client.connections.enable.mutate(input)),
  import: (importId: number) => asked(client.imports.get.query({ importId })),
  endImport: (importId: number) => asked(client.imports.delete.mutate({ importId })),
  /** Goes on after a lost connection, for as long as the document is open. */
  importChanges: (
    batch: string,
    onData: (event: { readonly data: { readonly import: FileImport | null } }) => void
  ) => void client.imports.changes.subscribe({ batch }, { onData }),
  sessions: (page: Inputs["sessions"]["list"]) => asked(client.sessions.list.query(page)),
  session: (sessionId: number) => asked(client.sessions.get.query({ sessionId })),
  pinSession: (sessionId: number, pinned: boolean) =>
    asked(client.sessions.update.mutate({ sessionId, pinned })),
  deleteSession: (sessionId: number) => asked(client.sessions.delete.mutate({ sessionId })),
  sessionMark: (sessionId: number) => asked(client.marks.session.query({ sessionId })),
  earlierSessionMarks: (sessionId: number) => asked(client.marks.sessionRevisions.query({ sessionId })),
  markSession: (input: Inputs["marks"]["putSession"]) => asked(client.marks.putSession.mutate(input)),
  lapMark: (lapId: number) => asked(client.marks.lap.query({ lapId })),
  earlierLapMarks: (lapId: number) => asked(client.marks.lapRevisions.query({ lapId })),
  markLap: (input: Inputs["marks"]["putLap"]) => asked(client.marks.putLap.mutate(input)),
  lapMarks: (sessionId: number) =>
    asked(client.marks.list.query({ sessionId, kind: "lap", limit: 1000 })).then(({ items }) => items),
  markAnomaly: (input: Inputs["marks"]["putAnomaly"]) => asked(client.marks.putAnomaly.mutate(input)),
  references: (names: Inputs["references"]["list"]) => asked(client.references.list.query(names)),
  putReference: (reference: Inputs["references"]["put"]["reference"]) =>
    asked(client.references.put.mutate({ reference })),
  deleteReference: (input: Inputs["references"]["delete"]) => asked(client.references.delete.mutate(input)),
  names: () => asked(client.marks.names.query()),
  putName: (raw: string, name: string) => asked(client.marks.putName.mutate({ raw, readable: { name } })),
  deleteName: (raw: string) => asked(client.marks.deleteName.mutate({ raw })),
  laps: (sessionId: number) => asked(client.sessions.laps.query({ sessionId })),
  channels: (sessionId: number) => asked(client.telemetry.channels.query({ sessionId })),
  lapTelemetry: (lapId: number, sampleRate = 1) => asked(client.telemetry.lap.query({ lapId, sampleRate })),
  lapRows: (rows: Inputs["telemetry"]["lap"]) => asked(client.telemetry.lap.query(rows)),
  sessionRows: (rows: Inputs["telemetry"]["range"]) => asked(client.telemetry.range.query(rows)),
  channelReport: (sessionId: number, channels: ReadonlyArray<string>) =>
    asked(client.telemetry.channelReport.query({ sessionId, channels })),
  histogram: (input: Inputs["telemetry"]["histogram"]) => asked(client.telemetry.histogram.query(input)),
  range: (sessionId: number, startTime: number | undefined, sampleRate: number, endTime?: number) =>
    asked(client.telemetry.range.query({ sessionId, startTime, endTime, sampleRate })),
  compare: (lapIds: ReadonlyArray<number>, channels: ReadonlyArray<string>) =>
    asked(client.analysis.compareTraced.query({ lapIds, channels, short: true })),
  channelStatistics: (lapId: number) => asked(client.telemetry.channelStats.query({ lapId })),
  anomalies: (sessionId: number) => asked(client.analysis.anomalies.query({ sessionId, dismissed: true })),
  prediction: (sessionId: number) => asked(client.analysis.predictions.query({ sessionId })),
  consistency: (sessionId: number) => asked(client.analysis.consistency.query({ sessionId })),
  bestLaps: (ranking: Inputs["statistics"]["bestLaps"]) => asked(client.statistics.bestLaps.query(ranking)),
  driver: (of: Inputs["statistics"]["driver"]) => asked(client.statistics.driver.query(of)),
  circuit: (name: string) => asked(client.statistics.circuit.query({ name })),
  circuits: () => asked(client.configuration.circuits.query()),
  vehicles: () => asked(client.configuration.vehicles.query()),
  configuration: () => asked(client.configuration.get.query()),
  configure: (configuration: Inputs["configuration"]["put"]) =>
    asked(client.configuration.put.mutate(configuration))
}
