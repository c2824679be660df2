/**
 * BeamNG.drive's OutGauge (sheet beamng-outgauge-motionsim, and the game's own script lua/vehicle/protocols/outgauge.lua, which
 * others' add-ons contain).
 */
import { outGauge, problemWith as problemWithLength } from "../outgauge/layout.ts"

/** The name that BeamNG gives every car. Live for Speed, which defined OutGauge, never sends it. */
export const CAR = "beam"

const { read, readText } = outGauge

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const problem = problemWithLength(bytes)
  if (problem !== undefined || hasNoVehicle(bytes) || readText.Car(bytes) === CAR) return problem
  return "an OutGauge packet whose car is not BeamNG's"
}

/** The script leaves the packet empty until the vehicle is ready, and for one without an engine; the game sends it all the same. */
export const hasNoVehicle = (bytes: Buffer): boolean => readText.Car(bytes) === ""

/** The script sends the gear's index plus 1 as a signed byte: below 0 from the second reverse gear of a lorry on. */
export const gearOf = (bytes: Buffer): number => Math.max(-1, ((read.Gear(bytes) << 24) >> 24) - 1)
