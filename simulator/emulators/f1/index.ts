/** The emulators of EA's F1 telemetry, one for each format: the driver distinguishes them by their bytes. */
import { type F1Format, formats } from "../../../src/simulators/drivers/f1/layout.ts"
import type { EmulatorKind } from "../Emulator.ts"
import { pushing } from "../udp.ts"
import { F1Emulator } from "./F1Emulator.ts"
import { WORLD } from "./values.ts"

const kindOf = (format: F1Format): EmulatorKind => ({
  protocol: `f1-${format}`,
  port: 20777,
  simulator: "f1",
  world: WORLD,
  serve: pushing((scene) => new F1Emulator(scene, format))
})

export const kinds: ReadonlyArray<EmulatorKind> = formats.map(kindOf)
