/** Makes a recording process a node. */
import { hostname } from "node:os"
import * as HttpServer from "@effect/platform/HttpServer"
import { Context, Effect, Layer, Option } from "effect"
import { noteLogs } from "../folder/databaseLogs.ts"
import { lockRecording } from "../folder/FolderLock.ts"
import { isNew, nodeOf, rememberHolder } from "../folder/nodeFile.ts"
import { urlOf } from "../../api/urlOf.ts"
import * as NodeLease from "../../cluster/NodeLease.ts"
import type { SettingsValues } from "../Settings.ts"
import type { NodeHolder } from "../../store/Nodes.ts"
import { ThisNode } from "../../store/ThisNode.ts"
import { databases } from "./parts.ts"
import { isDue, quickCheck } from "./quickCheck.ts"

/** The process as the holder of a node; `wasKilled`: the last one did not close its databases. */
export class ThisHolder extends Context.Tag("roles/ThisHolder")<
  ThisHolder,
  { readonly folder: string; readonly holder: NodeHolder; readonly wasKilled: boolean }
>() {}

/** Makes this process the node of its data folder and locks the folder, before anything in it is opened. */
export const node = (settings: SettingsValues) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const folder = yield* lockRecording(settings.data)
      // A data disk that is not mounted also looks like a new folder.
      if (isNew(folder)) yield* Effect.logInfo(`A new, empty store in ${folder}`)
      const holder = { ...(yield* nodeOf(folder)), lease: settings.lease }
      const wasKilled = isDue(folder, databases(settings))
      return Context.make(ThisHolder, { folder, holder, wasKilled }).pipe(Context.add(ThisNode, holder.node))
    })
  )

/** Notes the databases, which are open by now, and checks them if the last process did not close them. */
export const watchDatabases = (settings: SettingsValues) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { folder, wasKilled } = yield* ThisHolder
      yield* noteLogs(folder, databases(settings))
      if (wasKilled) yield* Effect.forkScoped(quickCheck(folder))
    })
  )

/** A service that listens on all addresses is reached by its machine's name. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** The address on which this process serves; undefined if it only records. */
const listensAt = Effect.map(
  Effect.serviceOption(HttpServer.HttpServer),
  Option.match({
    onNone: () => undefined,
    onSome: ({ address }) =>
      address._tag === "TcpAddress"
        ? urlOf(EVERY_ADDRESS.has(address.hostname) ? hostname() : address.hostname, address.port)
        : undefined
  })
)

/** A catalog in the data folder has no other node. In a catalog on a server, this node takes a lease. */
export const lease = ({ advertise, catalog, points }: SettingsValues) =>
  catalog === "sqlite"
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.gen(function* () {
          const { folder, holder } = yield* ThisHolder
          const url = advertise === "none" ? yield* listensAt : advertise
          yield* NodeLease.hold({ ...holder, ...(url === undefined ? {} : { url }) }, points !== "sqlite")
          yield* rememberHolder(folder, holder)
        })
      )
