/** Simulators that send to 20777 unless told otherwise. Who connects without naming one gets whichever sends. */
import { listening } from "../../datagrams/listening.ts"
import { protocol as dirtRally2 } from "../dirt-rally-2/DirtRally2Driver.ts"
import { protocol as eaWrc } from "../ea-wrc/EaWrcDriver.ts"
import { protocol as f1 } from "../f1/F1Driver.ts"

const PORT = 20777

/** Told apart by the bytes, whatever their order here. */
export const protocols = [f1, dirtRally2, eaWrc] as const

export const layer = listening({ name: "codemasters", ports: [PORT], protocols })
