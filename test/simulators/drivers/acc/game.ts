import { accEmulator } from "../../../../simulator/emulators/acc/AccEmulator.ts"
import { AccInterpreter } from "../../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { asked, type Expected, type Kind } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

export const kinds: ReadonlyArray<Kind> = [
  asked(
    "acc",
    (scene) => accEmulator(scene),
    (send) => opened(new AccInterpreter(linkOptions({ options: { password: "asd" } })), send),
    5,
    expected,
    { sectors: true }
  )
]
