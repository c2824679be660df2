/** Laps that users chose to drive against. */
import { Effect, Schema } from "effect"
import { Id } from "../domain/Id.ts"
import { LapNotFound, MarkChanged, SessionNotFound, TooManyMarks } from "../domain/errors.ts"
import { Name } from "../domain/Configuration.ts"
import { Reference, ReferenceMark } from "../domain/Mark.ts"
import { fromWire } from "../platform/wire.ts"
import { Marks } from "../store/Marks.ts"
import { name, optionalText, Revision } from "./fields.ts"
import { answered } from "./operation.ts"

const orNull = Schema.optionalWith(Schema.NullOr(Name), { default: () => null })

/** The body that makes a lap a reference. */
export const ReferenceBody = fromWire(
  Schema.Struct({
    lapId: Id,
    ...ReferenceMark.fields,
    circuit: orNull
  }).annotations({ identifier: "ReferenceToPut" })
)

const References = Schema.Array(Reference).annotations({
  description: "The references, the most special first"
})

const names = {
  circuit: optionalText("Only references that are for this circuit, ignoring case"),
  vehicle: optionalText("Only references that are for this vehicle or for any"),
  driver: optionalText("Only references that are for this driver or for any")
}

export const list = answered({
  input: Schema.Struct(names),
  answer: References,
  errors: [],
  run: (wanted) => Effect.flatMap(Marks, ({ references }) => references(wanted))
})

export const put = answered({
  input: Schema.Struct({ reference: ReferenceBody, revision: Revision }),
  answer: Reference,
  errors: [LapNotFound, SessionNotFound, MarkChanged, TooManyMarks],
  run: ({ reference: { lapId, ...reference }, revision }) =>
    Effect.flatMap(Marks, ({ putReference }) => putReference(lapId, reference, revision))
})

/** Answers with the references that are left. */
export const remove = answered({
  input: Schema.Struct({
    circuit: name("The circuit of the reference, ignoring case"),
    vehicle: Schema.optional(name("Its vehicle; left out if it is for any")),
    driver: Schema.optional(name("Its driver; left out if it is for any")),
    revision: Revision
  }),
  answer: References,
  errors: [MarkChanged, TooManyMarks],
  run: ({ circuit, driver = null, revision, vehicle = null }) =>
    Effect.gen(function* () {
      const { deleteReference, references } = yield* Marks
      yield* deleteReference({ circuit, vehicle, driver }, revision)
      return yield* references({})
    })
})
