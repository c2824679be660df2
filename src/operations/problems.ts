/**
 * The errors with which an operation can end: the kind of failure, and the sentence that describes it. No other file
 * has both. Each interface translates a kind in its own way: api/problems.ts to a status, api/trpc/errors.ts to a code.
 *
 * Over 250 lines: it is one table, so that a reader sees all sentences in one place.
 */
import { Cause, Effect } from "effect"
import * as Errors from "../domain/errors.ts"
import { abridged, shown } from "../domain/messages.ts"
import { formatDateTime } from "../domain/Time.ts"
import * as Requests from "./requestText.ts"
import { refusal } from "./refusal.ts"
import { addressOf, unexpectedTraffic } from "./sentences.ts"
import { lapsNotCut } from "../imports/lapsNotCut.ts"

export type ProblemKind =
  | "notFound"
  | "conflict"
  | "invalid"
  | "tooLarge"
  /** Content of a kind that is not taken. */
  | "unsupported"
  | "tooMany"
  /** The simulator refused the connection, or the peer is not a simulator. */
  | "refused"
  /** A simulator did not answer. */
  | "silent"
  | "unavailable"
  /** The disk is full. */
  | "noRoom"
  /** Stored data cannot be read. */
  | "damaged"
  /** A defect. */
  | "defect"

export interface Problem {
  readonly kind: ProblemKind
  readonly sentence: string
  /** The seconds after which another attempt may succeed. */
  readonly retryAfterSeconds?: number
}

/** The class of an error, as an operation declares it. */
export type ErrorClass<E extends Error = Error> = abstract new (...args: Array<never>) => E

interface ProblemRule {
  readonly kind: ProblemKind
  readonly problem: (error: unknown) => Problem | undefined
}

const problem = <E extends Error>(
  error: ErrorClass<E>,
  kind: ProblemKind,
  sentence: (error: E) => string,
  retryAfterSeconds?: (error: E) => number
): readonly [unknown, ProblemRule] => [
  error,
  {
    kind,
    problem: (value) =>
      value instanceof error
        ? {
            kind,
            sentence: sentence(value),
            ...(retryAfterSeconds && { retryAfterSeconds: retryAfterSeconds(value) })
          }
        : undefined
  }
]

const kindsOfHosts: Readonly<Record<Errors.ForbiddenKind, string>> = {
  "link-local": "the address of a simulator, not a link-local one",
  metadata: "the address of a simulator, not of a cloud's metadata service",
  multicast: "the address of a simulator, not a multicast one",
  broadcast: "the address of a simulator, not a broadcast one",
  unspecified: "the address of a simulator, not an unspecified one",
  unlisted: "one that the service may connect to (--simulator-hosts)",
  own: "the address of another program, not one that the service itself listens on"
}

/** How long a client should wait before it repeats a request that a store could not serve. */
export const RETRY_STORE_SECONDS = 5

const retryStore = () => RETRY_STORE_SECONDS

/** Bytes for people, in MiB or GiB. */
const inMebibytes = (bytes: number) =>
  bytes >= 2 ** 30 ? `${Number((bytes / 2 ** 30).toFixed(1))} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`

