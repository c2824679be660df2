/** Checks of inputs for tRPC. */
import { Either, Schema } from "effect"
import { SessionId } from "../../operations/fields.ts"
import { telemetry } from "../../operations/live.ts"
import { explained } from "../../domain/inputErrors.ts"

/** The type of a client's input. If no field is required, the client may leave out the whole input. */
export type SentInput<Wire> = [Wire] extends [void] ? void : object extends Wire ? Wire | undefined : Wire

/** The input's schema in the form that tRPC takes. */
export const checked = <Input, Wire>(schema: Schema.Schema<Input, Wire>) => {
  const needsNothing = Either.isRight(Schema.decodeUnknownEither(schema)({}))
  const lenient = Schema.transform(Schema.Any, schema, {
    strict: true,
    decode: (value) => (value === undefined ? {} : value) as Wire,
    encode: (value) => value
  })
  const { ast } = needsNothing ? lenient : schema
  return Schema.standardSchemaV1(explained(Schema.make<Input, SentInput<Wire>>(ast), "input"))
}

/** The id of the last event that a resumed subscription has seen. tRPC adds it to the input; a client may too. */
const lastEventId = Schema.optional(Schema.String)

const watched = { sessionId: Schema.optional(SessionId), lastEventId }

export const watchedSession = checked(Schema.Struct(watched))

/**
 * The same input as in the WebSocket's query. Telemetry is not sent again: the last event's id is accepted, and not
 * used.
 */
export const liveTelemetry = checked(
  Schema.Struct({
    ...telemetry.input.pick("sessionId", "rate", "channels", "events").fields,
    lastEventId
  })
)

/** A client that was away gets the state of all anew: the last event's id is accepted, and not used. */
export const watchedImports = checked(Schema.Struct({ batch: Schema.optional(Schema.String), lastEventId }))

export const resumed = checked(Schema.Struct({ lastEventId }))
