/** The serving part: HTTP and live clients, from a store and the relay. */
import { Layer } from "effect"
import { Access, rulesOf } from "../../api/Access.ts"
import * as HttpLive from "../../api/server.ts"
import * as ServingSide from "../../cluster/servingSide.ts"
import type { SettingsValues } from "../Settings.ts"
import { MaxSubscriptions } from "../../api/trpc/MaxSubscriptions.ts"

/** Binds the port; requests wait until a layer serves them. */
export const listening = ({ base, host, port }: SettingsValues) => HttpLive.listening(host, port, base)

/** Serves until the layer ends. It then releases the port, before the services that answer requests end. */
export const serving = (settings: SettingsValues) =>
  HttpLive.layer.pipe(
    Layer.provide(Layer.succeed(MaxSubscriptions, settings.maxSubscriptions)),
    Layer.provide(Layer.succeed(Access, rulesOf(settings))),
    Layer.provide(HttpLive.closing),
    Layer.provide(ServingSide.layer)
  )
