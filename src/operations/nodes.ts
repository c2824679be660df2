/** The nodes that share the catalog: the services on several machines, or a service and those that it replaced. */
import { Effect, Schema } from "effect"
import { isAlive, Nodes } from "../store/Nodes.ts"
import { HOLDS_NOTHING, Takeovers } from "../store/Takeovers.ts"
import { ThisNode } from "../store/ThisNode.ts"
import { answered, Nothing } from "./operation.ts"
import { addressOf } from "./sentences.ts"

const Node = Schema.Struct({
  node: Schema.String.annotations({
    description: "Its name, as in the labels of metrics: the identity of its data folder"
  }),
  described: Schema.String.annotations({ description: "Its machine, process and data folder, for people" }),
  url: Schema.NullOr(Schema.String).annotations({ description: "Its address (--advertise), if it is known" }),
  version: Schema.String,
  isAnswering: Schema.Boolean.annotations({ description: "Whether this node has answered" }),
  state: Schema.Literal("alive", "stopped"),
  silentFor: Schema.NullOr(Schema.Number).annotations({
    description:
      "Seconds since it was last heard; null if it ended, or another node has taken its connections over"
  }),
  takenOver: Schema.Int.annotations({
    description: "How often other nodes have taken its connections or sessions over"
  }),
  connections: Schema.Array(Schema.String).annotations({
    description: "The connections that it keeps: host and port"
  }),
  recording: Schema.Int.annotations({ description: "The number of sessions that it records" })
}).annotations({ identifier: "Node" })

export const list = answered({
  input: Nothing,
  answer: Schema.Struct({ items: Schema.Array(Node) }).annotations({ identifier: "NodeList" }),
  errors: [],
  run: () =>
    Effect.gen(function* () {
      const { all } = yield* Nodes
      const held = yield* (yield* Takeovers).held
      const own = yield* ThisNode
      const items = (yield* all).map((state) => {
        const { connections, sessions } = held.get(state.node) ?? HOLDS_NOTHING
        return {
          node: state.node,
          described: state.described,
          url: state.url,
          version: state.version,
          isAnswering: state.node === own,
          state: isAlive(state) ? ("alive" as const) : ("stopped" as const),
          silentFor: state.silent,
          takenOver: state.taken,
          connections: connections.map(({ request }) => addressOf(request)),
          recording: sessions
        }
      })
      return { items }
    })
})
