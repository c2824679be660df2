/** Assetto Corsa Competizione, broadcasting protocol over UDP: the game answers who registers at the port of its broadcasting.json. */
import { asking } from "../../datagrams/asking.ts"
import type { AskedProtocol } from "../../datagrams/Protocol.ts"
import { AccInterpreter } from "./AccInterpreter.ts"
import { options } from "./options.ts"

export { options }

export const protocol: AskedProtocol = {
  name: "acc",
  ports: [9000],
  options,
  // A game that was started again knows us no longer.
  silentAfter: 5,
  conversation: (link, send) => new AccInterpreter(link, send)
}

export const layer = asking(protocol)
