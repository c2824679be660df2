/**
 * What telemetry tells of the car, of its tyres, brakes and springs (addendum-project-cars2-ams2.md). Along the car the game is taken
 * to count backwards, as many tools have it, and its wheels' turns, too: no source says so for sure.
 */
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { wheels } from "../../model/chassis.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Frame } from "../Emulator.ts"

/** Of petrol, l. */
const TANK = 100
const KELVIN = 273.15
/** Of the suspension when the car stands, m. */
const AT_REST = 0.04

const radians = (degrees: number) => (degrees * Math.PI) / 180
const kelvin = (celsius: number) => Math.round(celsius + KELVIN)

const wheel = (n: number, { brake, told }: Frame): FieldValues => {
  const at = wheels[n]!
  const end = at.toUpperCase()
  const surface = told(`tyre_surface_temperature_${at}`)
  const carcass = told(`tyre_temperature_${at}`)
  return {
    [`tyreFlags${end}`]: 7,
    [`tyreRPS${end}`]: -told(`wheel_rotation_${at}`) / (2 * Math.PI),
    [`tyreTemp${end}`]: Math.min(255, Math.round(surface)),
    [`tyreWear${end}`]: Math.round(told(`tyre_wear_${at}`) * 255),
    [`brakeTemp${end}`]: Math.round(told(`brake_temperature_${at}`)),
    [`tyreTreadTemp${end}`]: kelvin(surface),
    [`tyreLayerTemp${end}`]: kelvin((surface + carcass) / 2),
    [`tyreCarcassTemp${end}`]: kelvin(carcass),
    [`tyreRimTemp${end}`]: kelvin(carcass + 5 + 5 * brake),
    [`tyreInternalAirTemp${end}`]: kelvin(carcass),
    // The left ones lean on their right edges.
    [`tyreTempLeft${end}`]: Math.round(surface + (n % 2 === 0 ? -3 : 3)),
    [`tyreTempCenter${end}`]: Math.round(surface),
    [`tyreTempRight${end}`]: Math.round(surface + (n % 2 === 0 ? 3 : -3)),
    [`rideHeight${end}`]: told(n < 2 ? "ride_height_front" : "ride_height_rear") / 1000,
    [`suspensionTravel${end}`]: AT_REST + told(`suspension_travel_${at}`) / 1000,
    [`suspensionVelocity${end}`]: told(`suspension_velocity_${at}`) / 1000,
    [`airPressure${end}`]: Math.round(told(`tyre_pressure_${at}`))
  }
}

/** `vector`: of our axes, in fields of this name. */
export const fromCar = (
  frame: Frame,
  vector: (name: string, x: number, y: number, z: number) => FieldValues
): FieldValues => {
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
    ...vector("worldVelocity", told("velocity_x"), told("velocity_y"), told("velocity_z")),
    angularVelocityX: radians(told("pitch_rate")),
    angularVelocityY: radians(told("yaw_rate")),
    angularVelocityZ: -radians(told("roll_rate")),
    localAccelerationX: told("g_lateral") * GRAVITY,
    localAccelerationY: told("g_vertical") * GRAVITY,
    localAccelerationZ: -told("g_longitudinal") * GRAVITY,
    engineSpeed: (rpm * 2 * Math.PI) / 60,
    engineTorque: told("engine_torque"),
    ...Object.assign({}, ...wheels.map((_, n) => wheel(n, frame)))
  }
}
