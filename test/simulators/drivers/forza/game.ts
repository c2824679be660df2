import type { Frame, Scene, Send } from "../../../../simulator/emulators/Emulator.ts"
import { DataOut, type Game } from "../../../../simulator/emulators/forza/dataOut.ts"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

const dataOut = (game: Game) => (scene: Scene) => {
  const out = new DataOut(game, scene)
  return { frame: (frame: Frame, send: Send) => send(out.encode(frame)) }
}

const titled = (name: string, game: Game) => pushed(name, dataOut(game), protocol, expected)

export const kinds: ReadonlyArray<Kind> = [
  titled("forza-motorsport", "motorsport"),
  titled("forza-horizon", "horizon")
]

export const variants: ReadonlyArray<Kind> = [titled("forza-motorsport-7", "motorsport7")]
