/** OutGauge and OutSim (sheet lfs-insim-outgauge-outsim, sections 4 and 5). Little endian. */
import { METRE } from "../../../src/simulators/drivers/lfs/insim.ts"
import {
  MAIN_AT,
  motion,
  OUT_SIM_2_HEADER,
  outSim2 as sim2
} from "../../../src/simulators/drivers/lfs/layout.ts"
import {
  GaugeFlag,
  outGauge as gauge,
  outGaugeWithId as gaugeWithId
} from "../../../src/simulators/drivers/outgauge/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Frame } from "../Emulator.ts"
import { ofWheels, radians, vectorsIn, velocityOf } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, z up",
  steering: "left",
  source: "overview, and lfs-insim-outgauge-outsim, section 7: the sign by one tool, no real packets"
}

const KMH = 3.6
/** Greatest angle of the front wheels of the game's cars, rad. */
const LOCK = (36 / 180) * Math.PI
const vector = vectorsIn(WORLD)

/** Both have the time of the race, in ms: it stands in a pause, and begins anew with a race. */
const timeOf = ({ sessionTime }: Frame): number => Math.round(sessionTime * 1000)

export const outGauge = (frame: Frame, plid: number, car: string, id?: number): Buffer => {
  const packet = id === undefined ? gauge : gaugeWithId
  return packet.bytes({
    Time: timeOf(frame),
    Car: car,
    Flags: GaugeFlag.km,
    Gear: frame.gear + 1,
    PLID: plid,
    Speed: frame.speed / KMH,
    RPM: frame.rpm,
    EngTemp: frame.carValue("water_temperature"),
    Fuel: frame.carValue("fuel_fraction"),
    OilPressure: frame.carValue("oil_pressure") / 100,
    OilTemp: frame.carValue("oil_temperature"),
    DashLights: 3,
    Throttle: frame.throttle,
    Brake: frame.brake,
    Display1: "Fuel 50%",
    Display2: "Brake Bal Fr 65%",
    ID: id ?? 0
  })
}

/** The same in both versions. Angles and their rates are counter-clockwise about axes that point right, forward and up. */
const motionOf = (frame: Frame): FieldValues => {
  const { carValue, x, y, z } = frame
  const yaw = radians(carValue("yaw"))
  const heading = Math.atan2(-Math.sin(yaw), Math.cos(yaw))
  const [right, ahead] = [carValue("g_lateral") * GRAVITY, carValue("g_longitudinal") * GRAVITY]
  const acceleration = [
    right * Math.cos(heading) - ahead * Math.sin(heading),
    right * Math.sin(heading) + ahead * Math.cos(heading),
    carValue("g_vertical") * GRAVITY
  ] as const
  return {
    Time: timeOf(frame),
    AngVelX: radians(carValue("pitch_rate")),
    AngVelY: radians(carValue("roll_rate")),
    AngVelZ: -radians(carValue("yaw_rate")),
    Heading: heading,
    Pitch: radians(carValue("pitch")),
    Roll: radians(carValue("roll")),
    ...vector("Accel", acceleration),
    ...vector("Vel", velocityOf(frame)),
    ...vector("Pos", [Math.round(x * METRE), Math.round(y * METRE), Math.round(z * METRE)])
  }
}

export const outSim = (frame: Frame): Buffer => motion.bytes(motionOf(frame))

/** With `OutSim Opts 1ff`: everything. */
export const outSim2 = (frame: Frame): Buffer => {
  const bytes = sim2.bytes({
    Header: OUT_SIM_2_HEADER,
    Throttle: frame.throttle,
    Brake: frame.brake,
    InputSteer: steeringIn(WORLD, frame.steering) * LOCK,
    Gear: frame.gear + 1,
    EngineAngVel: (frame.rpm * 2 * Math.PI) / 60,
    MaxTorqueAtVel: frame.carValue("engine_torque"),
    CurrentLapDist: frame.lapDistance,
    IndexedDistance: frame.lapDistance,
    ...ofWheels(["FL", "FR", "RL", "RR"], frame, (of) => ({
      SuspDeflect: of("suspension_travel") / 1000,
      VerticalLoad: of("wheel_load"),
      AngVel: of("wheel_rotation"),
      AirTemp: Math.round(of("tyre_temperature")),
      Touching: 1,
      SlipRatio: of("slip_ratio"),
      TanSlipAngle: Math.tan(radians(of("slip_angle")))
    }))
  })
  motion.write(bytes, MAIN_AT, motionOf(frame))
  return bytes
}
