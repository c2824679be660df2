/** Conversions that emulators share: units, vectors and wheels, as fields of their tables. */
import type { FieldValues } from "../../src/simulators/packets/Struct.ts"
import { wheels } from "../model/chassis.ts"
import type { Frame } from "./Emulator.ts"
import { inWorld, type World } from "./World.ts"

/** °C and K. */
export const KELVIN = 273.15

export const radians = (degrees: number) => (degrees * Math.PI) / 180
/** 0 to 1 as a byte. */
export const u8 = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255)

type Vector = readonly [x: number, y: number, z: number]

export const positionOf = ({ x, y, z }: Frame): Vector => [x, y, z]
/** m/s. */
export const velocityOf = ({ carValue }: Frame): Vector => [
  carValue("velocity_x"),
  carValue("velocity_y"),
  carValue("velocity_z")
]

/** Fields for a vector, converted from our axes to the world's: a name, and an ending for each axis. */
export const vectorsIn =
  (world: World, ends: readonly [string, string, string] = ["X", "Y", "Z"]) =>
  (name: string, [x, y, z]: Vector): FieldValues => {
    const [worldX, worldY, worldZ] = inWorld(world, x, y, z)
    return { [name + ends[0]]: worldX, [name + ends[1]]: worldY, [name + ends[2]]: worldZ }
  }

/** Endings of the wheels' names: front left, front right, rear left, rear right. */
type Ends = readonly [string, string, string, string]

/** Fields of all wheels, each named by its name and the wheel's ending. `of`: a channel of the wheel, without its ending. */
export const ofWheels = (
  ends: Ends,
  { carValue }: Frame,
  make: (of: (channel: string) => number, wheel: number) => FieldValues
): FieldValues => {
  const fields: Record<string, FieldValues[string]> = {}
  wheels.forEach((name, wheel) => {
    const values = make((channel) => carValue(`${channel}_${name}`), wheel)
    for (const field in values) fields[field + ends[wheel]] = values[field]!
  })
  return fields
}
