/** Simulators that send to port 20777 by default. A connection that names none of them records whichever one sends. */
import { listening } from "../../udp/listening.ts"
import { protocolOf as dirtRallyOf } from "../dirt-rally-2/DirtRally2Driver.ts"
import { protocol as eaWrc } from "../ea-wrc/EaWrcDriver.ts"
import { protocol as f1 } from "../f1/F1Driver.ts"

const PORT = 20777

/** Distinguished by the bytes, in any order; DiRT Rally 2.0 and its older relatives are not among them. */
export const protocols = [f1, dirtRallyOf("dirt-rally-2", "DiRT Rally 2.0 or an older title"), eaWrc] as const

export const layer = listening({ name: "codemasters", ports: [PORT], protocols })
