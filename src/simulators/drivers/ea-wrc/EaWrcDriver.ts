/** EA SPORTS WRC: sends to us by a configuration file of ours (codemasters-dirt-rally2-and-ea-wrc.md, part B). */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { isOtherStructure, isPacket } from "./decode.ts"
import { EaWrcInterpreter } from "./EaWrcInterpreter.ts"

export const protocol: PushProtocol = {
  name: "ea-wrc",
  recognises: isPacket,
  hint: (bytes) =>
    isOtherStructure(bytes)
      ? "the game sends a different packet structure: copy telemetry-service.json, and name it in config.json"
      : undefined,
  interpreter: () => new EaWrcInterpreter()
}

/** Chosen by name only: other simulators also send to its port, 20777. */
export const layer = listening({ name: "ea-wrc", ports: [], protocols: [protocol] })