const table = new Map<unknown, ProblemRule>([
  problem(
    Errors.SessionNotFound,
    "notFound",
    ({ sessionId }) => `Session ${abridged(String(sessionId))} was not found`
  ),
  problem(Errors.LapNotFound, "notFound", ({ lapId }) => `Lap ${abridged(String(lapId))} was not found`),
  problem(
    Errors.ImportNotFound,
    "notFound",
    ({ importId }) => `Import ${abridged(String(importId))} was not found`
  ),
  problem(
    Errors.UploadTooLarge,
    "tooLarge",
    ({ limit }) => `The file is larger than ${inMebibytes(limit)} (--import-max)`
  ),
  problem(Errors.UnknownFormat, "unsupported", ({ reason }) => reason),
  problem(
    Errors.NoRoomForUpload,
    "noRoom",
    ({ free, needed }) =>
      `The file needs ${inMebibytes(needed)} on the disk of the data folder, which has ${inMebibytes(free)}`
  ),
  problem(
    Errors.TooManyImports,
    "tooMany",
    ({ limit }) => `${limit} files wait to be imported, which is the limit; try again later`,
    retryStore
  ),
  problem(
    Errors.TooManyUploads,
    "tooMany",
    ({ limit }) => `${limit} files are being uploaded, which is the limit; try again later`,
    retryStore
  ),
  problem(
    Errors.UploadComplete,
    "conflict",
    ({ importId }) => `Import ${importId} takes no more bytes: its upload has ended`
  ),
  problem(Errors.LapsNotCut, "conflict", lapsNotCut),
  problem(
    Errors.UploadElsewhere,
    "conflict",
    ({ offset }) => `The upload goes on at byte ${offset}: send Upload-Offset: ${offset}`
  ),
  problem(Errors.DriverNotFound, "notFound", ({ driver }) => `Driver ${shown(driver)} was not found`),
  problem(
    Errors.ConnectionNotFound,
    "notFound",
    ({ address }) => `No connection to ${addressOf(address)} is kept`
  ),
  problem(Errors.CircuitNotFound, "notFound", ({ circuit }) => `Circuit ${shown(circuit)} was not found`),
  problem(
    Errors.SessionBeingRecorded,
    "conflict",
    ({ sessionId }) => `Session ${sessionId} is being recorded; disconnect its simulator first`
  ),
  problem(
    Errors.MarkChanged,
    "conflict",
    ({ expected, revision }) =>
      `The mark was changed meanwhile: its revision is ${revision}, not ${expected}; read it again`
  ),
  problem(
    Errors.TooManyMarks,
    "invalid",
    ({ limit }) => `There are ${limit} marks already, which is the limit; delete some first`
  ),
  problem(
    Errors.AlreadyConnected,
    "conflict",
    ({ address }) => `${addressOf(address)} is already connected with other settings; disconnect it first`
  ),
  problem(
    Errors.ConnectedElsewhere,
    "conflict",
    ({ node }) => `Node ${node} has this connection, and cannot be reached now; connect again in a moment`
  ),
  problem(
    Errors.ConnectInterrupted,
    "conflict",
    ({ address }) => `The connection to ${addressOf(address)} was ended before it was established`
  ),
  problem(Errors.SimulatorRefused, "refused", refusal),
  problem(
    Errors.NotASimulator,
    "refused",
    ({ address, simulator, reason }) =>
      `The program at ${addressOf(address)} does not speak the ${simulator} protocol: ${reason}`
  ),
  problem(
    Errors.SimulatorSilent,
    "silent",
    ({ address, chosenByPort, heard, seconds }) =>
      `The simulator at ${addressOf(address)} did not answer within ${seconds} s` +
      (heard === undefined ? "" : unexpectedTraffic(heard)) +
      (chosenByPort === undefined
        ? ""
        : `. The request names no simulator, so port ${address.port} means ${chosenByPort}; ` +
          'to connect to another, name it in "simulator"')
  ),
  problem(
    Errors.UnknownSimulator,
    "invalid",
    ({ simulator, known }) => `simulator must be one of ${known.join(", ")}, got ${shown(simulator)}`
  ),
  problem(Errors.TargetNotAllowed, "invalid", ({ address, field, kind }) =>
    field === undefined
      ? `host must be ${kindsOfHosts[kind]}, got ${shown(address.host)}`
      : `${field} must be ${kindsOfHosts[kind]}, got ${shown(addressOf(address))}`
  ),
  problem(
    Errors.NothingToForward,
    "invalid",
    ({ simulator }) => `forward must be left out for ${simulator}, which does not send over UDP`
  ),
  problem(
    Errors.TooManyConnects,
    "tooMany",
    ({ limit, seconds }) =>
      `${limit} connections were requested within a minute, which is the limit; try again in ${seconds} s`,
    ({ seconds }) => seconds
  ),
  problem(
    Errors.InvalidValue,
    "invalid",
    ({ name, value, expected }) => `${name} must be ${expected}, got ${shown(value)}`
  ),
  problem(
    Errors.StoreUnavailable,
    "unavailable",
    ({ store }) => `The ${store} store cannot be reached; try again soon`,
    retryStore
  ),
  problem(
    Errors.PointsDamaged,
    "damaged",
    ({ first, group, last, sessionId }) =>
      `${group === undefined ? "Points" : `Samples of ${group}`} of session ${sessionId} from ${formatDateTime(first)} to ${formatDateTime(last)} are damaged in the store; its other data can be read`
  ),
  problem(
    Errors.ChannelsDamaged,
    "damaged",
    ({ sessionId }) => `The channels of session ${sessionId} are damaged in the catalog`
  ),
  problem(
    Errors.TooManySubscriptions,
    "unavailable",
    ({ limit }) =>
      `${limit} subscriptions are open, which is the limit; use the live WebSocket or try again later`,
    retryStore
  ),
  problem(
    Errors.TooManySelections,
    "unavailable",
    ({ limit }) =>
      `Live clients ask for ${limit} different selections of channels, which is the limit; ask for one of these, such as channels=*, or try again later`,
    retryStore
  ),
  problem(
    Errors.TooManyOfClient,
    "tooMany",
    ({ limit }) =>
      `Live clients of your address ask for ${limit} different selections of channels, which is the limit for one address; ask for one of these, such as channels=*`,
    retryStore
  ),
  problem(
    Errors.TooManyReplays,
    "unavailable",
    ({ limit }) =>
      `${limit} live clients are catching up on missed messages, which is the limit; try again in a few seconds`,
    retryStore
  ),
  problem(
    Errors.TooManyAnswers,
    "unavailable",
    ({ limit }) =>
      `${limit} large answers are being sent to slow clients, which is the limit; try again in a few seconds`,
    retryStore
  ),
  problem(
    Errors.StillComputing,
    "unavailable",
    ({ question, seconds }) =>
      `The ${question} take longer than ${seconds} s and are still being computed; try again in a few seconds, or analyse fewer laps with compare`,
    retryStore
  ),
  problem(Requests.BodyTooLarge, "tooLarge", ({ limit }) => `The request body is larger than ${limit} bytes`),
  problem(Requests.BodyNotJson, "invalid", () => "The request body is not valid JSON"),
  problem(Requests.BodyNotUtf8, "invalid", () => "The request body is not UTF-8"),
  problem(
    Requests.BodyTooDeep,
    "invalid",
    ({ limit }) => `The request body is nested deeper than ${limit} levels`
  )
])

/** The kind of an error that the table below lists. */
export const kindOf = (error: ErrorClass): ProblemKind | undefined => table.get(error)?.kind

/** The problem for an error that the table below lists; undefined for any other. */
export const problemOf = (error: unknown): Problem | undefined =>
  error instanceof Error ? table.get(error.constructor)?.problem(error) : undefined

/** The problem that clients get for a defect. */
export const internalError: Problem = { kind: "defect", sentence: "Internal error" }

/** The problem for the cause of a failed Effect: one from the table, or else a defect, which is logged. */
export const problemOfCause = (cause: Cause.Cause<unknown>): Effect.Effect<Problem> => {
  const known = problemOf(Cause.squash(cause))
  return known === undefined
    ? Effect.as(Effect.logError("A request failed", cause), internalError)
    : Effect.succeed(known)
}
