import { DirtRally2Emulator } from "../../../../simulator/emulators/dirt-rally-2/emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("dirt-rally-2", (scene) => new DirtRally2Emulator(scene), protocol, expected, {
    counts: false,
    sectors: true
  }),
  pushed(
    "dirt-rally-2-rallycross",
    (scene) => new DirtRally2Emulator(scene, "rallycross"),
    protocol,
    expected,
    {
      sectors: true
    }
  )
]
