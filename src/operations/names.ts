/** Readable names for the raw ones that games report: those that are known, and those that users gave, which go first. */
import { Effect, Schema } from "effect"
import { Name } from "../domain/Configuration.ts"
import { MarkChanged, TooManyMarks } from "../domain/errors.ts"
import { knownNames } from "../domain/readableNames.ts"
import { fromWire } from "../platform/wire.ts"
import { Marks } from "../store/Marks.ts"
import { name, Revision } from "./fields.ts"
import { answered, Nothing } from "./operation.ts"

const ReadableName = Schema.Struct({
  raw: Schema.String,
  name: Schema.String,
  source: Schema.Literal("user", "known").annotations({
    description: "`user`: a user gave the name; `known`: the service knows it"
  }),
  revision: Schema.Int.annotations({ description: "For If-Match; 0 of a known name" })
}).annotations({ identifier: "ReadableName" })

const Names = Schema.Array(ReadableName).annotations({ description: "The names, sorted by their raw form" })

/** The body that names a raw name. */
export const NameBody = fromWire(Schema.Struct({ name: Name }).annotations({ identifier: "NameToPut" }))

const raw = name("The name as the game reports it, ignoring case")

const all = Effect.gen(function* () {
  const given = yield* (yield* Marks).names
  const byRaw = new Map<string, typeof ReadableName.Type>()
  for (const known of knownNames) byRaw.set(known.raw, { ...known, source: "known", revision: 0 })
  for (const { revision, value } of given) {
    byRaw.set(value.raw.toLowerCase(), { ...value, source: "user", revision })
  }
  return [...byRaw.values()].toSorted((a, b) => (a.raw < b.raw ? -1 : 1))
})

export const list = answered({ input: Nothing, answer: Names, errors: [], run: () => all })

export const put = answered({
  input: Schema.Struct({ raw, readable: NameBody, revision: Revision }),
  answer: Names,
  errors: [MarkChanged, TooManyMarks],
  run: ({ raw, readable, revision }) =>
    Effect.gen(function* () {
      yield* (yield* Marks).putName({ raw, ...readable }, revision)
      return yield* all
    })
})

export const remove = answered({
  input: Schema.Struct({ raw, revision: Revision }),
  answer: Names,
  errors: [MarkChanged, TooManyMarks],
  run: ({ raw, revision }) =>
    Effect.gen(function* () {
      yield* (yield* Marks).deleteName(raw, revision)
      return yield* all
    })
})
