/** The relay of a process that a supervisor started, over the channel to the supervisor. */
import { Effect, Layer } from "effect"
import { toParent } from "./ProcessChannel.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import { Relay } from "./Relay.ts"

/** Without the supervisor, no other process would end this one, so it shuts itself down in good order. */
const orphaned = () => void process.kill(process.pid, "SIGTERM")

const endWithSupervisor = Layer.scopedDiscard(
  Effect.acquireRelease(
    Effect.sync(() => process.once("disconnect", orphaned)),
    () => Effect.sync(() => process.off("disconnect", orphaned))
  )
)

export const layer = Layer.merge(
  Layer.scoped(
    Relay,
    Effect.tap(RpcEndpoint.make(toParent), ({ observe }) => observe)
  ),
  endWithSupervisor
)
