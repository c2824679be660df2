/**
 * What telemetry tells of the car, of its tyres, brakes and springs (addendum-project-cars2-ams2.md). Along the car the game is taken
 * to count backwards, as many tools have it, and its wheels' turns, too: no source says so for sure.
 */
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { isFront, sideOf } from "../../model/chassis.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Frame } from "../Emulator.ts"
import { KELVIN, ofWheels, radians, velocityOf, type vectorsIn } from "../values.ts"

/** Of petrol, l. */
const TANK = 100
/** Of the suspension when the car stands, m. */
const AT_REST = 0.04

const kelvin = (celsius: number) => Math.round(celsius + KELVIN)

const wheelsOf = (frame: Frame): FieldValues =>
  ofWheels(["FL", "FR", "RL", "RR"], frame, (of, wheel) => {
    const [surface, carcass] = [of("tyre_surface_temperature"), of("tyre_temperature")]
    return {
      tyreFlags: 7,
      tyreRPS: -of("wheel_rotation"),
      tyreTemp: Math.min(255, Math.round(surface)),
      tyreWear: Math.round(of("tyre_wear") * 255),
      brakeTemp: Math.round(of("brake_temperature")),
      tyreTreadTemp: kelvin(surface),
      tyreLayerTemp: kelvin((surface + carcass) / 2),
      tyreCarcassTemp: kelvin(carcass),
      tyreRimTemp: kelvin(carcass + 5 + 5 * frame.brake),
      tyreInternalAirTemp: kelvin(carcass),
      // The left ones lean on their right edges.
      tyreTempLeft: Math.round(surface + 3 * sideOf(wheel)),
      tyreTempCenter: Math.round(surface),
      tyreTempRight: Math.round(surface - 3 * sideOf(wheel)),
      rideHeight: frame.told(isFront(wheel) ? "ride_height_front" : "ride_height_rear") / 1000,
      suspensionTravel: AT_REST + of("suspension_travel") / 1000,
      suspensionVelocity: of("suspension_velocity") / 1000,
      airPressure: Math.round(of("tyre_pressure"))
    }
  })

/** `vector`: of our axes, in fields of this name. */
export const fromCar = (frame: Frame, vector: ReturnType<typeof vectorsIn>): FieldValues => {
  const { rpm, told } = frame
  return {
    oilTemp: Math.round(told("oil_temperature")),
    oilPressure: Math.round(told("oil_pressure")),
    waterTemp: Math.round(told("water_temperature")),
    waterPressure: 130,
    fuelPressure: 380,
    fuelCapacity: TANK,
    fuelLevel: told("fuel") / TANK,
    odometer: 1000 + told("distance") / 1000,
    orientationX: radians(told("pitch")),
    orientationY: radians(told("yaw")),
    orientationZ: -radians(told("roll")),
    localVelocityX: told("velocity_right"),
    localVelocityY: told("velocity_up"),
    localVelocityZ: -told("velocity_forward"),
    ...vector("worldVelocity", velocityOf(frame)),
    angularVelocityX: radians(told("pitch_rate")),
    angularVelocityY: radians(told("yaw_rate")),
    angularVelocityZ: -radians(told("roll_rate")),
    localAccelerationX: told("g_lateral") * GRAVITY,
    localAccelerationY: told("g_vertical") * GRAVITY,
    localAccelerationZ: -told("g_longitudinal") * GRAVITY,
    engineSpeed: (rpm * 2 * Math.PI) / 60,
    engineTorque: told("engine_torque"),
    ...wheelsOf(frame)
  }
}
