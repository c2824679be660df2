/** Richard Burns Rally with the plug-in NGP, also of RallySimFans: sends to us, by its settings (richard-burns-rally.md). */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { isPlausible } from "./plausible.ts"
import { RbrInterpreter } from "./RbrInterpreter.ts"

/** The default of the settings. */
const PORT = 6776

export const protocol: PushProtocol = {
  name: "richard-burns-rally",
  recognises: isPlausible,
  interpreter: () => new RbrInterpreter()
}

export const layer = listening({ name: "richard-burns-rally", ports: [PORT], protocols: [protocol] })
