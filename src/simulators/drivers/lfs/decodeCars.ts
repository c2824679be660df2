/** MCI packets: where all cars are (sheet lfs-insim-outgauge-outsim, section 3). */
import { MCI } from "./insim.ts"
import { compCar } from "./layout.ts"

/** The number of cars in an MCI packet, or why it has none. */
export const carsIn = (bytes: Buffer): number | string => {
  const cars = MCI.fits(bytes) ? MCI.read.NumC(bytes) : 0
  return MCI.fits(bytes) && bytes.length >= MCI.size + cars * compCar.size
    ? cars
    : `an IS_MCI packet of ${bytes.length} bytes for ${cars} cars`
}

/** Where this player's car begins in a complete packet; -1 where it is not in it. */
export const carAt = (bytes: Buffer, cars: number, plid: number): number => {
  for (let at = MCI.size; at < MCI.size + cars * compCar.size; at += compCar.size) {
    if (compCar.read.PLID(bytes, at) === plid) return at
  }
  return -1
}
