/**
 * An operation is a thing that the service can do: the schemas of its input and answer, the errors with which it may
 * end, and the Effect that does it. REST (api/rest/routes) and tRPC (api/trpc/router.ts) offer operations, each in its
 * own form.
 */
import { type Effect, Schema, type Stream } from "effect"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { ErrorClass } from "./problems.ts"
import type { Services } from "./Services.ts"
import { toJson, type Wire, wireSchema } from "../platform/wire.ts"

/** JSON in UTF-8, written while it is sent. */
export type Text = Stream.Stream<Uint8Array, unknown>

/** `Wire`: the clients' input in JSON. `Json`: their answer in JSON. `Value`: the result of `run`. */
interface Asked<Input, Wire, Value, Answer, Json> {
  readonly input: Schema.Schema<Input, Wire>
  /** The answer for clients. */
  readonly answer: Schema.Schema<Answer, Json>
  /** The errors, in addition to those of a store that is unavailable or damaged. */
  readonly errors: ReadonlyArray<ErrorClass>
  readonly run: (input: Input) => Effect.Effect<Value, Error, Services>
}

/** An operation whose answer is made as a whole. */
export interface Answered<Input, Wire, Value, Answer, Json> extends Asked<Input, Wire, Value, Answer, Json> {
  readonly encode: (value: Value) => Json
  readonly json?: undefined
}

/** An operation whose answer is written as text. */
export interface Written<Input, Wire, Value, Answer, Json> extends Asked<Input, Wire, Value, Answer, Json> {
  readonly json: (value: Value) => Text
}

export type Operation<Input, Wire, Value, Answer, Json> =
  | Answered<Input, Wire, Value, Answer, Json>
  | Written<Input, Wire, Value, Answer, Json>

type Fails<Errors extends ReadonlyArray<ErrorClass>> = InstanceType<Errors[number]> | SessionUnreadable

/** The input of an operation that has none. */
export const Nothing = Schema.Void

interface Definition<Input, Wire, Value, Answer, Json, Errors extends ReadonlyArray<ErrorClass>> {
  readonly input: Schema.Schema<Input, Wire>
  readonly answer: Schema.Schema<Answer, Json>
  readonly errors: Errors
  readonly run: (input: Input) => Effect.Effect<Value, Fails<Errors>, Services>
}

/** An operation whose value matches the schema of its answer, which gives it the names and formats of the wire. */
export const answered = <Input, InputWire, Answer, Json, const Errors extends ReadonlyArray<ErrorClass>>(
  operation: Definition<Input, InputWire, Answer, Answer, Json, Errors>
): Answered<Input, InputWire, Answer, Wire<Answer>, Wire<Json>> => ({
  ...operation,
  answer: wireSchema(operation.answer),
  encode: toJson(operation.answer)
})

/** An operation that writes its answer as text, which the schema of the answer describes. */
export const written = <
  Input,
  InputWire,
  Value,
  Answer,
  Json,
  const Errors extends ReadonlyArray<ErrorClass>
>(
  operation: Definition<Input, InputWire, Value, Answer, Json, Errors> & {
    readonly json: (value: Value) => Text
  }
): Written<Input, InputWire, Value, Wire<Answer>, Wire<Json>> => ({
  ...operation,
  answer: wireSchema(operation.answer)
})
