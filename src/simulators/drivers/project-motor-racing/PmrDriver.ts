/** Project Motor Racing: sends to us, or to a group that we join, by its preferences (project-motor-racing.md). */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { PmrInterpreter } from "./PmrInterpreter.ts"
import { recognises } from "./recognise.ts"

/** The default of the preferences. */
const PORT = 7576

export const protocol: PushProtocol = {
  name: "project-motor-racing",
  recognises,
  interpreter: () => new PmrInterpreter()
}

export const layer = listening({ name: "project-motor-racing", ports: [PORT], protocols: [protocol] })
