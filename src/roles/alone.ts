/** One process that does everything. */
import { Effect, Layer } from "effect"
import * as HttpLive from "../http/server.ts"
import { inProcess } from "../relay/Relay.ts"
import type { SettingsValues } from "../Settings.ts"
import { announce } from "./announce.ts"
import { storage } from "./parts.ts"
import { recording } from "./recording.ts"
import { serving } from "./serving.ts"

export const role = (settings: SettingsValues) =>
  Layer.effectDiscard(Effect.flatMap(HttpLive.address, announce)).pipe(
    Layer.provide(serving(settings)),
    Layer.provide(recording(settings)),
    Layer.provide(inProcess),
    Layer.provide(storage(settings, { records: true }))
  )
