import { RbrEmulator } from "../../../../simulator/emulators/richard-burns-rally/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("richard-burns-rally", (scene) => new RbrEmulator(scene), protocol, expected, {
    counts: false,
    sectors: true
  })
]
