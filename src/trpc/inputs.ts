/** What calls take: the schemas of REST where a body is the input, else REST's limits under camelCase names. */
import { Schema } from "effect"
import { CircuitDetails } from "../domain/Circuit.ts"
import { Configuration } from "../domain/Configuration.ts"
import { ConnectRequest } from "../domain/Connection.ts"
import { expecting } from "../domain/expecting.ts"
import { WholeNumber } from "../http/parameters.ts"
import { NewSession, Page, SessionChange } from "../http/sessions/api.ts"
import { Ranking } from "../http/statistics/api.ts"
import { DisconnectRequest } from "../http/system/api.ts"

const Id = WholeNumber(1, Number.MAX_SAFE_INTEGER)
const Time = Schema.Finite.annotations(expecting("a number of seconds since 1970"))
const Rate = Schema.Finite.pipe(Schema.positive()).annotations(expecting("a number of Hz above 0"))

const orElse = <A>(schema: Schema.Schema<A>, usual: A) =>
  Schema.optionalWith(schema, { default: () => usual })

/** Names match whole, ignoring case. */
const names = {
  circuit: Schema.optional(Schema.String),
  vehicle: Schema.optional(Schema.String),
  driver: Schema.optional(Schema.String)
}

/** Every Nth point; the first and the last are always kept. */
const sampleRate = orElse(WholeNumber(1, Number.MAX_SAFE_INTEGER), 1)

/** The id of the last event that a resumed subscription has seen: tRPC adds it to the input, a client may as well. */
const lastEventId = Schema.optional(Schema.String)

/** For calls of which nothing must be said: left out, the input is an empty one. */
const optional = <A, I extends object>(schema: Schema.Schema<A, I>) =>
  Schema.standardSchemaV1(
    Schema.transform(Schema.Any as Schema.Schema<I | undefined>, schema, {
      strict: true,
      decode: (value) => (value === undefined ? ({} as I) : value),
      encode: (value) => value
    })
  )

export const connect = Schema.standardSchemaV1(ConnectRequest)

/** Which connection; without an input, all. */
export const disconnect = Schema.standardSchemaV1(Schema.Union(DisconnectRequest, Schema.Undefined))

export const page = optional(
  Schema.Struct({
    ...names,
    limit: orElse(WholeNumber(1, Page.most), Page.usual),
    offset: orElse(WholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
  })
)

export const newSession = Schema.standardSchemaV1(NewSession)

export const session = Schema.standardSchemaV1(Schema.Struct({ sessionId: Id }))

export const sessionChange = Schema.standardSchemaV1(
  Schema.Struct({ sessionId: Id, ...SessionChange.fields })
)

export const lap = Schema.standardSchemaV1(Schema.Struct({ lapId: Id }))

export const laps = Schema.standardSchemaV1(Schema.Struct({ lapIds: Schema.Array(Id) }))

export const lapPoints = Schema.standardSchemaV1(Schema.Struct({ lapId: Id, sampleRate }))

export const range = Schema.standardSchemaV1(
  Schema.Struct({
    sessionId: Id,
    startTime: Schema.optional(Time),
    endTime: Schema.optional(Time),
    sampleRate
  })
)

export const named = Schema.standardSchemaV1(Schema.Struct({ name: Schema.String }))

/** The driver, and which sessions. */
export const driver = Schema.standardSchemaV1(
  Schema.Struct({ name: Schema.String, circuit: names.circuit, vehicle: names.vehicle })
)

export const ranking = optional(
  Schema.Struct({ ...names, limit: orElse(WholeNumber(1, Ranking.most), Ranking.usual) })
)

export const configuration = Schema.standardSchemaV1(Configuration)

/** The circuit by its whole name, ignoring case; what is said of it is a body. */
export const circuit = Schema.standardSchemaV1(
  Schema.Struct({ name: Schema.String, details: CircuitDetails })
)

const watched = { sessionId: Schema.optional(Id), lastEventId }

export const watch = optional(Schema.Struct(watched))

/** As the WebSocket's query (http/telemetry/api.ts). Telemetry is not told again: the last event's id is taken, and unused. */
export const liveTelemetry = optional(
  Schema.Struct({
    ...watched,
    rate: Schema.optional(Rate),
    events: Schema.optional(Schema.Array(Schema.Literal("lap", "session")))
  })
)

export const resumed = optional(Schema.Struct({ lastEventId }))
