import { ParseResult, Schema } from "effect"
import { abridged } from "./messages.ts"
import { formatDateTime, parseDateTime } from "./Time.ts"

/** Epoch seconds, in JSON an ISO 8601 date-time; an offset is accepted and converted to UTC. */
export const DateTime = Schema.transformOrFail(Schema.String, Schema.Number, {
  strict: true,
  decode: (text, _options, ast) => {
    const seconds = parseDateTime(text)
    return seconds === undefined
      ? ParseResult.fail(
          new ParseResult.Type(
            ast,
            text,
            `must be an ISO 8601 date-time, got ${abridged(JSON.stringify(text))}`
          )
        )
      : ParseResult.succeed(seconds)
  },
  encode: (seconds) => ParseResult.succeed(formatDateTime(seconds))
})
