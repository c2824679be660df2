/** Assetto Corsa (2014), remote telemetry over UDP: the game answers a handshake on its port 9996. */
import { asking } from "../../datagrams/asking.ts"
import { AssettoCorsaInterpreter } from "./AssettoCorsaInterpreter.ts"

export const layer = asking({
  name: "assetto-corsa",
  ports: [9996],
  // The stream stops where the player leaves or restarts; a new handshake tells what is driven now.
  silentAfter: 3,
  conversation: (options, send) => new AssettoCorsaInterpreter(options, send)
})
