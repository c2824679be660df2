import { ProjectCars2Emulator } from "../../../../simulator/emulators/project-cars-2/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("project-cars-2", (scene) => new ProjectCars2Emulator(scene), protocol, expected, { sectors: true })
]
