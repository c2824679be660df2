/** Assetto Corsa Competizione, broadcasting protocol over UDP: clients register at the port in the game's broadcasting.json. */
import { asking } from "../../udp/asking.ts"
import type { AskedProtocol } from "../../udp/Protocol.ts"
import { AccInterpreter } from "./AccInterpreter.ts"
import { options } from "./options.ts"

export { options }

export const protocol: AskedProtocol = {
  name: "acc",
  ports: [9000],
  options,
  // A game that was started again does not know this client.
  silentAfter: 5,
  conversation: (link) => new AccInterpreter(link)
}

export const layer = asking(protocol)
