/** The process that records, if other processes serve. Its supervisor holds the lock of the data folder. */
import { Layer } from "effect"
import * as Ipc from "../../cluster/ipc.ts"
import { countProcess } from "../../cluster/recordingSide.ts"
import type { SettingsValues } from "../Settings.ts"
import { node } from "./node.ts"
import { storage } from "./parts.ts"
import { recording } from "./recording.ts"

export const role = (settings: SettingsValues) =>
  Layer.merge(recording(settings), countProcess).pipe(
    Layer.provide(Ipc.layer),
    Layer.provide(storage(settings, { records: true })),
    Layer.provide(node(settings))
  )
