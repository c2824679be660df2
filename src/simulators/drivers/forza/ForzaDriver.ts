/**
 * Forza Motorsport 7 and 2023, Forza Horizon 4 to 6 ("Data Out"): they send to us. The player chooses the port, so no port means
 * Forza by default.
 */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { ForzaInterpreter } from "./ForzaInterpreter.ts"
import { formatOf, hintOf } from "./formats.ts"

export const protocol: PushProtocol = {
  name: "forza",
  recognises: (bytes) => formatOf(bytes) !== undefined,
  hint: hintOf,
  interpreter: () => new ForzaInterpreter()
}

export const layer = listening({ name: "forza", ports: [], protocols: [protocol] })
