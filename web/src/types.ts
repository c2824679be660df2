/** What the service answers, from its router. Types only: nothing of the service is in the bundle but its client. */
import type { Outputs } from "../../src/trpc/client.ts"

export type SystemStatus = Outputs["system"]["status"]
export type ConnectionStatus = SystemStatus["connections"][number]
export type SessionList = Outputs["sessions"]["list"]
export type Session = Outputs["sessions"]["get"]
export type Lap = Outputs["sessions"]["laps"][number]
export type Point = Outputs["telemetry"]["lap"]["points"][number]
export type Comparison = Outputs["analysis"]["compareTraced"]
export type Trace = Comparison["traces"][number]
export type Corner = Comparison["corners"][number]
export type Anomaly = Outputs["analysis"]["anomalies"]["anomalies"][number]
export type Prediction = Outputs["analysis"]["predictions"]
export type SessionConsistency = Outputs["analysis"]["consistency"]
export type BestLap = Outputs["statistics"]["bestLaps"][number]
export type DriverStatistics = Outputs["statistics"]["driver"]
export type CircuitStatistics = Outputs["statistics"]["circuit"]
export type Configuration = Outputs["configuration"]["get"]
