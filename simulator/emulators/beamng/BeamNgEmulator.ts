/**
 * BeamNG.drive's side: OutGauge and MotionSim to one port, at the rate of the frames (sheet beamng-outgauge-motionsim).
 *
 * Like the game, it has no clock (time is 0), the car "beam", no player, no oil pressure, and empty displays. In a pause it goes
 * on sending equal packets; the sheet does not say, and this is the harder case.
 */
import { MAGIC, motionSim } from "../../../src/simulators/drivers/beamng/layout.ts"
import { GaugeFlag, outGauge } from "../../../src/simulators/drivers/outgauge/layout.ts"
import { axesOf } from "../../model/axesOf.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Emulator, EmulatorKind, Frame } from "../Emulator.ts"
import { pushing } from "../udp.ts"
import { positionOf, radians, vectorsIn, velocityOf } from "../values.ts"
import type { World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, z up",
  steering: undefined,
  source: "beamng-outgauge-motionsim; that it is right-handed is the engine's, and unproven by a map"
}

const FLAGS = GaugeFlag.turbo + GaugeFlag.km + GaugeFlag.bar
const KMH = 3.6

const vector = vectorsIn(WORLD)

const gaugeOf = ({ brake, gear, rpm, speed, throttle, carValue }: Frame): Buffer =>
  outGauge.bytes({
    Car: "beam",
    Flags: FLAGS,
    Gear: gear + 1,
    Speed: speed / KMH,
    RPM: rpm,
    Turbo: throttle * 0.8,
    EngTemp: carValue("water_temperature"),
    Fuel: carValue("fuel_fraction"),
    OilTemp: carValue("oil_temperature"),
    Throttle: throttle,
    Brake: brake
  })

/**
 * Assumes that the acceleration is in the vehicle's frame, x left, y backward, z up, and that yaw counts from -y of the world: no
 * source is certain.
 */
const motionOf = (frame: Frame): Buffer => {
  const { carValue } = frame
  return motionSim.bytes({
    format: MAGIC,
    ...vector("position", positionOf(frame)),
    ...vector("velocity", velocityOf(frame)),
    accelerationX: -carValue("g_lateral") * GRAVITY,
    accelerationY: -carValue("g_longitudinal") * GRAVITY,
    accelerationZ: carValue("g_vertical") * GRAVITY,
    ...vector("up", axesOf(carValue)[2]),
    roll: radians(carValue("roll")),
    pitch: radians(carValue("pitch")),
    yaw: Math.PI - radians(carValue("yaw")),
    rollRate: radians(carValue("roll_rate")),
    pitchRate: radians(carValue("pitch_rate")),
    yawRate: -radians(carValue("yaw_rate"))
  })
}

export const beamNgEmulator = (): Emulator => ({
  frame: (frame, send) => {
    send(motionOf(frame))
    send(gaugeOf(frame))
  }
})

export const beamNg: EmulatorKind = {
  protocol: "beamng",
  port: 4444,
  simulator: "beamng",
  world: WORLD,
  serve: pushing(beamNgEmulator)
}
