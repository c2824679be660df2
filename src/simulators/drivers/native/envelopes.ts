/** Schemas of the native feed's rare messages. NativeDecoder.ts reads those of points by hand. */
import { Either, type ParseResult, Schema } from "effect"
import { isLapNumber } from "../../../domain/lapLimits.ts"
import { Line, Metres } from "../../../domain/Line.ts"
import { sentenceOf } from "../../../domain/misfits.ts"
import { isDateTime, parseDateTime } from "../../../domain/Time.ts"
import type { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"

type Started = Omit<Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>, "_tag">
type LapCompleted = Omit<Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>, "_tag">

/** The value where it is a JSON object. */
export const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined

/** JSON.parse takes any depth; the code that writes a value out again is recursive, and would overflow the stack. */
const orTooDeep = (written: () => string): string => {
  try {
    return written()
  } catch {
    return "values are nested too deeply"
  }
}

/** A foreign value for a log line, cut short. */
export const textOf = (value: unknown): string =>
  orTooDeep(() => JSON.stringify(value) ?? String(value)).slice(0, 60)

/** The problem of a message is logged, and must be shorter than the message. */
const MAX_REASON = 200

/** Null stands for a missing value. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** A clock zero that no date-time can name could be stored, but never shown. */
const EpochSeconds = Schema.Finite.pipe(
  Schema.filter(isDateTime, { message: () => "a time within the years 0 to 9999" })
)

/** Simulators send 0 or -1 for "no time"; here that is null, because it would be the best lap of all. */
const Seconds = Schema.NullOr(Schema.Finite.pipe(Schema.positive()))

const SessionMessage = Schema.Struct({
  circuit: Schema.String,
  vehicle: Schema.String,
  driver: Schema.String,
  datetime: optional(Schema.String),
  start_time: optional(EpochSeconds),
  circuit_length: optional(Metres.pipe(Schema.positive())),
  start_line: optional(Line),
  columns: optional(Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(64)))
})

const LapMessage = Schema.Struct({
  lap_number: Schema.Int.pipe(Schema.filter(isLapNumber, { message: () => "a lap's number" })),
  lap_time: Seconds,
  sector1_time: Schema.optionalWith(Seconds, { default: () => null }),
  sector2_time: Schema.optionalWith(Seconds, { default: () => null }),
  sector3_time: Schema.optionalWith(Seconds, { default: () => null }),
  valid: optional(Schema.Boolean),
  start_time: optional(Schema.Finite),
  end_time: optional(Schema.Finite)
}).pipe(
  Schema.filter(({ start_time, end_time }) => (end_time ?? Infinity) > (start_time ?? -Infinity), {
    message: () => "must end after it starts"
  })
)

/** Where a value breaks its schema, and how. */
export const wrongIn = (error: ParseResult.ParseError): string =>
  orTooDeep(() => sentenceOf(error.issue, "it")).slice(0, MAX_REASON)

const reading = <A, I>(what: string, schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (message: unknown): A | string =>
    Either.getOrElse(decode(message), (error) => `a ${what} message: ${wrongIn(error)}`.slice(0, MAX_REASON))
}

const readSession = reading("session", SessionMessage)
const readLap = reading("lap", LapMessage)

/** The session and the packed columns that it announces, or the problem of the message. */
export const decodeSession = (
  message: unknown
): { readonly started: Started; readonly columns: ReadonlyArray<string> | undefined } | string => {
  const session = readSession(message)
  if (typeof session === "string") return session
  const told = session.datetime ?? undefined
  const datetime = told === undefined ? undefined : parseDateTime(told)
  if (told !== undefined && datetime === undefined) {
    return `a session message whose datetime is ${textOf(told)}`
  }
  return {
    started: {
      circuit: session.circuit,
      vehicle: session.vehicle,
      driver: session.driver,
      datetime,
      clockZero: session.start_time ?? undefined,
      circuitLength: session.circuit_length ?? undefined,
      startLine: session.start_line ?? undefined,
      clockDecides: true
    },
    columns: session.columns ?? undefined
  }
}

export const decodeLap = (message: unknown): LapCompleted | string => {
  const lap = readLap(message)
  if (typeof lap === "string") return lap
  return {
    lapNumber: lap.lap_number,
    lapTime: lap.lap_time,
    sectors: [lap.sector1_time, lap.sector2_time, lap.sector3_time],
    valid: lap.valid ?? undefined,
    start: lap.start_time ?? undefined,
    end: lap.end_time ?? undefined
  }
}
