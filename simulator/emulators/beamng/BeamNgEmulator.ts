/**
 * BeamNG.drive's side: OutGauge and MotionSim to one port, at the rate of the frames (sheet beamng-outgauge-motionsim).
 *
 * As the game does it: no clock (time is 0), always the car "beam", no player, no oil pressure, empty displays. In a
 * pause it goes on sending, and every packet is the same; the sheet does not say, and this is the harder case.
 */
import type { Emulator, EmulatorKind, Frame } from "../Emulator.ts"
import { pushing } from "../udp.ts"
import { inWorld, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, z up",
  steering: undefined,
  source: "beamng-outgauge-motionsim; that it is right-handed is the engine's, and unproven by a map"
}

/** Turbo, km, bar. */
const FLAGS = 8192 + 16384 + 32768
const KMH = 3.6

const outGauge = (frame: Frame): Buffer => {
  const bytes = Buffer.alloc(92)
  bytes.write("beam", 4, "latin1")
  bytes.writeUInt16LE(FLAGS, 8)
  bytes[10] = frame.gear + 1
  bytes.writeFloatLE(frame.speed / KMH, 12)
  bytes.writeFloatLE(frame.rpm, 16)
  bytes.writeFloatLE(frame.throttle * 0.8, 20)
  bytes.writeFloatLE(88, 24)
  bytes.writeFloatLE(0.5, 28)
  bytes.writeFloatLE(95, 36)
  bytes.writeFloatLE(frame.throttle, 48)
  bytes.writeFloatLE(frame.brake, 52)
  return bytes
}

const motion = (frame: Frame): Buffer => {
  const bytes = Buffer.alloc(88)
  const speed = frame.speed / KMH
  bytes.write("BNG1", 0, "latin1")
  const place = inWorld(WORLD, frame.x, frame.y, frame.z)
  const velocity = inWorld(WORLD, speed * Math.cos(frame.heading), speed * Math.sin(frame.heading), 0)
  for (const [n, value] of [...place, ...velocity].entries()) bytes.writeFloatLE(value, 4 + 4 * n)
  bytes.writeFloatLE(1, 48)
  bytes.writeFloatLE(frame.heading, 60)
  return bytes
}

export const beamNgEmulator = (): Emulator => ({
  frame: (frame, send) => {
    send(motion(frame))
    send(outGauge(frame))
  }
})

export const beamNg: EmulatorKind = {
  protocol: "beamng",
  port: 4444,
  simulator: "beamng",
  world: WORLD,
  serve: pushing(beamNgEmulator)
}
