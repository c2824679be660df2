/** The scene and the frames that the tests of all drivers drive. */
import type { Scene } from "../../../simulator/emulators/Emulator.ts"
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../../simulator/model/vehicles.ts"

export const scene: Scene = {
  circuit: circuitNamed("Larkspur Park")!,
  vehicle: vehicleNamed("Merlin F-08")!,
  driver: "Robin Vale"
}

/** Frames a second: a third of what games send, for a third of the work. A test that depends on the rate sets another one. */
export const RATE = 20
/** The rate of most games. */
export const GAME_RATE = 60

export const framesOptions = (more: Partial<FramesOptions> = {}): FramesOptions => ({
  circuit: scene.circuit,
  vehicle: scene.vehicle,
  laps: 3,
  seed: 7,
  rate: RATE,
  pauses: [],
  restarts: [],
  ...more
})
