/**
 * DiRT Rally 2.0: sends to us, as its hardware settings say (codemasters-dirt-rally2-and-ea-wrc.md, part A). Older titles send
 * the same 264 bytes without a field for the title (dirt-rally-1-and-codemasters-264.md), so the user
 * chooses the title by the driver's name.
 */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { isLessDetailed, relativeOf } from "./decode.ts"
import { DirtRally2Interpreter } from "./DirtRally2Interpreter.ts"
import { packet } from "./layout.ts"

/** `title`: the simulator's name in the status. */
export const protocolOf = (name: string, title: string): PushProtocol => ({
  name,
  // Neither F1's packets nor WRC's in our structure have this length.
  recognises: (bytes) => bytes.length === packet.size,
  hint: (bytes) =>
    isLessDetailed(bytes)
      ? 'the game sends less than is needed: set extradata="3" in its settings'
      : undefined,
  otherGame: relativeOf,
  interpreter: () => new DirtRally2Interpreter(title)
})

export const protocol = protocolOf("dirt-rally-2", "DiRT Rally 2.0")

/** Chosen by name only: other simulators also send to its port, 20777. */
export const layer = listening({ name: "dirt-rally-2", ports: [], protocols: [protocol] })
