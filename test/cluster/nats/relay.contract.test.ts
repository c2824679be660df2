/** The relay between nodes, over a real nats-server: each rig is a cluster of its own on the same server. */
import { randomUUID } from "node:crypto"
import { describe } from "@effect/vitest"
import { Effect } from "effect"
import * as Clustered from "../../../src/cluster/nats/clustered.ts"
import * as NatsBus from "../../../src/cluster/nats/NatsBus.ts"
import { relayContract } from "../../contracts/relayContract.ts"
import { nats, natsHere } from "../../support/servers/nats.ts"
import { needing } from "../../support/needing.ts"

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.delay(until(holds), "1 millis")))

describe("a cluster", needing(natsHere), () => {
  relayContract(
    "over NATS",
    Effect.gen(function* () {
      const { url } = yield* nats()
      const cluster = randomUUID()
      const node = (name: string) =>
        Effect.flatMap(NatsBus.make({ servers: [url], credentials: undefined, cluster, name }), (bus) =>
          Clustered.make(bus, name)
        )
      const nodes = yield* Effect.forEach(["a", "b", "c", "d"], node)
      yield* until(() => nodes.every(({ peers }) => peers().length === 3))
      const [recorder, ...servers] = nodes
      return { recorder: recorder!, servers }
    }).pipe(Effect.orDie)
  )
})
