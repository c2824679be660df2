/** Assetto Corsa Competizione, broadcasting protocol over UDP: the game answers who registers at the port of its broadcasting.json. */
import { asking } from "../../datagrams/asking.ts"
import { AccInterpreter } from "./AccInterpreter.ts"

export const layer = asking({
  name: "acc",
  ports: [9000],
  // A game that was started again knows us no longer.
  silentAfter: 5,
  conversation: (options, send) => new AccInterpreter(options, send)
})
