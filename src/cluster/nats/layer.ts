/** The relay of this node over NATS. */
import { readFile } from "node:fs/promises"
import { Effect, Layer } from "effect"
import { CatalogTransfer } from "../../store/CatalogTransfer.ts"
import { ThisNode } from "../../store/ThisNode.ts"
import { Relay } from "../Relay.ts"
import { BusRefused } from "./Bus.ts"
import * as Clustered from "./clustered.ts"
import * as MissedEvents from "./missedEvents.ts"
import * as NatsBus from "./NatsBus.ts"

export interface ClusterSettings {
  readonly servers: ReadonlyArray<string>
  readonly cluster: string
  /** A file with an nkey seed or a token; undefined if the servers ask for neither. */
  readonly credentials: string | undefined
}

/** Of the catalog's identity, in the subjects of all messages. */
const ID_LENGTH = 8

const read = (file: string) =>
  Effect.tryPromise({
    try: async () => (await readFile(file, "utf8")).trim(),
    catch: (cause) => new BusRefused({ reason: `its credentials cannot be read: ${String(cause)}` })
  })

export const layer = ({ cluster, credentials, servers }: ClusterSettings) =>
  Layer.scoped(
    Relay,
    Effect.gen(function* () {
      const name = (yield* ThisNode) ?? "serving"
      const given = credentials === undefined ? undefined : yield* read(credentials)
      const { origin } = yield* (yield* CatalogTransfer).identity
      // Services that share no catalog do not hear each other, even where both have the default name.
      const own = `${cluster}.${origin.slice(0, ID_LENGTH)}`
      const bus = yield* NatsBus.make({ servers, cluster: own, credentials: given, name })
      const relay = yield* Clustered.make(bus, name)
      yield* relay.count(Effect.sync(relay.families))
      yield* MissedEvents.make(bus, relay, relay.publishHere)
      return relay
    })
  )
