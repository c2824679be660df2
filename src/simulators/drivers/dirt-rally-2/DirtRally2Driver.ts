/**
 * DiRT Rally 2.0: sends to us, as its hardware settings say (codemasters-dirt-rally2-and-ea-wrc.md, part A). Older titles send
 * the same 264 bytes, and nothing in them names the title (dirt-rally-1-and-codemasters-264.md): whose they are, the user
 * says by the driver's name.
 */
import { listening } from "../../datagrams/listening.ts"
import type { PushProtocol } from "../../datagrams/Protocol.ts"
import { isLessDetailed, relativeOf } from "./decode.ts"
import { DirtRally2Interpreter } from "./DirtRally2Interpreter.ts"
import { packet } from "./layout.ts"

/** `title`: what the simulator is called in the status. */
export const protocolOf = (name: string, title: string): PushProtocol => ({
  name,
  // No packet of F1, nor of WRC in our structure, has this length.
  recognises: (bytes) => bytes.length === packet.size,
  hint: (bytes) =>
    isLessDetailed(bytes)
      ? 'the game sends less than is needed: set extradata="3" in its settings'
      : undefined,
  otherGame: relativeOf,
  interpreter: () => new DirtRally2Interpreter(title)
})

export const protocol = protocolOf("dirt-rally-2", "DiRT Rally 2.0")

/** By name only: its port, 20777, is other simulators' too. */
export const layer = listening({ name: "dirt-rally-2", ports: [], protocols: [protocol] })
