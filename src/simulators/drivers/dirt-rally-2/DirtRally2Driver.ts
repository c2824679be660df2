/** DiRT Rally 2.0: sends to us, as its hardware settings say (codemasters-dirt-rally2-and-ea-wrc.md, part A). */
import { listening } from "../../datagrams/listening.ts"
import type { PushProtocol } from "../../datagrams/Protocol.ts"
import { isLessDetailed, PACKET_BYTES, relativeOf } from "./decode.ts"
import { DirtRally2Interpreter } from "./DirtRally2Interpreter.ts"

export const protocol: PushProtocol = {
  name: "dirt-rally-2",
  // No packet of F1, nor of WRC in our structure, has this length.
  recognises: (bytes) => bytes.length === PACKET_BYTES,
  hint: (bytes) =>
    isLessDetailed(bytes)
      ? 'the game sends less than is needed: set extradata="3" in its settings'
      : undefined,
  otherGame: relativeOf,
  interpreter: () => new DirtRally2Interpreter()
}

/** By name only: its port, 20777, is other simulators' too. */
export const layer = listening({ name: "dirt-rally-2", ports: [], protocols: [protocol] })
