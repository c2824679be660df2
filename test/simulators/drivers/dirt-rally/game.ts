import { protocol } from "../../../../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { stageOf2015 } from "../dirt-rally-2/game.ts"
import type { Kind } from "../suite/kind.ts"

export const kinds: ReadonlyArray<Kind> = [stageOf2015(protocol)]
