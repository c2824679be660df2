/** Points in QuestDB, with a spool on this machine's disk for times when QuestDB is away. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { RowStore } from "../RowStore.ts"
import * as SpooledRowStore from "../spool/SpooledRowStore.ts"
import * as SqliteSpool from "../sqlite/SqliteSpool.ts"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { Connections } from "./Connections.ts"
import * as Losses from "./losses.ts"
import * as QuestdbRowStore from "./QuestdbRowStore.ts"

/** The server without a spool. */
export const server = (address: QuestdbAddress, losses = Losses.make()): Layer.Layer<RowStore> =>
  QuestdbRowStore.layer(address, losses).pipe(
    Layer.provide([Connections.layer(address), NodeHttpClient.layer])
  )

/** `writes`: whether this process is the one that records. */
export const layer = (
  dataFolder: string,
  address: QuestdbAddress,
  options: { readonly writes: boolean }
): Layer.Layer<RowStore, StoreUnavailable> => {
  const losses = Losses.make()
  return Layer.scoped(
    RowStore,
    Effect.gen(function* () {
      const spool = yield* SqliteSpool.make(dataFolder, address.spoolBytes)
      const store = yield* SpooledRowStore.make({ server: yield* RowStore, spool, ...options })
      // Only the check reports a loss. Points still go to the server.
      return { ...store, check: Effect.zipRight(store.check, losses.check) }
    })
  ).pipe(Layer.provide(server(address, losses)))
}
