/** MCI packets: where all cars are (sheet lfs-insim-outgauge-outsim, section 3). */
import { CARS_AT, compCar } from "./layout.ts"

/** How many cars a MCI packet tells of, or why it tells of none. */
export const carsIn = (bytes: Buffer): number | string => {
  const cars = bytes.length < CARS_AT ? 0 : bytes[3]!
  return bytes.length >= CARS_AT && bytes.length >= CARS_AT + cars * compCar.size
    ? cars
    : `an IS_MCI packet of ${bytes.length} bytes for ${cars} cars`
}

/** Where the car of this player begins in a packet that is whole; -1 where it tells none of it. */
export const carAt = (bytes: Buffer, cars: number, plid: number): number => {
  for (let at = CARS_AT; at < CARS_AT + cars * compCar.size; at += compCar.size) {
    if (compCar.read.PLID(bytes, at) === plid) return at
  }
  return -1
}
