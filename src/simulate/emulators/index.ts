/** Every emulator of a real simulator's side. A new one adds its line here, and touches no other file. */
import { acc } from "./acc/AccEmulator.ts"
import { assettoCorsa } from "./assetto-corsa/AssettoCorsaEmulator.ts"
import { beamNg } from "./beamng/BeamNgEmulator.ts"
import type { EmulatorKind } from "./Emulator.ts"
import { kinds as f1 } from "./f1/index.ts"
import { horizon, motorsport, motorsport7 } from "./forza/emulator.ts"
import { gt7 } from "./gt7/emulator.ts"
import { lfs } from "./lfs/LfsEmulator.ts"

export const emulators: ReadonlyArray<EmulatorKind> = [
  acc,
  assettoCorsa,
  beamNg,
  ...f1,
  motorsport7,
  motorsport,
  horizon,
  gt7,
  lfs
]

/** The emulator that `--protocol` calls by this name. */
export const emulatorNamed = (protocol: string): EmulatorKind | undefined =>
  emulators.find((kind) => kind.protocol === protocol)
