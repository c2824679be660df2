/**
 * The error of a call, in tRPC's form: its code for the kind of the problem, and the problem's sentence
 * (operations/problems.ts). Stack traces, and other details that only a log should have, are not sent.
 */
import { StandardSchemaV1Error, TRPCError, type TRPCDefaultErrorShape } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { Cause, Effect } from "effect"
import { internalError, type ProblemKind, problemOfCause } from "../../operations/problems.ts"

export const codeOf: Readonly<Record<ProblemKind, TRPC_ERROR_CODE_KEY>> = {
  notFound: "NOT_FOUND",
  conflict: "CONFLICT",
  tooLarge: "PAYLOAD_TOO_LARGE",
  unsupported: "UNSUPPORTED_MEDIA_TYPE",
  invalid: "UNPROCESSABLE_CONTENT",
  tooMany: "TOO_MANY_REQUESTS",
  damaged: "INTERNAL_SERVER_ERROR",
  defect: "INTERNAL_SERVER_ERROR",
  refused: "BAD_GATEWAY",
  unavailable: "SERVICE_UNAVAILABLE",
  silent: "GATEWAY_TIMEOUT",
  // tRPC has no code of its own for it.
  noRoom: "INTERNAL_SERVER_ERROR"
}

const codes = Object.keys(TRPC_ERROR_CODES_BY_KEY) as ReadonlyArray<TRPC_ERROR_CODE_KEY>

/** tRPC's own table from code to status, reversed. */
const codeOfStatus: ReadonlyMap<number, TRPC_ERROR_CODE_KEY> = new Map(
  codes.map((code) => [getHTTPStatusCodeFromError(new TRPCError({ code })), code])
)

/** An error whose sentence is for the client; every other error is a defect, or tRPC's own. */
export class AnsweredError extends TRPCError {
  constructor(code: TRPC_ERROR_CODE_KEY, message: string) {
    super({ code, message })
  }
}

/** The body that tells tRPC's clients why HTTP refused a whole request: each call of the request has failed with it. */
export const bodyOf = ({
  detail: message,
  status: httpStatus
}: {
  readonly status: number
  readonly detail: string
}) => {
  const code = codeOfStatus.get(httpStatus) ?? "INTERNAL_SERVER_ERROR"
  return { error: { message, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus } } }
}

/** The error of a call that was interrupted by the end of the request or of the service. */
export const ended = new AnsweredError("CLIENT_CLOSED_REQUEST", "The call was ended")

/** The error for an Effect's failure. Defects are in the log. */
export const errorOf = (cause: Cause.Cause<unknown>): Effect.Effect<AnsweredError> =>
  Cause.isInterruptedOnly(cause)
    ? Effect.succeed(ended)
    : Effect.map(problemOfCause(cause), ({ kind, sentence }) => new AnsweredError(codeOf[kind], sentence))

/** Why an input is wrong (inputs.ts). An issue without a path is not about the input; it is a defect in checking it. */
const wrongInput = ({ cause }: TRPCError): string | undefined =>
  cause instanceof StandardSchemaV1Error && cause.issues.every(({ path }) => path !== undefined)
    ? cause.issues[0]?.message
    : undefined

/** Whether the error is a defect and not an answer for the client. tRPC would send its message. */
export const isDefect = (error: TRPCError): boolean =>
  (error.code === "INTERNAL_SERVER_ERROR" && !(error instanceof AnsweredError)) ||
  (error.cause instanceof StandardSchemaV1Error && wrongInput(error) === undefined)

const translated = (error: TRPCError): TRPCError => {
  const sentence = wrongInput(error)
  if (sentence !== undefined) return new AnsweredError(codeOf.invalid, sentence)
  return isDefect(error) ? new AnsweredError(codeOf.defect, internalError.sentence) : error
}

/** The form of an error for the client. */
export const shapeOf = (error: TRPCError, shape: TRPCDefaultErrorShape): TRPCDefaultErrorShape => {
  const answer = translated(error)
  const { code, message } = answer
  return {
    code: TRPC_ERROR_CODES_BY_KEY[code],
    message,
    data: { ...shape.data, code, httpStatus: getHTTPStatusCodeFromError(answer) }
  }
}
