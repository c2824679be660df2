/** One of several processes that serve, and leave the recording to another. */
import { Layer } from "effect"
import * as Ipc from "../../cluster/ipc.ts"
import type { SettingsValues } from "../Settings.ts"
import { storage } from "./parts.ts"
import { listening, serving } from "./serving.ts"

export const role = (settings: SettingsValues) =>
  serving(settings).pipe(
    Layer.provide(listening(settings)),
    Layer.provide(Ipc.layer),
    Layer.provide(storage(settings, { records: false }))
  )
