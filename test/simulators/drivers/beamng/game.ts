import { beamNgEmulator } from "../../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { protocol } from "../../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  pushed("beamng", () => beamNgEmulator(), protocol, expected, {
    precise: 0.05,
    counts: false,
    clockless: true
  })
]
