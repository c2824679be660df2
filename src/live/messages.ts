/** Messages to live clients, as values. */
import { type Channel, channels, type PointBatch } from "../domain/PointBatch.ts"
import type { Lap } from "../domain/Lap.ts"
import type { Session } from "../domain/Session.ts"
import type { Wire } from "../wire.ts"

/** A lap was stored, or a session started or ended. */
export type LiveEvent =
  | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
  | { readonly type: "session"; readonly session_id: number; readonly data: Session }

/** A point as a value: null where a channel is absent, which the timestamp never is. */
export type PointMessage = Readonly<Record<Exclude<Channel, "timestamp">, number | null>> & {
  readonly timestamp: number
}

/** With the whole point; the WebSocket's text of it has no steering (interface.md, section 6). */
export interface TelemetryMessage {
  readonly type: "telemetry"
  readonly data: PointMessage
  readonly session_id: number
  /** The channels that were asked for, as of the point; null where one is absent. */
  readonly channels?: Readonly<Record<string, number | null>>
}

/** What clients get. */
export type LiveMessage = TelemetryMessage | Wire<LiveEvent>

/** A value as messages have it: null where it is absent. */
export const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** The message of one point; `batch` has all channels. */
export const telemetryMessage = (
  sessionId: number,
  { data, length }: PointBatch,
  i: number,
  beside?: TelemetryMessage["channels"]
): TelemetryMessage => ({
  type: "telemetry",
  data: Object.fromEntries(
    channels.map((channel, column) => [channel, orNull(data[column * length + i]!)])
  ) as TelemetryMessage["data"],
  session_id: sessionId,
  ...(beside && { channels: beside })
})
