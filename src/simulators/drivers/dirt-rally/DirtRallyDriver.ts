/**
 * DiRT Rally (2015), and other titles of Codemasters with the same 264 bytes: DiRT 4, GRID (dirt-rally-1-and-codemasters-264.md).
 * The driver of DiRT Rally 2.0 reads them.
 */
import { listening } from "../../udp/listening.ts"
import { protocolOf } from "../dirt-rally-2/DirtRally2Driver.ts"

export const protocol = protocolOf("dirt-rally", "DiRT Rally")

/** Chosen by name only: other simulators also send to its port, 20777. */
export const layer = listening({ name: "dirt-rally", ports: [], protocols: [protocol] })
