import { Effect } from "effect"
import * as Switchboard from "../../src/relay/Switchboard.ts"
import { inProcess, Relay } from "../../src/relay/Relay.ts"
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
    const switchboard = yield* Switchboard.make(Effect.succeed([]))
    const [recorder, towardsRecorder] = yield* lines
    yield* Effect.forkScoped(switchboard.recording(towardsRecorder))
    const servers = yield* Effect.forEach([1, 2, 3], () =>
      Effect.gen(function* () {
        const [server, towardsServer] = yield* lines
        yield* switchboard.serving(towardsServer)
        return server
      })
    )
    return { recorder, servers }
  })
)
