/** How tRPC checks the inputs of calls. */
import { Either, Schema } from "effect"
import { isNameOrPattern, MAX_WANTED, NAME_OR_PATTERN } from "../../domain/channelPattern.ts"
import { expecting } from "../../domain/expecting.ts"
import { SessionId } from "../../operations/fields.ts"
import { explained } from "../../domain/misfits.ts"

/** What a client may send: where no field is required, it may leave out the whole input. */
export type SentInput<Wire> = [Wire] extends [void] ? void : object extends Wire ? Wire | undefined : Wire

/** The input's schema in the form that tRPC takes. */
export const checked = <Input, Wire>(schema: Schema.Schema<Input, Wire>) => {
  const needsNothing = Either.isRight(Schema.decodeUnknownEither(schema)({}))
  const lenient = Schema.transform(Schema.Any as Schema.Schema<SentInput<Wire>>, schema, {
    strict: true,
    decode: (value) => (value === undefined ? {} : value) as Wire,
    encode: (value) => value as SentInput<Wire>
  })
  return Schema.standardSchemaV1(
    explained(needsNothing ? lenient : (schema as unknown as typeof lenient), "input")
  )
}

const Rate = Schema.Finite.pipe(Schema.positive()).annotations(expecting("a number of Hz above 0"))

const Channels = Schema.Array(
  Schema.String.pipe(Schema.filter(isNameOrPattern), Schema.annotations(expecting(NAME_OR_PATTERN)))
).pipe(
  Schema.maxItems(MAX_WANTED, {
    // A name that is wrong has a message of its own.
    message: (issue) => expecting(`at most ${MAX_WANTED} names`).message(issue).message
  })
)

/** The id of the last event that a resumed subscription has seen. tRPC adds it to the input; a client may too. */
const lastEventId = Schema.optional(Schema.String)

const watched = { sessionId: Schema.optional(SessionId), lastEventId }

export const watchedSession = checked(Schema.Struct(watched))

/**
 * The same as the WebSocket's query (api/live/liveQuery.ts). Telemetry is not sent again: the last event's id is accepted,
 * and not used.
 */
export const liveTelemetry = checked(
  Schema.Struct({
    ...watched,
    rate: Schema.optional(Rate),
    channels: Schema.optional(Channels),
    events: Schema.optional(Schema.Array(Schema.Literal("lap", "session")))
  })
)

export const resumed = checked(Schema.Struct({ lastEventId }))
