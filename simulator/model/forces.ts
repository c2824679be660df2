/** Accelerations of a car of a given mass by tyres, engine and air, m/s^2; speeds in m/s. */
import type { Vehicle } from "./vehicles.ts"

export const GRAVITY = 9.81
/** Rolling resistance, share of weight: slick tyres on asphalt. */
const ROLLING = 0.014
/** Below this speed the clutch slips, and the engine's power is not all thrust, m/s. */
const CLUTCH_MS = 6

/** The greatest acceleration by the tyres in any direction (the radius of the traction circle). */
export const gripAt = (vehicle: Vehicle, mass: number, share: number, speed: number): number =>
  share * vehicle.grip * (GRAVITY + (vehicle.downforce / mass) * speed * speed)

/** The part of `grip` that is left along the car while `lateral` is used across. */
export const alongOf = (grip: number, lateral: number): number => {
  const used = lateral / grip
  return used >= 1 ? 0 : grip * Math.sqrt(1 - used * used)
}

/** Acceleration by the engine at full throttle. */
export const thrustAt = (vehicle: Vehicle, mass: number, speed: number): number =>
  vehicle.power / (mass * Math.max(speed, CLUTCH_MS))

/** Deceleration of a rolling car: air, tyres and hill. */
export const resistanceAt = (vehicle: Vehicle, mass: number, speed: number, slope: number): number =>
  (vehicle.drag / mass) * speed * speed + GRAVITY * (ROLLING + slope)

/** The greatest speed at which a bend can be driven: where v^2 k = grip(v). */
export const cornerSpeed = (vehicle: Vehicle, mass: number, share: number, curvature: number): number => {
  const need = Math.abs(curvature) - (share * vehicle.grip * vehicle.downforce) / mass
  return need <= 1e-6 ? 150 : Math.min(150, Math.sqrt((share * vehicle.grip * GRAVITY) / need))
}
