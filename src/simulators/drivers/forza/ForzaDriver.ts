/**
 * Forza Motorsport 7 and 2023, Forza Horizon 4 to 6 ("Data Out"): we listen. The player chooses the port, so none means
 * Forza.
 */
import { listening } from "../../datagrams/listening.ts"
import type { PushProtocol } from "../../datagrams/Protocol.ts"
import { ForzaInterpreter } from "./ForzaInterpreter.ts"
import { formatOf, hintOf } from "./formats.ts"

export const protocol: PushProtocol = {
  name: "forza",
  recognises: (bytes) => formatOf(bytes) !== undefined,
  hint: hintOf,
  interpreter: () => new ForzaInterpreter()
}

export const layer = listening({ name: "forza", ports: [], protocols: [protocol] })
