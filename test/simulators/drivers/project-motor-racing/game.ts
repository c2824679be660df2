import { PmrEmulator } from "../../../../simulator/emulators/project-motor-racing/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("project-motor-racing", (scene) => new PmrEmulator(scene), protocol, expected)
]
