import { EaWrcEmulator } from "../../../../simulator/emulators/ea-wrc/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/ea-wrc/EaWrcDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("ea-wrc", (scene) => new EaWrcEmulator(scene), protocol, expected, { counts: false, sectors: true })
]
