/** Assetto Corsa (2014), remote telemetry over UDP: the game answers a handshake on its port 9996. */
import { asking } from "../../udp/asking.ts"
import type { AskedProtocol } from "../../udp/Protocol.ts"
import { AssettoCorsaInterpreter } from "./AssettoCorsaInterpreter.ts"
import { options } from "./options.ts"

export { options }

export const protocol: AskedProtocol = {
  name: "assetto-corsa",
  ports: [9996],
  options,
  // The stream stops when the player leaves or restarts; the answer to a new handshake names the current car and track.
  silentAfter: 3,
  conversation: (link) => new AssettoCorsaInterpreter(link)
}

export const layer = asking(protocol)
