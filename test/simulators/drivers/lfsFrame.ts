import type { Frame } from "../../../simulator/emulators/Emulator.ts"

/** A frame in which no two values are equal; `carValue` gives the values of channels. */
export const frameTelling = (carValue: (name: string) => number) =>
  ({
    sessionTime: 83.456,
    gear: 3,
    speed: 180,
    rpm: 6543.5,
    throttle: 0.75,
    brake: 0.125,
    steering: -0.5,
    x: -100,
    y: 250.5,
    z: 3,
    heading: Math.PI,
    lapDistance: 1234.5,
    carValue
  }) as Frame
