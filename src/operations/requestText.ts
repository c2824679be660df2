/** The text of a request: JSON, no deeper than any input is. The same whichever interface it came by. */
import { Data, Effect } from "effect"

/** No body of the interface is deeper than 3; a validator that recurses must not meet 500,000. */
const MAX_DEPTH = 32

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly limit: number }> {}

export class BodyNotJson extends Data.TaggedError("BodyNotJson") {}

export class BodyTooDeep extends Data.TaggedError("BodyTooDeep")<{ readonly limit: number }> {}

const parse = (text: string): Effect.Effect<unknown, BodyNotJson> =>
  Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => new BodyNotJson() })

const isObject = (value: unknown) => typeof value === "object" && value !== null

/** Level by level and not by recursion, which is what it guards from. */
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
