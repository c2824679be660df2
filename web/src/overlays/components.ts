/** What draws each of the catalog. */
import type { ComponentType } from "preact"
import { BestLaps } from "./BestLaps.tsx"
import type { OverlayName } from "./catalog.ts"
import { Delta } from "./Delta.tsx"
import { Forces } from "./Forces.tsx"
import { Fuel } from "./Fuel.tsx"
import { Gauges } from "./Gauges.tsx"
import { Inputs } from "./Inputs.tsx"
import { Laps } from "./Laps.tsx"
import { Map } from "./Map.tsx"
import type { Options } from "./options.ts"
import { Pedals } from "./Pedals.tsx"
import { Revs } from "./Revs.tsx"
import { Sectors } from "./Sectors.tsx"
import { Timer } from "./Timer.tsx"
import { Tyres } from "./Tyres.tsx"
import { Versus } from "./Versus.tsx"

export const components: Readonly<Record<OverlayName, ComponentType<{ options: Options }>>> = {
  gauges: Gauges,
  inputs: Inputs,
  pedals: Pedals,
  revs: Revs,
  forces: Forces,
  delta: Delta,
  timer: Timer,
  sectors: Sectors,
  laps: Laps,
  map: Map,
  tyres: Tyres,
  fuel: Fuel,
  versus: Versus,
  board: BestLaps
}
