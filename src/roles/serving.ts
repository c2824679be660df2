/** What serves: HTTP and live clients, of a store and the relay. */
import { Layer } from "effect"
import * as HttpLive from "../http/server.ts"
import * as ServingSide from "../relay/servingSide.ts"
import type { SettingsValues } from "../Settings.ts"

export const serving = (settings: SettingsValues) =>
  HttpLive.layer.pipe(
    Layer.provideMerge(HttpLive.listening(settings.host, settings.port)),
    Layer.provide(ServingSide.layer)
  )
