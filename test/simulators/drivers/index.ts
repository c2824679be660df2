/** Every game that a driver reads: those that `rides` and `matrix` play, and their other formats. */
import * as acc from "./acc/game.ts"
import * as assettoCorsa from "./assetto-corsa/game.ts"
import * as gt7 from "./gt7/game.ts"
import * as lfs from "./lfs/game.ts"
import * as beamng from "./beamng/game.ts"
import * as dirtRally from "./dirt-rally/game.ts"
import * as dirtRally2 from "./dirt-rally-2/game.ts"
import * as eaWrc from "./ea-wrc/game.ts"
import * as f1 from "./f1/game.ts"
import * as forza from "./forza/game.ts"
import * as projectCars2 from "./project-cars-2/game.ts"
import * as projectMotorRacing from "./project-motor-racing/game.ts"
import * as richardBurnsRally from "./richard-burns-rally/game.ts"
import type { Kind } from "./suite/kind.ts"

export const kinds: ReadonlyArray<Kind> = [
  ...acc.kinds,
  ...assettoCorsa.kinds,
  ...gt7.kinds,
  ...lfs.kinds,
  ...beamng.kinds,
  ...dirtRally.kinds,
  ...dirtRally2.kinds,
  ...eaWrc.kinds,
  ...f1.kinds,
  ...forza.kinds,
  ...projectCars2.kinds,
  ...projectMotorRacing.kinds,
  ...richardBurnsRally.kinds
]

/** Games that send the content of one of the others in another format. */
export const variants: ReadonlyArray<Kind> = [
  ...f1.variants,
  ...forza.variants,
  ...gt7.variants,
  ...eaWrc.variants,
  ...projectCars2.variants,
  ...lfs.variants,
  ...richardBurnsRally.variants
]
