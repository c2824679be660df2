/** Live telemetry: the client's request. The transports answer it (api/live, api/trpc). */
import { Effect, Schema } from "effect"
import {
  InvalidValue,
  SessionNotFound,
  TooManyOfClient,
  TooManyReplays,
  TooManySelections
} from "../domain/errors.ts"
import type { LiveEvent } from "../live/hub/messages.ts"
import { flag, patterns, positive, wholeNumber, words } from "./fields.ts"

const eventTypes = ["lap", "session", "on_air"] as const satisfies ReadonlyArray<LiveEvent["type"]>

const input = Schema.Struct({
  sessionId: Schema.optional(
    wholeNumber(1, Number.MAX_SAFE_INTEGER, "Sends this session only", "a positive integer")
  ),
  rate: Schema.optional(
    positive(
      "a number of Hz above 0",
      "Maximum messages per second and session; never more than the configuration's telemetry_rate"
    )
  ),
  events: Schema.optional(
    words(
      eventTypes,
      "lap, session, on_air, or several with commas between them: the service also sends laps when they complete, and sessions when they start or end; either once more, with `changed` (names of fields), when the simulator corrects it; and on_air when another session is on air"
    )
  ),
  channels: Schema.optional(
    patterns(
      "Further channels of telemetry messages, separated by commas: names, or patterns such as `fuel`, `tyre_*`, `*` (all)"
    )
  ),
  heartbeat: Schema.optional(
    flag(
      '1 also sends {type: "heartbeat"} every 15 s: a client that receives nothing for longer has lost the connection'
    )
  ),
  sequence: Schema.optional(flag("1 numbers the messages; requires session_id")),
  since: Schema.optional(
    wholeNumber(
      0,
      Number.MAX_SAFE_INTEGER,
      "The last sequence that the client received: the service first sends the points after it; requires sequence=1",
      "a sequence that was received, or 0"
    )
  )
})

export const telemetry = {
  input,
  errors: [InvalidValue, SessionNotFound, TooManyOfClient, TooManySelections, TooManyReplays],
  /** The options of a subscription, whose channels are still names and patterns. */
  run: ({
    channels = [],
    events = [],
    heartbeat = false,
    rate,
    sequence = false,
    sessionId,
    since
  }: typeof input.Type) => {
    if (sequence && sessionId === undefined) {
      const expected = "given with session_id, whose points it counts"
      return new InvalidValue({ name: "sequence", value: 1, expected })
    }
    if (since !== undefined && !sequence)
      return new InvalidValue({ name: "since", value: since, expected: "given with sequence=1" })
    return Effect.succeed({
      sessionId,
      rate,
      events: new Set(events),
      channels,
      heartbeat,
      numbered: sequence,
      since
    })
  }
}
