/** Relays without processes: the channels are those between threads, which clone as those between processes do. */
import { MessageChannel, type MessagePort } from "node:worker_threads"
import { Effect } from "effect"
import type { ProcessChannel } from "../../src/cluster/ProcessChannel.ts"
import * as RpcEndpoint from "../../src/cluster/RpcEndpoint.ts"
import type { RelayMessage } from "../../src/cluster/messages.ts"

const over = (port: MessagePort): ProcessChannel => ({
  send: (message, taken) => {
    port.postMessage(message)
    setImmediate(taken)
  },
  receive: (receive) => {
    port.on("message", receive)
    return () => void port.off("message", receive)
  }
})

/** Both ends of a channel, until the scope ends. */
export const channels = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new MessageChannel()),
    ({ port1 }) => Effect.sync(() => port1.close())
  ),
  ({ port1, port2 }) => [over(port1), over(port2)] as const
)

/** Lines at both ends of a channel. */
export const lines = Effect.flatMap(channels, ([one, other]) =>
  Effect.all([RpcEndpoint.make(one), RpcEndpoint.make(other)])
)

/** A channel whose other side takes messages, and sends some, only when the test has it do so. */
export class HeldChannel implements ProcessChannel {
  readonly sent: Array<RelayMessage> = []
  #taken: Array<() => void> = []
  #receive: ((message: RelayMessage) => void) | undefined

  readonly send = (message: RelayMessage, taken: () => void) => {
    this.sent.push(message)
    this.#taken.push(taken)
  }

  readonly receive = (receive: (message: RelayMessage) => void) => {
    this.#receive = receive
    return () => {
      this.#receive = undefined
    }
  }

  /** The other side takes so many of the messages. */
  take(count: number): void {
    for (const taken of this.#taken.splice(0, count)) taken()
  }

  say(message: RelayMessage): void {
    this.#receive?.(message)
  }
}
