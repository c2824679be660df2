/** Every emulator of a real simulator. A new one adds its line here, and changes no other file. */
import { acc } from "./acc/AccEmulator.ts"
import { assettoCorsa } from "./assetto-corsa/AssettoCorsaEmulator.ts"
import { beamNg } from "./beamng/BeamNgEmulator.ts"
import { dirtRally, dirtRally2, dirtRally2Rallycross } from "./dirt-rally-2/emulator.ts"
import { eaWrc } from "./ea-wrc/emulator.ts"
import type { EmulatorKind } from "./Emulator.ts"
import { kinds as f1 } from "./f1/index.ts"
import { horizon, motorsport, motorsport7 } from "./forza/emulator.ts"
import { gt7 } from "./gt7/emulator.ts"
import { lfs } from "./lfs/LfsEmulator.ts"
import { projectMotorRacing } from "./project-motor-racing/emulator.ts"
import { projectCars2 } from "./project-cars-2/emulator.ts"
import { richardBurnsRally } from "./richard-burns-rally/emulator.ts"

export const emulators: ReadonlyArray<EmulatorKind> = [
  acc,
  assettoCorsa,
  beamNg,
  dirtRally,
  dirtRally2,
  dirtRally2Rallycross,
  eaWrc,
  ...f1,
  motorsport7,
  motorsport,
  horizon,
  gt7,
  lfs,
  projectMotorRacing,
  projectCars2,
  richardBurnsRally
]

/** The emulator with this name for `--protocol`. */
export const emulatorNamed = (protocol: string): EmulatorKind | undefined =>
  emulators.find((kind) => kind.protocol === protocol)
