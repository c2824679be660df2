/** Whichever game sends to the port, of all that send unasked: each is recognised by its datagrams. */
import { listening } from "../../udp/listening.ts"
import { protocol as beamng } from "../beamng/BeamNgDriver.ts"
import { protocols as codemasters } from "../codemasters/CodemastersDriver.ts"
import { protocol as forza } from "../forza/ForzaDriver.ts"
import { protocol as projectMotorRacing } from "../project-motor-racing/PmrDriver.ts"
import { PORT as BROADCASTS, protocol as projectCars2 } from "../project-cars-2/ProjectCars2Driver.ts"
import { protocol as richardBurnsRally } from "../richard-burns-rally/RbrDriver.ts"

/** Each datagram is one protocol's (test/simulators/recognisers.test.ts), so their order does not matter. */
export const protocols = [
  ...codemasters,
  forza,
  projectCars2,
  beamng,
  richardBurnsRally,
  projectMotorRacing
] as const

export const layer = listening({ name: "any", ports: [], protocols, shared: [BROADCASTS] })
