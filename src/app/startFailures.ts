/** Why a program of ours could not begin, each reason in one sentence. The only place that has these sentences. */
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

export const damageSentence = ({ first, group, last, reason, sessionId, store }: PointsDamaged): string =>
  `Session ${sessionId} is damaged${group === undefined ? "" : ` in its group ${group}`} in the ${store} store from ${formatDateTime(first)} to ${formatDateTime(last)}: ${reason}`

export const channelsSentence = ({ sessionId }: Pick<ChannelsDamaged, "sessionId">): string =>
  `What session ${sessionId} has of channels is damaged in the catalog`

/** `listening`: the service's address. */
export const startSentence = (
  failure: StartFailure,
  listening?: Pick<SettingsValues, "host" | "port">
): string => {
  switch (failure._tag) {
    case "DataFolderEmpty":
      return `No service has recorded into ${failure.folder}, and only a store that is there is wanted (--existing): is its disk mounted?`
    case "DataFolderInUse":
      return `${failure.folder} is in use by ${failure.process ?? "another process"}`
    case "DataFolderUnusable":
      return `Cannot keep anything in the data folder ${failure.folder}: ${reasonOf(failure.cause)}`
    case "DatabaseReplaced":
      return `${failure.file} took the place of another file, and the log ${failure.file}-wal belongs to that one: "telemetry restore BACKUP" puts a backup in place and keeps what was there. Nothing was changed`
    case "PointsOfAnother":
      return refusal(failure)
    case "PointsDamaged":
      return damageSentence(failure)
    case "ChannelsDamaged":
      return channelsSentence(failure)
    case "StoreUnavailable":
      return `Cannot open the ${failure.store} store: ${failure.reason ?? reasonOf(failure.cause)}`
    case "NodeInUse":
      return `The node of this data folder is ${failure.described}: in a copy of a folder delete node.json, which makes it a node of its own; if that process has ended, start again in ${failure.seconds} s`
    case "PointsNotShared":
      return `The catalog is also that of ${failure.described}${failure.shares ? "" : ", which keeps its points in files"}, and points in files are of one service: give each service a catalog of its own, or all one QuestDB (--points questdb://…); if that one does not come back, "telemetry adopt --node ${failure.node}" gives it up`
    case "ServeError":
      return `Cannot listen on ${listening?.host}:${listening?.port}: ${reasonOf(failure.cause)}`
    case "ProcessFailed":
      return `The process ${failure.name} could not start: it ended (${failure.status})`
  }
}
