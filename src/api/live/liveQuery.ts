/** Reads what a client of the live WebSocket asks for in its query. */
import { Effect } from "effect"
import { betweenCommas, isNameOrPattern, MAX_WANTED, NAME_OR_PATTERN } from "../../domain/channelPattern.ts"
import { InvalidValue } from "../../domain/errors.ts"
import type { LiveEvent } from "../../live/hub/messages.ts"
import type { SubscriptionOptions } from "../../live/hub/Subscriber.ts"

const wholeNumber = /^\d+$/
const decimal = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export const eventTypes: ReadonlyArray<LiveEvent["type"]> = ["lap", "session"]

const readSession = (value: string | null) => {
  const id = value !== null && wholeNumber.test(value) ? Number(value) : undefined
  return value === null || (id !== undefined && id > 0 && Number.isSafeInteger(id))
    ? Effect.succeed(id)
    : new InvalidValue({ name: "session_id", value, expected: "a positive integer" })
}

const readRate = (value: string | null) => {
  const rate = value !== null && decimal.test(value) ? Number(value) : undefined
  return value === null || (rate !== undefined && rate > 0 && Number.isFinite(rate))
    ? Effect.succeed(rate)
    : new InvalidValue({ name: "rate", value, expected: "a number of Hz above 0" })
}

/** Names from one value or several. */
const namesIn = (values: ReadonlyArray<string>) => values.flatMap(betweenCommas)

const readChannels = (values: ReadonlyArray<string>) => {
  const names = namesIn(values)
  const wrong = names.find((name) => !isNameOrPattern(name))
  if (wrong !== undefined) {
    return new InvalidValue({ name: "channels", value: wrong, expected: NAME_OR_PATTERN })
  }
  return names.length > MAX_WANTED
    ? new InvalidValue({ name: "channels", value: names.length, expected: `at most ${MAX_WANTED} names` })
    : Effect.succeed(names)
}

const readEvents = (values: ReadonlyArray<string>) => {
  const names = namesIn(values)
  const known = eventTypes.filter((type) => names.includes(type))
  return new Set(names).size === known.length
    ? Effect.succeed(new Set(known))
    : new InvalidValue({
        name: "events",
        value: values.join(","),
        expected: `a comma-separated list of ${eventTypes.join(" and ")}`
      })
}

const readHeartbeat = (value: string | null) =>
  value === null || value === "0" || value === "1"
    ? Effect.succeed(value === "1")
    : new InvalidValue({ name: "heartbeat", value, expected: "1 or 0" })

const readNumbered = (value: string | null, sessionId: string | null) => {
  if (value === null || value === "0") return Effect.succeed(false)
  if (value !== "1") return new InvalidValue({ name: "sequence", value, expected: "1 or 0" })
  return sessionId === null
    ? new InvalidValue({
        name: "sequence",
        value,
        expected: "asked for with session_id, whose points it counts"
      })
    : Effect.succeed(true)
}

const readSince = (value: string | null, numbered: string | null) => {
  if (value === null) return Effect.succeed(undefined)
  const since = wholeNumber.test(value) ? Number(value) : undefined
  if (since === undefined || !Number.isSafeInteger(since))
    return new InvalidValue({ name: "since", value, expected: "a sequence that was received, or 0" })
  return numbered === "1"
    ? Effect.succeed(since)
    : new InvalidValue({ name: "since", value, expected: "asked for with sequence=1" })
}

/** Subscription options whose channels are still names and patterns. */
export interface LiveRequest extends Omit<SubscriptionOptions, "channels"> {
  readonly channels: ReadonlyArray<string>
}

/**
 * Reads the query's `session_id`, `rate` in Hz, `events`, `channels`, `heartbeat`, `sequence` and `since`. All are optional; other
 * parameters are ignored.
 */
export const readSubscriptionOptions = (url: string): Effect.Effect<LiveRequest, InvalidValue> => {
  const start = url.indexOf("?")
  const query = new URLSearchParams(start < 0 ? "" : url.slice(start + 1))
  return Effect.all({
    sessionId: readSession(query.get("session_id")),
    rate: readRate(query.get("rate")),
    events: readEvents(query.getAll("events")),
    channels: readChannels(query.getAll("channels")),
    heartbeat: readHeartbeat(query.get("heartbeat")),
    numbered: readNumbered(query.get("sequence"), query.get("session_id")),
    since: readSince(query.get("since"), query.get("sequence"))
  })
}
