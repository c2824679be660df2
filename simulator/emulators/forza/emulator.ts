/** Data Out of Forza Motorsport 7 and 2023, and Forza Horizon. */
import type { EmulatorKind } from "../Emulator.ts"
import { pushing } from "../udp.ts"
import { DataOut, type Game, WORLD } from "./dataOut.ts"

/** The player chooses the port; Horizon 6 asks to avoid 5200 to 5300. */
const PORT = 5607

const kind = (protocol: string, game: Game): EmulatorKind => ({
  protocol,
  port: PORT,
  simulator: "forza",
  world: WORLD,
  serve: pushing((scene) => {
    const dataOut = new DataOut(game, scene)
    return { frame: (frame, send) => send(dataOut.encode(frame)) }
  })
})

export const motorsport7 = kind("forza-motorsport-7", "motorsport7")
export const motorsport = kind("forza-motorsport", "motorsport")
export const horizon = kind("forza-horizon", "horizon")
