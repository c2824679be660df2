/** Every driver of the service. A new one adds its line here, and touches no other file. */
import { Layer } from "effect"
import { ListeningPosts } from "../datagrams/ListeningPosts.ts"
import * as Acc from "./acc/AccDriver.ts"
import * as AssettoCorsa from "./assetto-corsa/AssettoCorsaDriver.ts"
import * as BeamNg from "./beamng/BeamNgDriver.ts"
import * as F1 from "./f1/F1Driver.ts"
import * as Forza from "./forza/ForzaDriver.ts"
import * as Gt7 from "./gt7/Gt7Driver.ts"
import * as Lfs from "./lfs/LfsDriver.ts"
import * as Native from "./native/NativeDriver.ts"

export const layer = Layer.mergeAll(
  Native.layer,
  Acc.layer,
  AssettoCorsa.layer,
  BeamNg.layer,
  F1.layer,
  Forza.layer,
  Gt7.layer,
  Lfs.layer
).pipe(Layer.provide(ListeningPosts.layer))
