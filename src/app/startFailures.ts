/** The reasons why one of our programs could not start, each in one sentence. No other file has these sentences. */
import type { ServeError } from "@effect/platform/HttpServerError"
import type {
  ChannelsDamaged,
  DatabaseReplaced,
  DataFolderEmpty,
  DataFolderInUse,
  DataFolderUnusable,
  NodeInUse,
  PointsNotShared,
  PointsDamaged,
  PointsOfAnother,
  StoreUnavailable
} from "../domain/errors.ts"
import { formatDateTime } from "../domain/Time.ts"
import type { BusRefused } from "../cluster/nats/Bus.ts"
import type { ProcessFailed } from "../cluster/supervise.ts"
import type { SettingsValues } from "./Settings.ts"
import { refusal } from "../store/ownership.ts"
import { reasonOf } from "../platform/systemErrors.ts"

export type StartFailure =
  | DatabaseReplaced
  | DataFolderEmpty
  | DataFolderInUse
  | DataFolderUnusable
  | PointsOfAnother
  | PointsDamaged
  | ChannelsDamaged
  | StoreUnavailable
  | NodeInUse
  | PointsNotShared
  | ServeError
  | ProcessFailed
  | BusRefused

export const damageSentence = ({ first, group, last, reason, sessionId, store }: PointsDamaged): string =>
  `Session ${sessionId} is damaged${group === undefined ? "" : ` in its group ${group}`} in the ${store} store from ${formatDateTime(first)} to ${formatDateTime(last)}: ${reason}`

export const channelsSentence = ({ sessionId }: Pick<ChannelsDamaged, "sessionId">): string =>
  `The channels of session ${sessionId} are damaged in the catalog`

/** `listening`: the service's address. */
export const startSentence = (
  failure: StartFailure,
  listening?: Pick<SettingsValues, "host" | "port">
): string => {
  switch (failure._tag) {
    case "DataFolderEmpty":
      return `The data folder ${failure.folder} has no store, and --existing requires one: is its disk mounted?`
    case "DataFolderInUse":
      return `${failure.folder} is in use by ${failure.process ?? "another process"}`
    case "DataFolderUnusable":
      return `Cannot use the data folder ${failure.folder}: ${reasonOf(failure.cause)}`
    case "DatabaseReplaced":
      return `${failure.file} has replaced another file, and the log ${failure.file}-wal belongs to that one: to use a backup, run "telemetry restore BACKUP", which keeps the old file. Nothing was changed`
    case "PointsOfAnother":
      return refusal(failure)
    case "PointsDamaged":
      return damageSentence(failure)
    case "ChannelsDamaged":
      return channelsSentence(failure)
    case "StoreUnavailable":
      return `Cannot open the ${failure.store} store: ${failure.reason ?? reasonOf(failure.cause)}`
    case "NodeInUse":
      return `The node of this data folder is ${failure.described}: if this folder is a copy, delete its node.json, which makes it a node of its own; if that process has ended, start again in ${failure.seconds} s`
    case "PointsNotShared":
      return `The catalog also belongs to ${failure.described}${failure.shares ? "" : ", which keeps its points in files"}, but points in files belong to one service: give each service a catalog of its own, or all of them the same QuestDB (--points questdb://…); if that service does not come back, give it up with "telemetry adopt --node ${failure.node}"`
    case "ServeError":
      return `Cannot listen on ${listening?.host}:${listening?.port}: ${reasonOf(failure.cause)}`
    case "BusRefused":
      return `Cannot use NATS (--relay): ${failure.reason}`
    case "ProcessFailed":
      return `The process ${failure.name} could not start: it ended (${failure.status})`
  }
}
