/**
 * The messages between the processes of a service. Node's channel between parent and child sends them with structured
 * cloning, so a batch's columns travel as they are.
 */
import { Cause, Exit, Option } from "effect"
import * as Errors from "../domain/errors.ts"
import { channels } from "../domain/pointChannels.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import type { LiveEvent } from "../live/hub/messages.ts"
import type { Stop } from "../platform/processes.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import type { Call } from "./commands.ts"
import type { Update } from "./Relay.ts"

export type RelayMessage =
  | { readonly type: "ask"; readonly id: number; readonly asked: Call; readonly argument: unknown }
  | { readonly type: "answer"; readonly id: number; readonly answer: EncodedExit }
  /** The sender answers commands from now on. */
  | { readonly type: "recording" }
  | {
      readonly type: "points"
      readonly sessionId: number
      readonly length: number
      readonly data: Float64Array
      readonly first: number | undefined
    }
  | { readonly type: "samples"; readonly sessionId: number; readonly groups: ReadonlyArray<EncodedRows> }
  | Extract<Update, { readonly type: "watch" }>
  | { readonly type: "event"; readonly event: LiveEvent }
  | { readonly type: "rate"; readonly hz: number }
  | { readonly type: "on_air" }
  | { readonly type: "import"; readonly importId: number }
  /** The sender receives from now on, and asks for the newest status, because messages sent while it started are lost. */
  | { readonly type: "observing" }
  /** The connections' newest status; null while no process records. */
  | { readonly type: "status"; readonly status: SimulatorsStatus | null }
  | Stop

/** Rows of a group in a form that can be cloned. */
interface EncodedRows {
  readonly group: string
  readonly columns: ReadonlyArray<string>
  readonly length: number
  readonly data: Float64Array
}

/** The update in a message; undefined for a message of another kind. */
export const updateOf = (message: RelayMessage): Update | undefined => {
  switch (message.type) {
    case "points": {
      const { sessionId, length, data, first } = message
      return { type: "points", sessionId, batch: new RowBatch(length, data, channels), first }
    }
    case "samples": {
      const groups = message.groups.map(({ columns, data, group, length }) => ({
        group,
        batch: new RowBatch(length, data, columns)
      }))
      return { type: "samples", sessionId: message.sessionId, groups }
    }
    case "event":
    case "import":
    case "on_air":
    case "rate":
    case "watch":
      return message
    default:
      return undefined
  }
}

export const messageOf = (update: Update): RelayMessage => {
  if (update.type === "samples") {
    const groups = update.groups.map(({ batch, group }) => ({
      group,
      columns: batch.channels,
      length: batch.length,
      data: batch.data
    }))
    return { type: "samples", sessionId: update.sessionId, groups }
  }
  if (update.type !== "points") return update
  const { batch, first, sessionId, type } = update
  return { type, sessionId, length: batch.length, data: batch.data, first }
}

/** An Exit in a form that can be cloned. */
export type EncodedExit =
  | { readonly outcome: "value"; readonly value: unknown }
  | { readonly outcome: "error"; readonly tag: string; readonly fields: object }
  | { readonly outcome: "defect"; readonly text: string }

/** The errors of commands: the other side makes an instance of the same class. */
const constructors = {
  AlreadyConnected: (fields: never) => new Errors.AlreadyConnected(fields),
  ConnectedElsewhere: (fields: never) => new Errors.ConnectedElsewhere(fields),
  ConnectInterrupted: (fields: never) => new Errors.ConnectInterrupted(fields),
  ImportNotFound: (fields: never) => new Errors.ImportNotFound(fields),
  LapsNotCut: (fields: never) => new Errors.LapsNotCut(fields),
  NotASimulator: (fields: never) => new Errors.NotASimulator(fields),
  SessionBeingRecorded: (fields: never) => new Errors.SessionBeingRecorded(fields),
  SessionNotFound: (fields: never) => new Errors.SessionNotFound(fields),
  SimulatorRefused: (fields: never) => new Errors.SimulatorRefused(fields),
  SimulatorSilent: (fields: never) => new Errors.SimulatorSilent(fields),
  TargetNotAllowed: (fields: never) => new Errors.TargetNotAllowed(fields),
  NothingToForward: (fields: never) => new Errors.NothingToForward(fields),
  TooManyConnects: (fields: never) => new Errors.TooManyConnects(fields),
  TooManyImports: (fields: never) => new Errors.TooManyImports(fields),
  StoreUnavailable: (fields: never) => new Errors.StoreUnavailable(fields),
  UnknownSimulator: (fields: never) => new Errors.UnknownSimulator(fields)
} satisfies Record<Errors.CommandError["_tag"], unknown>

export const encodeExit = (exit: Exit.Exit<unknown, Errors.CommandError>): EncodedExit => {
  if (Exit.isSuccess(exit)) return { outcome: "value", value: exit.value }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return { outcome: "defect", text: Cause.pretty(exit.cause) }
  const { _tag: tag, ...fields } = error
  // A cause may be any value, including one that cannot be cloned; its text is for the log.
  return {
    outcome: "error",
    tag,
    fields: "cause" in fields ? { ...fields, cause: String(fields.cause) } : fields
  }
}

export const decodeExit = (answer: EncodedExit): Exit.Exit<unknown, Errors.CommandError> => {
  switch (answer.outcome) {
    case "value":
      return Exit.succeed(answer.value)
    case "error":
      return Exit.fail(constructors[answer.tag as keyof typeof constructors](answer.fields as never))
    case "defect":
      return Exit.die(new Error(answer.text))
  }
}
