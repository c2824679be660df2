/** OutGauge and OutSim as LFS sends them (sheet lfs-insim-outgauge-outsim, sections 4 and 5). Little endian. */
import { METRE } from "../../../src/simulators/drivers/lfs/insim.ts"
import type { Frame } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, z up",
  steering: "left",
  source: "overview, and lfs-insim-outgauge-outsim, section 7: the sign by one tool, no real packets"
}

const KMH = 3.6
/** Shows km/h, not miles. */
const SHOWS_KM = 16_384
/** What the front wheels of the cars of the game turn by at the most, rad. */
const LOCK = (36 / 180) * Math.PI
/** Of an id where one is set in cfg.txt. */
const ID_BYTES = 4

/** Both tell the time of the race, in ms: it stands in a pause, and begins anew with a race. */
const timeOf = ({ sessionTime }: Frame): number => Math.round(sessionTime * 1000)

export const outGauge = (frame: Frame, plid: number, car: string, id?: number): Buffer => {
  const bytes = Buffer.alloc(92 + (id === undefined ? 0 : ID_BYTES))
  bytes.writeUInt32LE(timeOf(frame), 0)
  bytes.write(car, 4, "latin1")
  bytes.writeUInt16LE(SHOWS_KM, 8)
  bytes[10] = frame.gear + 1
  bytes[11] = plid
  bytes.writeFloatLE(frame.speed / KMH, 12)
  bytes.writeFloatLE(frame.rpm, 16)
  bytes.writeFloatLE(88, 24)
  bytes.writeFloatLE(0.5, 28)
  bytes.writeFloatLE(3, 32)
  bytes.writeFloatLE(99, 36)
  bytes.writeUInt32LE(3, 40)
  bytes.writeFloatLE(frame.throttle, 48)
  bytes.writeFloatLE(frame.brake, 52)
  bytes.write("Fuel 50%", 60, "latin1")
  bytes.write("Brake Bal Fr 65%", 76, "latin1")
  if (id !== undefined) bytes.writeInt32LE(id, 92)
  return bytes
}

/** Angular velocity to position, after the time: the same in both versions. */
const writeMotion = (bytes: Buffer, at: number, { heading, speed, x, y, z }: Frame): void => {
  bytes.writeFloatLE(heading - Math.PI / 2, at + 12)
  const metres = speed / KMH
  const velocity = inWorld(WORLD, metres * Math.cos(heading), metres * Math.sin(heading), 0)
  for (const [n, value] of velocity.entries()) bytes.writeFloatLE(value, at + 36 + 4 * n)
  for (const [n, value] of inWorld(WORLD, x, y, z).entries()) {
    bytes.writeInt32LE(Math.round(value * METRE), at + 48 + 4 * n)
  }
}

export const outSim = (frame: Frame): Buffer => {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32LE(timeOf(frame), 0)
  writeMotion(bytes, 4, frame)
  return bytes
}

/** With `OutSim Opts 1ff`: everything. */
export const outSim2 = (frame: Frame): Buffer => {
  const bytes = Buffer.alloc(280)
  bytes.write("LFST", 0, "latin1")
  bytes.writeUInt32LE(timeOf(frame), 8)
  writeMotion(bytes, 12, frame)
  bytes.writeFloatLE(frame.throttle, 72)
  bytes.writeFloatLE(frame.brake, 76)
  bytes.writeFloatLE(steeringIn(WORLD, frame.steering) * LOCK, 80)
  bytes[92] = frame.gear + 1
  bytes.writeFloatLE((frame.rpm * 2 * Math.PI) / 60, 96)
  bytes.writeFloatLE(frame.lapDistance, 104)
  bytes.writeFloatLE(frame.lapDistance, 108)
  return bytes
}
