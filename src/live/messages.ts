/** What live clients are told, as values. */
import { type Channel, channels, type PointBatch } from "../domain/PointBatch.ts"
import type { Lap } from "../domain/Lap.ts"
import type { Session } from "../domain/Session.ts"

/** A lap was stored, or a session started or ended. */
export type LiveEvent =
  | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
  | { readonly type: "session"; readonly session_id: number; readonly data: Session }

/** What a message tells of a point (interface.md, section 6: no steering). */
const told = channels.filter((channel) => channel !== "steering")

export interface TelemetryMessage {
  readonly type: "telemetry"
  readonly data: Readonly<Record<Exclude<Channel, "steering">, number>>
  readonly session_id: number
}

export type LiveMessage = TelemetryMessage | LiveEvent

/** The message of one point; `batch` has all channels. */
export const telemetryMessage = (
  sessionId: number,
  { data, length }: PointBatch,
  i: number
): TelemetryMessage => ({
  type: "telemetry",
  data: Object.fromEntries(
    told.map((channel) => [channel, data[channels.indexOf(channel) * length + i]!])
  ) as TelemetryMessage["data"],
  session_id: sessionId
})
