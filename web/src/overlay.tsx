/** An overlay for a broadcast: which one the path says, how it looks the query. */
import { type ComponentType, render } from "preact"
import { BestLaps } from "./overlays/BestLaps.tsx"
import { Gauges } from "./overlays/Gauges.tsx"
import { Map } from "./overlays/Map.tsx"
import { applyLook, type Options, readOptions } from "./overlays/options.ts"
import { Pedals } from "./overlays/Pedals.tsx"
import { Sectors } from "./overlays/Sectors.tsx"
import { Timer } from "./overlays/Timer.tsx"

const overlays: Readonly<Record<string, ComponentType<{ options: Options }>>> = {
  gauges: Gauges,
  pedals: Pedals,
  map: Map,
  timer: Timer,
  sectors: Sectors,
  board: BestLaps
}

const name = location.pathname.split("/")[2] ?? ""
const options = readOptions(new URLSearchParams(location.search))
const Overlay = overlays[name]!
applyLook(options)
document.title = `${name} overlay · Telemetry`
render(<Overlay options={options} />, document.getElementById("overlay")!)
