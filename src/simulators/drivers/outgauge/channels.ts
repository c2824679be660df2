/** The channels of OutGauge, of either simulator (addenda of LFS and of BeamNG). */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { positive, times } from "../../packets/conversions.ts"
import { GaugeFlag, Light } from "./layout.ts"

const kPaOfBar = times(100)
const isLit = (light: number) => (lights: number) => ((lights & light) === 0 ? 0 : 1)

export const gaugeLines = [
  ["clutch", "Clutch"],
  ["abs_active", "ShowLights", isLit(Light.abs)],
  ["tc_active", "ShowLights", isLit(Light.tractionControl)],
  [
    "boost",
    ["Turbo", "Flags"],
    (bar: number, flags: number) => ((flags & GaugeFlag.turbo) === 0 ? ABSENT : kPaOfBar(bar))
  ],
  ["oil_temperature", "OilTemp", positive],
  ["fuel_fraction", "Fuel"]
] as const

/** 0 or 1: whether the light is on. */
export const handbrakeLine = ["handbrake", "ShowLights", isLit(Light.handbrake)] as const
/** In BeamNG's script it is the water's temperature. */
export const waterTemperatureLine = ["water_temperature", "EngTemp", positive] as const
/** In LFS it is the engine's temperature. */
export const engineTemperatureLine = [
  "engine_temperature",
  "EngTemp",
  positive,
  { description: "No source says of which fluid; absent if it is not simulated" }
] as const
/** Only LFS lights it. */
export const pitLimiterLine = ["pit_limiter", "ShowLights", isLit(Light.pitLimiter)] as const
/** Only LFS has one. */
export const oilPressureLine = [
  "oil_pressure",
  "OilPressure",
  (bar: number) => positive(kPaOfBar(bar))
] as const
