/** A protocol for tests: a simulator that answers its clients, and the driver that sends it requests. */
import type { RemoteInfo } from "node:dgram"
import { Effect } from "effect"
import { asking } from "../../../src/simulators/udp/asking.ts"
import type { AskedProtocol } from "../../../src/simulators/udp/Protocol.ts"
import { built, interpreterOf, sender } from "./udp.ts"

/** Greets with "hello", is answered by "yes" or "no …", and leaves with "bye". */
export const protocol = (more: Partial<AskedProtocol> = {}): AskedProtocol => ({
  name: "asked",
  ports: [],
  silentAfter: 3,
  conversation: () => {
    const points = interpreterOf("P")
    let state: ReturnType<ReturnType<AskedProtocol["conversation"]>["state"]> = { _tag: "Waiting" }
    const line = { send: (_bytes: Uint8Array): void => undefined }
    return {
      open: (over) => {
        line.send = over
        state = { _tag: "Waiting" }
      },
      simulator: points.simulator,
      state: () => state,
      tick: () => {
        if (state._tag === "Waiting") line.send(Buffer.from("hello"))
      },
      sendDisconnect: () => line.send(Buffer.from("bye")),
      datagram: (bytes, arrival, events) => {
        const text = bytes.toString()
        if (text === "yes") state = { _tag: "Answered" }
        else if (text.startsWith("no ")) state = { _tag: "Refused", reason: text.slice(3) }
        else points.datagram(bytes, arrival, events)
      }
    }
  },
  ...more
})

/** A server that keeps the messages that it received. `answer`: its answer to the greeting that is the nth message, if any. */
export const server = Effect.fn(function* (answer: (received: number) => string | undefined, port = 0) {
  const socket = yield* sender("127.0.0.1", port)
  const received: Array<string> = []
  const clients: Array<RemoteInfo> = []
  socket.on("message", (bytes, client) => {
    received.push(bytes.toString())
    clients.push(client)
    const reply = bytes.toString() === "hello" ? answer(received.length) : undefined
    if (reply !== undefined) socket.send(reply, client.port, client.address)
  })
  const sendText = (text: string) => Effect.sync(() => socket.send(text, clients.at(-1)!.port, "127.0.0.1"))
  return { socket, received, clients, sendText, port: socket.address().port }
})

export const driverThatAsks = (over: Partial<AskedProtocol> = {}) => built(asking(protocol(over)), "asked")
