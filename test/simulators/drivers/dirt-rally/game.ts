import { DirtRally2Emulator } from "../../../../simulator/emulators/dirt-rally-2/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("dirt-rally", (scene) => new DirtRally2Emulator(scene, "rally of 2015"), protocol, expected, {
    counts: false,
    sectors: true
  })
]
