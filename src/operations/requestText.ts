/** Parses the text of a request as JSON, with a limited depth. All interfaces use it. */
import { Data, Effect } from "effect"

/** No body of the interface is nested deeper than 3. A recursive validator must not get one nested 500,000 deep. */
const MAX_DEPTH = 32

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly limit: number }> {}

export class BodyNotJson extends Data.TaggedError("BodyNotJson") {}

/** The body is not UTF-8. Most often it is in the encoding of a Windows shell. */
export class BodyNotUtf8 extends Data.TaggedError("BodyNotUtf8") {}

export class BodyTooDeep extends Data.TaggedError("BodyTooDeep")<{ readonly limit: number }> {}

const parse = (text: string): Effect.Effect<unknown, BodyNotJson> =>
  Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => new BodyNotJson() })

const isObject = (value: unknown) => typeof value === "object" && value !== null

/** Fails if the value is nested too deep. It goes level by level, because recursion would overflow on such input. */
const withinDepth = (value: unknown): Effect.Effect<unknown, BodyTooDeep> => {
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return new BodyTooDeep({ limit: MAX_DEPTH })
    level = level.flatMap((one) => Object.values(one as object).filter(isObject))
  }
  return Effect.succeed(value)
}

export const readJson = (text: string): Effect.Effect<unknown, BodyNotJson | BodyTooDeep> =>
  Effect.flatMap(parse(text), withinDepth)
