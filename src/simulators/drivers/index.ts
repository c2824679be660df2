/** Every driver of the service. A new one adds its line here, and touches no other file. */
import { Layer } from "effect"
import { SharedSockets } from "../datagrams/SharedSockets.ts"
import * as Acc from "./acc/AccDriver.ts"
import * as AssettoCorsa from "./assetto-corsa/AssettoCorsaDriver.ts"
import * as BeamNg from "./beamng/BeamNgDriver.ts"
import * as Codemasters from "./codemasters/CodemastersDriver.ts"
import * as DirtRally2 from "./dirt-rally-2/DirtRally2Driver.ts"
import * as EaWrc from "./ea-wrc/EaWrcDriver.ts"
import * as F1 from "./f1/F1Driver.ts"
import * as Forza from "./forza/ForzaDriver.ts"
import * as Gt7 from "./gt7/Gt7Driver.ts"
import * as Lfs from "./lfs/LfsDriver.ts"
import * as Native from "./native/NativeDriver.ts"
import * as ProjectCars2 from "./project-cars-2/ProjectCars2Driver.ts"

export const layer = Layer.mergeAll(
  Native.layer,
  Acc.layer,
  AssettoCorsa.layer,
  BeamNg.layer,
  Codemasters.layer,
  DirtRally2.layer,
  EaWrc.layer,
  F1.layer,
  Forza.layer,
  Gt7.layer,
  Lfs.layer,
  ProjectCars2.layer
).pipe(Layer.provide(SharedSockets.layer))
