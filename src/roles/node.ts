/** Which node a recording process is. */
import { Context, Effect, Layer } from "effect"
import { lockRecording } from "../folder/FolderLock.ts"
import { isNew, nodeOf, rememberHolder } from "../folder/nodeFile.ts"
import * as NodeLease from "../recording/NodeLease.ts"
import type { SettingsValues } from "../Settings.ts"
import type { NodeHolder } from "../store/Nodes.ts"
import { ThisNode } from "../store/ThisNode.ts"

/** The process as the holder of a node. */
export class ThisHolder extends Context.Tag("roles/ThisHolder")<
  ThisHolder,
  { readonly folder: string; readonly holder: NodeHolder }
>() {}

/** Makes this process the node of its data folder and locks the folder, before anything in it is opened. */
export const node = ({ data }: SettingsValues) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const folder = yield* lockRecording(data)
      // A data disk that is not mounted looks like this, too.
      if (isNew(folder)) yield* Effect.logInfo(`A new, empty store in ${folder}`)
      const holder = yield* nodeOf(folder)
      return Context.make(ThisHolder, { folder, holder }).pipe(Context.add(ThisNode, holder.node))
    })
  )

/** A catalog in the data folder has no other node. In a catalog on a server, this node takes a lease. */
export const lease = ({ catalog, points }: SettingsValues) =>
  catalog === "sqlite"
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.gen(function* () {
          const { folder, holder } = yield* ThisHolder
          yield* NodeLease.hold(holder, points !== "sqlite")
          yield* rememberHolder(folder, holder)
        })
      )
