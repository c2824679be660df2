/** One process that does everything. */
import { Effect, Layer } from "effect"
import * as FolderLock from "../folder/FolderLock.ts"
import * as HttpLive from "../../api/server.ts"
import { inProcess } from "../../cluster/Relay.ts"
import type { SettingsValues } from "../Settings.ts"
import { announce } from "./announce.ts"
import { lazily } from "./lazily.ts"
import { node } from "./node.ts"
import { storage } from "./parts.ts"
import { recording } from "./recording.ts"
import { listening, serving } from "./serving.ts"

/** Other nodes are heard only where a bus is given, and its client is loaded only then. */
const relay = ({ cluster, relay, relayCredentials }: SettingsValues) =>
  relay === "none"
    ? inProcess
    : lazily(
        () => import("../../cluster/nats/layer.ts"),
        ({ layer }) =>
          layer({
            servers: relay,
            cluster,
            credentials: relayCredentials === "none" ? undefined : relayCredentials
          })
      )

/**
 * To be read from the last line to the first: this process takes the folder, then the port. Only then does it open the
 * stores, and recover sessions that a crash left open. Requests that arrive meanwhile wait.
 */
export const role = (settings: SettingsValues) =>
  Layer.effectDiscard(Effect.flatMap(HttpLive.address, (address) => announce(address, settings))).pipe(
    Layer.provide(serving(settings)),
    Layer.provide(recording(settings)),
    Layer.provide(relay(settings)),
    Layer.provide(storage(settings, { records: true })),
    Layer.provide(node(settings)),
    Layer.provide(listening(settings)),
    Layer.provide(Layer.scopedDiscard(FolderLock.lockFolder(settings.data, settings.existing)))
  )
