/** Which node a process is that records. */
import { Context, Effect, Layer } from "effect"
import { lockRecording } from "../folder/FolderLock.ts"
import { nodeOf, rememberHolder } from "../folder/nodeFile.ts"
import * as NodeLease from "../recording/NodeLease.ts"
import type { SettingsValues } from "../Settings.ts"
import type { NodeHolder } from "../store/Nodes.ts"
import { ThisNode } from "../store/ThisNode.ts"

/** What it is there, and where. */
export class ThisHolder extends Context.Tag("roles/ThisHolder")<
  ThisHolder,
  { readonly folder: string; readonly holder: NodeHolder }
>() {}

/** The process records into its data folder, alone, before it opens what is in there. */
export const node = ({ data }: SettingsValues) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const folder = yield* lockRecording(data)
      const holder = yield* nodeOf(folder)
      return Context.make(ThisHolder, { folder, holder }).pipe(Context.add(ThisNode, holder.node))
    })
  )

/** A catalog in the data folder has no other node; in one on a server this node takes a lease. */
export const lease = ({ catalog }: SettingsValues) =>
  catalog === "sqlite"
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.gen(function* () {
          const { folder, holder } = yield* ThisHolder
          yield* NodeLease.hold(holder)
          yield* rememberHolder(folder, holder)
        })
      )
