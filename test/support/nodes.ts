/** Three nodes of a cluster as one service: each request reaches one of them by chance. New for each test, with stores of its own. */
import type { AddressInfo } from "node:net"
import { Context, Effect, Layer, Random } from "effect"
import * as PostgresCatalog from "../../src/store/postgres/PostgresCatalog.ts"
import * as QuestdbStore from "../../src/store/questdb/QuestdbStore.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { totalOf, wholeMetrics } from "../api/wholeMetrics.ts"
import { catalogIn } from "../contracts/catalogService.ts"
import { asking, NODES, type Service } from "./asking.ts"
import { linesOf } from "./attached.ts"
import * as Box from "./processes.ts"
import { nats, natsHere } from "./servers/nats.ts"
import { passingOn } from "./servers/passingOn.ts"
import { postgresHere, sharedPostgres } from "./servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "./servers/questdb.ts"

export const anyNode = Effect.gen(function* () {
  const missing = [natsHere, postgresHere, questdbHere].flatMap((here) => here.missing ?? [])
  if (missing.length > 0) return yield* Effect.dieMessage(missing.join("; "))
  const [postgres, questdb, bus] = [yield* sharedPostgres, yield* sharedQuestdb, yield* nats()]
  const flags = [
    "--points",
    questdb.url,
    "--catalog",
    postgres.url,
    "--relay",
    bus.url,
    "--log-level",
    "debug"
  ]
  const start = Effect.flatMap(Box.folder, (data) => Box.startService(data, ...flags))
  const nodes = yield* Effect.replicateEffect(start, NODES)
  const ports = nodes.map(({ address }) => Number(new URL(address).port))
  const passing = yield* passingOn({ port: 0, host: "127.0.0.1" }, () => ({
    host: "127.0.0.1",
    port: Effect.runSync(Random.choice(ports))
  }))
  const client = asking(`http://127.0.0.1:${(passing.address() as AddressInfo).port}`)
  // Each has said who it is: a request to one of them concerns them all.
  yield* wholeMetrics(client)
  const stores = yield* Layer.build(
    Layer.merge(PostgresCatalog.layer(postgres.url), QuestdbStore.server(questdb.address))
  )
  return {
    ...client,
    catalog: catalogIn(stores),
    points: Context.get(stores, RowStore),
    get logged() {
      return nodes.flatMap(({ errors }) => linesOf(errors()))
    },
    subscribers: Effect.map(wholeMetrics(client), totalOf("telemetry_live_subscribers"))
  } satisfies Service
}).pipe(Effect.orDie)
