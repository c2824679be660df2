/** What serves: HTTP and live clients, of a store and the relay. */
import { Layer } from "effect"
import { Access, rulesOf } from "../http/Access.ts"
import * as HttpLive from "../server.ts"
import * as ServingSide from "../relay/servingSide.ts"
import type { SettingsValues } from "../Settings.ts"
import { MaxSubscriptions } from "../trpc/MaxSubscriptions.ts"

/** The port is taken; requests wait until there is somebody who serves. */
export const listening = ({ host, port }: SettingsValues) => HttpLive.listening(host, port)

/** Until it ends. Then the port is given up, before what requests are answered from. */
export const serving = (settings: SettingsValues) =>
  HttpLive.layer.pipe(
    Layer.provide(Layer.succeed(MaxSubscriptions, settings.maxSubscriptions)),
    Layer.provide(Layer.succeed(Access, rulesOf(settings))),
    Layer.provide(HttpLive.closing),
    Layer.provide(ServingSide.layer)
  )
