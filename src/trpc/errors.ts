/**
 * What a call fails with, as tRPC says it: the status and the sentence are those of REST (http/problems.ts), the code
 * is tRPC's own for that status. Stack traces and what only a log should know go to nobody.
 */
import { StandardSchemaV1Error, TRPCError, type TRPCDefaultErrorShape } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { Cause, Effect } from "effect"
import { answerToCause, internalError } from "../http/detail.ts"
import { type Issue, sentenceOf } from "../http/sentences.ts"

const codes = Object.keys(TRPC_ERROR_CODES_BY_KEY) as ReadonlyArray<TRPC_ERROR_CODE_KEY>

/** tRPC's own table, read from its code to the status, the other way round. */
const codeOf: ReadonlyMap<number, TRPC_ERROR_CODE_KEY> = new Map(
  codes.map((code) => [getHTTPStatusCodeFromError(new TRPCError({ code })), code])
)

/** An error whose sentence is for the client; every other one is a defect, or tRPC's own. */
export class AnsweredError extends TRPCError {
  constructor({ detail, status }: { readonly status: number; readonly detail: string }) {
    super({ code: codeOf.get(status) ?? "INTERNAL_SERVER_ERROR", message: detail })
  }
}

/** The body that tells tRPC's clients why a whole request was turned down: each of its calls has failed with it. */
export const bodyOf = (answer: { readonly status: number; readonly detail: string }) => {
  const error = new AnsweredError(answer)
  const { code, message } = error
  const data = { code, httpStatus: answer.status }
  return { error: { message, code: TRPC_ERROR_CODES_BY_KEY[code], data } }
}

/** What the end of the request, or of the service, makes of a call. */
export const ended = new AnsweredError({ status: 499, detail: "The call was ended" })

/** What ended an Effect. What nobody foresaw is in the log. */
export const errorOf = (cause: Cause.Cause<unknown>): Effect.Effect<AnsweredError> =>
  Cause.isInterruptedOnly(cause)
    ? Effect.succeed(ended)
    : Effect.map(answerToCause(cause), (answer) => new AnsweredError(answer))

/** What is wrong with an input. Without a path it is no issue of the input, but a defect in checking it. */
const issuesOf = ({ cause }: TRPCError): ReadonlyArray<Issue> | undefined =>
  cause instanceof StandardSchemaV1Error && cause.issues.every(({ path }) => path !== undefined)
    ? (cause.issues as ReadonlyArray<Issue>)
    : undefined

/** An error of the plumbing: no procedure has answered with it, and tRPC would tell its message. */
export const isDefect = (error: TRPCError): boolean =>
  (error.code === "INTERNAL_SERVER_ERROR" && !(error instanceof AnsweredError)) ||
  (error.cause instanceof StandardSchemaV1Error && issuesOf(error) === undefined)

const told = (error: TRPCError): TRPCError => {
  const issues = issuesOf(error)
  if (issues !== undefined) return new AnsweredError({ status: 422, detail: sentenceOf(issues, "input") })
  return isDefect(error) ? new AnsweredError(internalError) : error
}

/** What the client gets. */
export const shapeOf = (error: TRPCError, shape: TRPCDefaultErrorShape): TRPCDefaultErrorShape => {
  const answer = told(error)
  const { code, message } = answer
  return {
    code: TRPC_ERROR_CODES_BY_KEY[code],
    message,
    data: { ...shape.data, code, httpStatus: getHTTPStatusCodeFromError(answer) }
  }
}
