/** MCI packets: where all cars are (sheet lfs-insim-outgauge-outsim, section 3). Little endian. */
import { CAR_BYTES, CARS_AT } from "./insim.ts"

/** One car of a MCI packet, on the wire's scales. */
export interface Car {
  node: number
  lap: number
  plid: number
  position: number
  info: number
  x: number
  y: number
  z: number
  speed: number
  direction: number
  heading: number
  turning: number
}

export const newCar = (): Car => ({
  node: 0,
  lap: 0,
  plid: 0,
  position: 0,
  info: 0,
  x: 0,
  y: 0,
  z: 0,
  speed: 0,
  direction: 0,
  heading: 0,
  turning: 0
})

/** How many cars a MCI packet tells of, or why it tells of none. */
export const carsIn = (bytes: Buffer): number | string => {
  const cars = bytes.length < CARS_AT ? 0 : bytes[3]!
  return bytes.length >= CARS_AT && bytes.length >= CARS_AT + cars * CAR_BYTES
    ? cars
    : `an IS_MCI packet of ${bytes.length} bytes for ${cars} cars`
}

/** Reads the car of this player into `car`; whether the packet, which is whole, tells of it. */
export const readCar = (bytes: Buffer, cars: number, plid: number, car: Car): boolean => {
  for (let at = CARS_AT; at < CARS_AT + cars * CAR_BYTES; at += CAR_BYTES) {
    if (bytes[at + 4] !== plid) continue
    car.node = bytes.readUInt16LE(at)
    car.lap = bytes.readUInt16LE(at + 2)
    car.plid = plid
    car.position = bytes[at + 5]!
    car.info = bytes[at + 6]!
    car.x = bytes.readInt32LE(at + 8)
    car.y = bytes.readInt32LE(at + 12)
    car.z = bytes.readInt32LE(at + 16)
    car.speed = bytes.readUInt16LE(at + 20)
    car.direction = bytes.readUInt16LE(at + 22)
    car.heading = bytes.readUInt16LE(at + 24)
    car.turning = bytes.readInt16LE(at + 26)
    return true
  }
  return false
}
