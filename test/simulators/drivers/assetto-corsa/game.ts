import { assettoCorsaEmulator } from "../../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import { AssettoCorsaInterpreter } from "../../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { asked, type Expected, type Kind } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  asked(
    "assetto-corsa",
    assettoCorsaEmulator,
    (send) => opened(new AssettoCorsaInterpreter(linkOptions()), send),
    3,
    expected,
    { sectors: true }
  )
]
