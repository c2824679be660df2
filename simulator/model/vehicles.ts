/** The vehicles of the bundled simulator: invented, with typical figures of their class. */
export interface Vehicle {
  readonly name: string
  readonly character: string
  /** With driver, without fuel, kg. */
  readonly mass: number
  /** At the start, kg, and consumption per kilometre. */
  readonly fuel: number
  readonly burn: number
  /** At the wheels, W. */
  readonly power: number
  /** Drag and downforce per square of speed: half the air's density times coefficient times area, N s^2/m^2. */
  readonly drag: number
  readonly downforce: number
  /** Friction of new tyres. */
  readonly grip: number
  /** Share of the load on the driven wheels under acceleration. */
  readonly traction: number
  /** Deceleration with the throttle closed, m/s^2. */
  readonly engineBraking: number
  readonly wheelRadius: number
  /** Turns of the engine per turn of the wheel, first gear first. */
  readonly ratios: ReadonlyArray<number>
  readonly idle: number
  /** Engine speed at which the driver changes up, 1/min. */
  readonly shiftUp: number
  readonly wheelbase: number
  /** Turn of the steering wheel per turn of the front wheels, and half its whole travel, rad. */
  readonly steeringRatio: number
  readonly steeringLock: number
  /** Extra angle of the front wheels per lateral acceleration, rad s^2/m: every race car understeers a little. */
  readonly understeer: number
  /** Share of the standing car's weight on its front wheels, and which wheels the engine turns. */
  readonly frontShare: number
  readonly driven: "front" | "rear"
}

export const vehicles: ReadonlyArray<Vehicle> = [
  {
    name: "Kestrel GT-R3",
    character: "a GT3 car: 1.3 t, 540 hp, slicks, moderate downforce",
    mass: 1330,
    fuel: 80,
    burn: 0.55,
    power: 400_000,
    drag: 0.66,
    downforce: 1.35,
    grip: 1.42,
    traction: 0.62,
    engineBraking: 0.9,
    wheelRadius: 0.345,
    ratios: [12.2, 8.9, 6.9, 5.5, 4.5, 3.7],
    idle: 1500,
    shiftUp: 8300,
    wheelbase: 2.65,
    steeringRatio: 12.5,
    steeringLock: 4.2,
    understeer: 0.0012,
    frontShare: 0.47,
    driven: "rear"
  },
  {
    name: "Merlin F-08",
    character: "a single-seater: 0.7 t, 620 hp, high downforce",
    mass: 690,
    fuel: 60,
    burn: 0.5,
    power: 455_000,
    drag: 0.74,
    downforce: 2.3,
    grip: 1.6,
    traction: 0.66,
    engineBraking: 1.3,
    wheelRadius: 0.33,
    ratios: [13.4, 10.3, 8.3, 6.9, 5.85, 5],
    idle: 2500,
    shiftUp: 12_400,
    wheelbase: 3.1,
    steeringRatio: 10,
    steeringLock: 2.6,
    understeer: 0.0006,
    frontShare: 0.46,
    driven: "rear"
  },
  {
    name: "Wren Cup",
    character: "a front-wheel-drive cup car: 1.1 t, 190 hp, no wings",
    mass: 1080,
    fuel: 35,
    burn: 0.25,
    power: 140_000,
    drag: 0.41,
    downforce: 0.05,
    grip: 1.14,
    traction: 0.52,
    engineBraking: 0.7,
    wheelRadius: 0.3,
    ratios: [12.6, 8.7, 6.4, 4.8, 3.5],
    idle: 1000,
    shiftUp: 7000,
    wheelbase: 2.5,
    steeringRatio: 14,
    steeringLock: 6.3,
    understeer: 0.0022,
    frontShare: 0.61,
    driven: "front"
  }
]

export const vehicleNames: ReadonlyArray<string> = vehicles.map((vehicle) => vehicle.name)

/** The vehicle of that name, ignoring case. */
export const vehicleNamed = (name: string): Vehicle | undefined =>
  vehicles.find((known) => known.name.toLowerCase() === name.trim().toLowerCase())
