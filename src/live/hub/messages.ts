/** Messages to live clients, as values. */
import { type Channel, channels } from "../../domain/pointChannels.ts"
import { orNull, type PointBatch } from "../../domain/RowBatch.ts"
import { Lap } from "../../domain/Lap.ts"
import type { OnAir } from "../../domain/OnAir.ts"
import { Session } from "../../domain/Session.ts"
import { toJson, type Wire } from "../../platform/wire.ts"

/**
 * The event of a lap that was stored or changed, of a session that started, ended or got other names, or of another session on air.
 */
export type LiveEvent =
  | {
      readonly type: "lap"
      readonly sessionId: number
      readonly data: Lap
      /**
       * The fields that differ from the last event of this lap, by their names in the interface; left out in the first
       * event.
       */
      readonly changed?: ReadonlyArray<string>
    }
  | {
      readonly type: "session"
      readonly sessionId: number
      readonly data: Session
      /** The names of a running session that changed; left out if it starts or ends. */
      readonly changed?: ReadonlyArray<string>
    }
  | { readonly type: "on_air"; readonly sessionId: number | null; readonly mode: OnAir["mode"] }

/** Whether a session starts or ends with this event. */
export const isStartOrEnd = (event: LiveEvent): event is Extract<LiveEvent, { readonly type: "session" }> =>
  event.type === "session" && event.changed === undefined

/** A point as a value: an absent channel is null; the timestamp is never absent. */
export type PointMessage = Readonly<Record<Exclude<Channel, "timestamp">, number | null>> & {
  readonly timestamp: number
}

/**
 * A point for a client. It has the whole point, while the WebSocket's text has no steering (interface.md, section 6).
 */
export interface TelemetryMessage {
  readonly type: "telemetry"
  readonly data: PointMessage
  readonly session_id: number
  /** The channels that the client asked for, as of the point; null if absent. */
  readonly channels?: Readonly<Record<string, number | null>>
}

/** An event in the form that clients get. */
export type EventMessage<Type extends LiveEvent["type"] = LiveEvent["type"]> = Extract<
  | {
      readonly type: "lap"
      readonly data: Wire<typeof Lap.Encoded>
      readonly session_id: number
      readonly changed?: ReadonlyArray<string>
    }
  | {
      readonly type: "session"
      readonly data: Wire<typeof Session.Encoded>
      readonly session_id: number
      readonly changed?: ReadonlyArray<string>
    }
  | {
      readonly type: "on_air"
      /** Null if there is no session. */
      readonly session_id: number | null
      readonly data: { readonly mode: OnAir["mode"] }
    },
  { readonly type: Type }
>

/** A message that clients get. */
export type LiveMessage = TelemetryMessage | EventMessage

// Uses the schema, because the recorder's laps have more fields than clients get.
const lapJson = toJson(Lap)
const sessionJson = toJson(Session)

export const lapMessage = (lap: Lap, changed?: ReadonlyArray<string>): EventMessage<"lap"> => ({
  type: "lap",
  data: lapJson(lap),
  session_id: lap.sessionId,
  ...(changed === undefined ? {} : { changed })
})

export const sessionMessage = (
  session: Session,
  changed?: ReadonlyArray<string>
): EventMessage<"session"> => ({
  type: "session",
  data: sessionJson(session),
  session_id: session.id,
  ...(changed === undefined ? {} : { changed })
})

export const onAirMessage = ({ mode, sessionId }: OnAir): EventMessage<"on_air"> => ({
  type: "on_air",
  session_id: sessionId,
  data: { mode }
})

/** The message of an event. */
export const eventMessage = (event: LiveEvent): EventMessage => {
  switch (event.type) {
    case "lap":
      return lapMessage(event.data, event.changed)
    case "session":
      return sessionMessage(event.data, event.changed)
    case "on_air":
      return onAirMessage(event)
  }
}

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
