/** Simulators that send to 20777 unless told otherwise. Who connects without naming one gets whichever sends. */
import { listening } from "../../datagrams/listening.ts"
import { protocolOf as dirtRallyOf } from "../dirt-rally-2/DirtRally2Driver.ts"
import { protocol as eaWrc } from "../ea-wrc/EaWrcDriver.ts"
import { protocol as f1 } from "../f1/F1Driver.ts"

const PORT = 20777

/** Told apart by the bytes, whatever their order here; DiRT Rally 2.0 and its older relatives are not. */
export const protocols = [f1, dirtRallyOf("dirt-rally-2", "DiRT Rally 2.0 or an older title"), eaWrc] as const

export const layer = listening({ name: "codemasters", ports: [PORT], protocols })
