/**
 * Fields of telemetry about the car, its tyres, brakes and springs (addendum-project-cars2-ams2.md). Assumes that the game counts
 * backwards along the car, as many tools do, also in the wheels' turns: no source is certain.
 */
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { isFront, sideOf } from "../../model/chassis.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Frame } from "../Emulator.ts"
import { KELVIN, ofWheels, radians, velocityOf, type vectorsIn } from "../values.ts"

/** Of petrol, l. */
const TANK = 100
/** Travel of the suspension when the car stands, m. */
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
      rideHeight: frame.carValue(isFront(wheel) ? "ride_height_front" : "ride_height_rear") / 1000,
      suspensionTravel: AT_REST + of("suspension_travel") / 1000,
      suspensionVelocity: of("suspension_velocity") / 1000,
      airPressure: Math.round(of("tyre_pressure"))
    }
  })

/** `vector`: in our axes, in fields of this name. */
export const fromCar = (frame: Frame, vector: ReturnType<typeof vectorsIn>): FieldValues => {
  const { rpm, carValue } = frame
  return {
    oilTemp: Math.round(carValue("oil_temperature")),
    oilPressure: Math.round(carValue("oil_pressure")),
    waterTemp: Math.round(carValue("water_temperature")),
    waterPressure: 130,
    fuelPressure: 380,
    fuelCapacity: TANK,
    fuelLevel: carValue("fuel") / TANK,
    odometer: 1000 + carValue("distance") / 1000,
    orientationX: radians(carValue("pitch")),
    orientationY: radians(carValue("yaw")),
    orientationZ: -radians(carValue("roll")),
    localVelocityX: carValue("velocity_right"),
    localVelocityY: carValue("velocity_up"),
    localVelocityZ: -carValue("velocity_forward"),
    ...vector("worldVelocity", velocityOf(frame)),
    angularVelocityX: radians(carValue("pitch_rate")),
    angularVelocityY: radians(carValue("yaw_rate")),
    angularVelocityZ: -radians(carValue("roll_rate")),
    localAccelerationX: carValue("g_lateral") * GRAVITY,
    localAccelerationY: carValue("g_vertical") * GRAVITY,
    localAccelerationZ: -carValue("g_longitudinal") * GRAVITY,
    engineSpeed: (rpm * 2 * Math.PI) / 60,
    engineTorque: carValue("engine_torque"),
    ...wheelsOf(frame)
  }
}
