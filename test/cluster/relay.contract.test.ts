import { Effect } from "effect"
import * as RelayRouter from "../../src/cluster/RelayRouter.ts"
import { inProcess, Relay } from "../../src/cluster/Relay.ts"
import { Layer } from "effect"
import { relayContract } from "../contracts/relayContract.ts"
import { lines } from "./support.ts"

relayContract(
  "of one process",
  Effect.map(
    Effect.flatMap(Layer.build(inProcess), (context) => Effect.provide(Relay, context)),
    (relay) => ({
      recorder: relay,
      servers: [relay]
    })
  )
)

relayContract(
  "over channels, through a supervisor",
  Effect.gen(function* () {
    const router = yield* RelayRouter.make(Effect.succeed([]))
    const [recorder, towardsRecorder] = yield* lines
    yield* Effect.forkScoped(router.recording(towardsRecorder))
    const servers = yield* Effect.forEach([1, 2, 3], () =>
      Effect.gen(function* () {
        const [server, towardsServer] = yield* lines
        yield* router.serving(towardsServer)
        return server
      })
    )
    return { recorder, servers }
  })
)
