/** Every driver of the service. A new one adds its line here; a game that sends by itself also has one in `any`. */
import { Layer } from "effect"
import invariant from "tiny-invariant"
import { SharedSockets } from "../udp/SharedSockets.ts"
import * as Acc from "./acc/AccDriver.ts"
import * as Any from "./any/AnyDriver.ts"
import * as AssettoCorsa from "./assetto-corsa/AssettoCorsaDriver.ts"
import * as BeamNg from "./beamng/BeamNgDriver.ts"
import * as Codemasters from "./codemasters/CodemastersDriver.ts"
import * as DirtRally from "./dirt-rally/DirtRallyDriver.ts"
import * as DirtRally2 from "./dirt-rally-2/DirtRally2Driver.ts"
import * as EaWrc from "./ea-wrc/EaWrcDriver.ts"
import * as F1 from "./f1/F1Driver.ts"
import * as Forza from "./forza/ForzaDriver.ts"
import * as Gt7 from "./gt7/Gt7Driver.ts"
import * as Lfs from "./lfs/LfsDriver.ts"
import * as Native from "./native/NativeDriver.ts"
import * as Pmr from "./project-motor-racing/PmrDriver.ts"
import * as ProjectCars2 from "./project-cars-2/ProjectCars2Driver.ts"
import * as Rbr from "./richard-burns-rally/RbrDriver.ts"

const drivers = [
  Native,
  Acc,
  Any,
  AssettoCorsa,
  BeamNg,
  Codemasters,
  DirtRally,
  DirtRally2,
  EaWrc,
  F1,
  Forza,
  Gt7,
  Lfs,
  Pmr,
  ProjectCars2,
  Rbr
] as const

type Driver = (typeof drivers)[number]
type OptionsOf<D> = D extends { readonly options: infer Options } ? Options : never
type Merged<Options> = (Options extends unknown ? (one: Options) => void : never) extends (
  all: infer All
) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never

/** The options of all drivers, for the connect request. */
export type Options = Merged<OptionsOf<Driver>>
export const options = drivers.reduce<Record<string, unknown>>((all, driver) => {
  for (const [name, option] of Object.entries("options" in driver ? driver.options : {})) {
    invariant(!(name in all) || all[name] === option, `BUG: drivers mean different things by ${name}`)
    all[name] = option
  }
  return all
}, {}) as Options

const [first, ...others] = drivers
export const layer = Layer.mergeAll(first.layer, ...others.map((driver) => driver.layer)).pipe(
  Layer.provide(SharedSockets.layer)
)
