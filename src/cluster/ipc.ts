/** The relay of a process that a supervisor started, over the channel to the supervisor. */
import { Effect, Layer } from "effect"
import { toParent } from "./ProcessChannel.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import { Relay } from "./Relay.ts"

export const layer = Layer.scoped(
  Relay,
  Effect.tap(RpcEndpoint.make(toParent), ({ observe }) => observe)
)
