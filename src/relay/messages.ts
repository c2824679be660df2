/**
 * What processes of one service say to each other. Sent by Node's channel between parent and child with structured
 * cloning, so a batch's columns travel as they are.
 */
import { Cause, Exit, Option } from "effect"
import * as Errors from "../domain/errors.ts"
import { PointBatch } from "../domain/PointBatch.ts"
import type { LiveEvent } from "../live/messages.ts"
import type { News, Recording } from "./Relay.ts"

/** What can be asked; `counts` and whether it is `alive` of any process, the rest of the one that records. */
export type Asked = keyof Recording | "counts" | "alive"

export type Message =
  | { readonly type: "ask"; readonly id: number; readonly asked: Asked; readonly argument: unknown }
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  /** Whoever says so answers commands from now on. */
  | { readonly type: "recording" }
  | {
      readonly type: "points"
      readonly sessionId: number
      readonly length: number
      readonly data: Float64Array
      readonly first: number | undefined
    }
  | { readonly type: "event"; readonly event: LiveEvent }
  | { readonly type: "rate"; readonly hz: number }

/** The news that a message is; undefined for any other. */
export const newsOf = (message: Message): News | undefined => {
  switch (message.type) {
    case "points": {
      const { sessionId, length, data, first } = message
      return { type: "points", sessionId, batch: new PointBatch(length, data), first }
    }
    case "event":
    case "rate":
      return message
    default:
      return undefined
  }
}

export const messageOf = (news: News): Message => {
  if (news.type !== "points") return news
  const { batch, first, sessionId, type } = news
  return { type, sessionId, length: batch.length, data: batch.data, first }
}

/** An Exit that can be cloned. */
export type Answer =
  | { readonly outcome: "value"; readonly value: unknown }
  | { readonly outcome: "error"; readonly tag: string; readonly fields: object }
  | { readonly outcome: "defect"; readonly text: string }

/** What a command can fail with: rebuilt on the other side as the class that it was. */
const constructors = {
  AlreadyConnected: (fields: never) => new Errors.AlreadyConnected(fields),
  ConnectInterrupted: (fields: never) => new Errors.ConnectInterrupted(fields),
  NotASimulator: (fields: never) => new Errors.NotASimulator(fields),
  SessionBeingRecorded: (fields: never) => new Errors.SessionBeingRecorded(fields),
  SessionNotFound: (fields: never) => new Errors.SessionNotFound(fields),
  SimulatorRefused: (fields: never) => new Errors.SimulatorRefused(fields),
  SimulatorSilent: (fields: never) => new Errors.SimulatorSilent(fields),
  TargetNotAllowed: (fields: never) => new Errors.TargetNotAllowed(fields),
  TooManyConnects: (fields: never) => new Errors.TooManyConnects(fields),
  StoreUnavailable: (fields: never) => new Errors.StoreUnavailable(fields),
  UnknownSimulator: (fields: never) => new Errors.UnknownSimulator(fields)
} satisfies Record<Errors.ConnectError["_tag"], unknown>

export const encodeExit = (exit: Exit.Exit<unknown, Errors.ConnectError>): Answer => {
  if (Exit.isSuccess(exit)) return { outcome: "value", value: exit.value }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return { outcome: "defect", text: Cause.pretty(exit.cause) }
  const { _tag: tag, ...fields } = error
  // A cause may be anything, also what cannot be cloned; its text is for the log.
  return {
    outcome: "error",
    tag,
    fields: "cause" in fields ? { ...fields, cause: String(fields.cause) } : fields
  }
}

export const decodeExit = (answer: Answer): Exit.Exit<unknown, Errors.ConnectError> => {
  switch (answer.outcome) {
    case "value":
      return Exit.succeed(answer.value)
    case "error":
      return Exit.fail(constructors[answer.tag as keyof typeof constructors](answer.fields as never))
    case "defect":
      return Exit.die(new Error(answer.text))
  }
}
