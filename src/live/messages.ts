/** What live clients are told, as values. */
import { type Channel, channels, type PointBatch } from "../domain/PointBatch.ts"
import type { Lap } from "../domain/Lap.ts"
import type { Session } from "../domain/Session.ts"

/** A lap was stored, or a session started or ended. */
export type LiveEvent =
  | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
  | { readonly type: "session"; readonly session_id: number; readonly data: Session }

/** With the whole point; the WebSocket's text of it has no steering (interface.md, section 6). */
export interface TelemetryMessage {
  readonly type: "telemetry"
  readonly data: Readonly<Record<Channel, number>>
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
    channels.map((channel, column) => [channel, data[column * length + i]!])
  ) as TelemetryMessage["data"],
  session_id: sessionId
})
