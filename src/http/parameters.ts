/** What requests are made of, with messages that name the value: `limit must be between 1 and 1000, got 0`. */
import { Effect, type ParseResult, Schema } from "effect"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"

/** An id in a path. Kept as text: what is no id there is a thing that was not found, not a bad request. */
export const PathId = Schema.String.annotations({ jsonSchema: { type: "integer", minimum: 1 } })

const idOf = (text: string): number | undefined => {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : undefined
}

export const lapId = (text: string): Effect.Effect<number, LapNotFound> => {
  const id = idOf(text)
  return id === undefined ? new LapNotFound({ lapId: text }) : Effect.succeed(id)
}

export const sessionId = (text: string): Effect.Effect<number, SessionNotFound> => {
  const id = idOf(text)
  return id === undefined ? new SessionNotFound({ sessionId: text }) : Effect.succeed(id)
}

/** The message of a schema that says what it expected; see detail.ts for the sentence around it. */
const expecting = (expected: string) => ({
  message: (issue: ParseResult.ParseIssue) => ({
    message: `must be ${expected}, got ${JSON.stringify(issue.actual)}`,
    override: true
  })
})

/** A whole number in a query, within bounds. */
export const QueryInt = (low: number, high: number) =>
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(low, high)).annotations({
    ...expecting(
      high === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${low}`
        : `a whole number between ${low} and ${high}`
    ),
    jsonSchema: {
      type: "integer",
      minimum: low,
      ...(high === Number.MAX_SAFE_INTEGER ? {} : { maximum: high })
    }
  })

/** Epoch seconds in a query, fractional. */
export const QueryTime = Schema.NumberFromString.pipe(Schema.finite()).annotations({
  ...expecting("a number of seconds since 1970"),
  jsonSchema: { type: "number" }
})

export const QueryChoice = <const A extends string>(...choices: ReadonlyArray<A>) =>
  Schema.Literal(...choices).annotations(expecting(`one of ${choices.join(", ")}`))

/** Every Nth point, the first and the last always kept. */
export const SampleRate = Schema.optionalWith(QueryInt(1, Number.MAX_SAFE_INTEGER), { default: () => 1 })
