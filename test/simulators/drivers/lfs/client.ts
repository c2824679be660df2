/** For the tests with node-insim, an independent npm client. */
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"

/** A frame in which no two values are equal; `carValue` gives the values of channels. */
export const frameWith = (carValue: (name: string) => number) =>
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

/** A packet class of the npm client node-insim. */
export interface Unpacks {
  readonly unpack: (bytes: Uint8Array<ArrayBuffer>) => object
}

/** The fields that it reads. It reads a buffer from the beginning of its memory, whatever its offset, so it gets a copy. */
export const fieldsOf = (reader: Unpacks, bytes: Buffer) => {
  const {
    _raw,
    SIZE_MULTIPLIER: _unit,
    ...fields
  } = reader.unpack(new Uint8Array(bytes)) as Record<string, unknown>
  return fields
}
