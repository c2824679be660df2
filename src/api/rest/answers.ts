/** The forms in which routes write their answers, and their descriptions. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, type Schema } from "effect"
import type { ExportFile } from "../../formats/files.ts"
import type { Operation, Text } from "../../operations/operation.ts"
import { negotiated } from "../accept.ts"
import type { App } from "../App.ts"
import { textResponse } from "../streaming.ts"

const JSON_TYPE = "application/json"

/** Content that no schema describes. */
export const TEXT = { type: "string" } as const
export const BYTES = { type: "string", format: "binary" } as const

/** The content of an answer by content type. */
export type Content = Readonly<Record<string, Schema.Schema.Any | typeof TEXT | typeof BYTES>>

/** The description of one status. The first content type is for clients that state no preference. */
export interface AnswerDescription {
  readonly status: number
  /** By default the schema's description. */
  readonly description?: string
  readonly content: Content
  /** The headers and their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer<Value> {
  readonly described: ReadonlyArray<AnswerDescription>
  /** The answer is written while it is sent. */
  readonly isStreamed: boolean
  readonly respond: (value: Value) => App
}

/** The content types of a success; undefined if it has none. */
export const typesOf = (
  described: ReadonlyArray<AnswerDescription>
): readonly [string, ...ReadonlyArray<string>] | undefined => {
  const [first, ...others] = described
    .filter(({ status }) => status < 300)
    .flatMap(({ content }) => Object.keys(content))
  return first === undefined ? undefined : [first, ...others]
}

/** JSON by the schema of the operation's answer. */
export const asJson = <Input, Wire, Value, Encoded, Json>(
  operation: Operation<Input, Wire, Value, Encoded, Json>
): Answer<Value> => {
  const described = [{ status: 200, content: { [JSON_TYPE]: operation.answer } }]
  if (operation.json === undefined) {
    const { encode } = operation
    const respond = (value: Value) => Effect.succeed(HttpServerResponse.unsafeJson(encode(value)))
    return { described, isStreamed: false, respond }
  }
  const { json } = operation
  const respond = (value: Value) => textResponse(json(value), { contentType: JSON_TYPE })
  return { described, isStreamed: true, respond }
}

interface Form<Value> {
  readonly content: Content[string]
  /** Given if it says more than the type. */
  readonly contentType?: string
  readonly text: (value: Value) => Text
}

/** Answers in the form that the client prefers; in the first form if the client states no preference. */
export const inForms = <Value>(forms: Readonly<Record<string, Form<Value>>>): Answer<Value> => {
  const types = Object.keys(forms) as [string, ...ReadonlyArray<string>]
  const content = Object.fromEntries(types.map((type) => [type, forms[type]!.content]))
  return {
    described: [{ status: 200, content }],
    isStreamed: true,
    respond: Effect.fnUntraced(function* (value: Value) {
      const type = yield* negotiated(types)
      const { contentType = type, text } = forms[type]!
      return HttpServerResponse.setHeader(yield* textResponse(text(value), { contentType }), "vary", "Accept")
    })
  }
}

/** A file that a browser saves. */
export const asFile = <Value>(
  content: Content,
  file: (value: Value) => Omit<ExportFile, "text"> & { readonly text: Text },
  description?: string
): Answer<Value> => ({
  described: [
    {
      status: 200,
      ...(description === undefined ? {} : { description }),
      content,
      headers: { "Content-Disposition": "attachment; filename=…" }
    }
  ],
  isStreamed: true,
  respond: (value) => {
    const { contentType, name, text } = file(value)
    return textResponse(text, { contentType, fileName: name })
  }
})

/** The same for a route whose answer depends on `Accept`. */
export const byAccept = <Value>(answer: Answer<Value>): Answer<Value> => ({
  ...answer,
  respond: (value) => Effect.map(answer.respond(value), HttpServerResponse.setHeader("vary", "Accept"))
})
