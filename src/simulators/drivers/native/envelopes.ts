/** Schemas of the native feed's rare messages. NativeDecoder.ts reads those of points by hand. */
import { Either, type ParseResult, Schema } from "effect"
import { isLapNumber } from "../../../domain/lapLimits.ts"
import { Line, Metres } from "../../../domain/Line.ts"
import { sentenceOf } from "../../../domain/inputErrors.ts"
import { isPointTime, parseDateTime } from "../../../domain/Time.ts"
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

/** Reads a whole number that was written as text; returns any other value unchanged. */
export const numberIn = (value: unknown): unknown =>
  typeof value === "string" && /^-?\d{1,10}$/.test(value.trim()) ? Number(value) : value

/** The problem of a message is logged, and must be shorter than the message. */
const MAX_REASON = 200

/** Null means a missing value. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** With a clock zero that cannot be the time of a point, all points of the session would be refused. */
const EpochSeconds = Schema.Finite.pipe(
  Schema.filter(isPointTime, { message: () => "a time within the years 1970 to 9999" })
)

/** Simulators send 0 or -1 for "no time"; here that is null, because it would be the best lap of all. */
const Seconds = Schema.NullOr(Schema.Finite.pipe(Schema.positive()))

/** A day and time that a person might have written in another form. */
const WrittenTime = Schema.String.pipe(
  Schema.filter((text) => parseDateTime(text) !== undefined, {
    message: ({ actual }) => `must be a date-time such as 2026-02-13T10:30:00, got ${textOf(actual)}`
  })
)

/** The facts of a session message; each is checked on its own. */
const sessionFacts = {
  circuit: Schema.String,
  vehicle: Schema.String,
  driver: Schema.String,
  datetime: WrittenTime,
  start_time: EpochSeconds,
  circuit_length: Metres.pipe(Schema.positive()),
  start_line: Line,
  columns: Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(64))
}

/** The facts of a lap message beyond its number and its time. */
const lapFacts = {
  sector1_time: Schema.Finite.pipe(Schema.positive()),
  sector2_time: Schema.Finite.pipe(Schema.positive()),
  sector3_time: Schema.Finite.pipe(Schema.positive()),
  valid: Schema.Boolean,
  start_time: Schema.Finite,
  end_time: Schema.Finite
}

const LapMessage = Schema.Struct({
  lap_number: Schema.Int.pipe(Schema.filter(isLapNumber, { message: () => "a lap's number" })),
  lap_time: Seconds
})

/** Where a value breaks its schema, and how. */
export const wrongIn = (error: ParseResult.ParseError): string =>
  orTooDeep(() => sentenceOf(error.issue, "it")).slice(0, MAX_REASON)

type Facts<F extends Readonly<Record<string, Schema.Schema.AnyNoContext>>> = {
  readonly [K in keyof F]: Schema.Schema.Type<F[K]> | undefined
}

/**
 * The facts of a message, and the faults of those that break their schema. These are undefined, like facts that are
 * left out or null.
 */
const reading = <F extends Readonly<Record<string, Schema.Schema.AnyNoContext>>>(schemas: F) => {
  const decoders = Object.entries(schemas).map(
    ([name, schema]) => [name, Schema.decodeUnknownEither(Schema.Struct({ [name]: schema }))] as const
  )
  return (message: Readonly<Record<string, unknown>>) => {
    const facts: Record<string, unknown> = {}
    const faults: Array<string> = []
    for (const [name, decode] of decoders) {
      const said = message[name] ?? undefined
      if (said === undefined) continue
      const fact = decode({ [name]: said })
      if (Either.isLeft(fact)) faults.push(wrongIn(fact.left))
      else facts[name] = fact.right[name]
    }
    return { facts: facts as Facts<F>, faults }
  }
}

/** One sentence about the facts that are left out of a message. */
const leftOut = (what: string, faults: ReadonlyArray<string>): string | undefined =>
  faults.length === 0 ? undefined : `a ${what} message: ${faults.join("; ").slice(0, MAX_REASON)}; left out`

const readSession = reading(sessionFacts)
const readLapFacts = reading(lapFacts)
const readLap = Schema.decodeUnknownEither(LapMessage)

/** A message without its unusable facts. */
export interface Read<A> {
  readonly read: A
  /** The facts that are left out of it, and why. */
  readonly refused: string | undefined
}

/** The session and the packed columns that it announces: none if they cannot be read. A name that it leaves out is "". */
export const decodeSession = (
  message: Readonly<Record<string, unknown>>
): Read<Started> & { readonly columns: ReadonlyArray<string> | undefined } => {
  const { facts, faults } = readSession(message)
  return {
    read: {
      circuit: facts.circuit ?? "",
      vehicle: facts.vehicle ?? "",
      driver: facts.driver ?? "",
      datetime: facts.datetime === undefined ? undefined : parseDateTime(facts.datetime),
      clockZero: facts.start_time,
      circuitLength: facts.circuit_length,
      startLine: facts.start_line,
      clockDecides: true
    },
    columns: facts.columns ?? ((message["columns"] ?? undefined) === undefined ? undefined : []),
    refused: leftOut("session", faults)
  }
}

/** The lap, or the problem of the message. */
export const decodeLap = (message: Readonly<Record<string, unknown>>): Read<LapCompleted> | string => {
  const lapNumber = numberIn(message["lap_number"])
  const lap = readLap({ ...message, lap_number: lapNumber })
  if (Either.isLeft(lap)) return `a lap message: ${wrongIn(lap.left)}`.slice(0, MAX_REASON)
  const { facts, faults } = readLapFacts(message)
  const { end_time: end, start_time: start } = facts
  const isSpan = start === undefined || end === undefined || end > start
  if (!isSpan) faults.push("it must end after it starts")
  return {
    read: {
      lapNumber: lap.right.lap_number,
      lapTime: lap.right.lap_time,
      sectors: [facts.sector1_time ?? null, facts.sector2_time ?? null, facts.sector3_time ?? null],
      valid: facts.valid,
      start: isSpan ? start : undefined,
      end: isSpan ? end : undefined
    },
    refused: leftOut("lap", faults)
  }
}
