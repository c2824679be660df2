/** The bundled simulator's further channels: groups of the vocabulary (channels.md, section 6), each at its own rate. */
import { isFront, ofWheels, sideOf, TRACK_M, wheels } from "./chassis.ts"
import { rpmAt } from "./controls.ts"
import { type DrivenCar, Moment } from "./DrivenCar.ts"
import { GRAVITY } from "./forces.ts"
import { fuelLeft, shareWorn } from "./plan.ts"
import { AIR } from "./wear.ts"
import { airAt, gripOfTrack, trackAt, windAt, windFrom } from "./weather.ts"

export interface DriveChannel {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  /** NaN if there is no value. */
  readonly read: (moment: Moment) => number
}

export interface DriveGroup {
  readonly name: string
  /** Samples a second; sample i is at i / rate seconds. */
  readonly rate: number
  readonly channels: ReadonlyArray<DriveChannel>
}

/** kg of a litre of petrol. */
const PETROL = 0.745
/** Atmospheric pressure, and the pressure of a cold tyre above it, kPa. */
const ATMOSPHERE = 101.3
const COLD_TYRE = 135
const ICE_K = 273.15
/** Compression of the springs under the car and its downforce at a speed, and the car's height without it, mm. */
const TRAVEL = 45
const TRAVEL_SPEED = 70
const HIGHEST = { front: 96, rear: 108 }
/** Pressure in the brake lines with the pedal at its stop, kPa. */
const BRAKE_LINE = { front: 8200, rear: 5000 }
const MEDIUM = 2

const degrees = (radians: number) => (radians * 180) / Math.PI
const circle = (radians: number) => ((degrees(radians) % 360) + 360) % 360

const channel = (name: string, read: DriveChannel["read"]): DriveChannel => ({ name, read })

const ofEachWheel = (
  name: string,
  read: (moment: Moment, wheel: number) => number
): ReadonlyArray<DriveChannel> =>
  ofWheels((wheel) => channel(`${name}_${wheels[wheel]!}`, (moment) => read(moment, wheel)))

const load = (m: Moment, wheel: number) => m.at(m.lap.chassis.load[wheel]!)

/** N a mm. */
const springRate = (m: Moment, wheel: number) => {
  const { downforce, frontShare, mass } = m.options.vehicle
  const share = (isFront(wheel) ? frontShare : 1 - frontShare) / 2
  return (share * (mass * GRAVITY + downforce * TRAVEL_SPEED ** 2)) / TRAVEL
}

const travel = (m: Moment, wheel: number) => load(m, wheel) / springRate(m, wheel)

/** Rate of a wheel's load, from the nodes at both sides, N/s. */
const loading = (m: Moment, wheel: number) => m.direction(m.lap.chassis.load[wheel]!) * m.speed

const rideHeight = (m: Moment, left: number, highest: number) =>
  highest - (travel(m, left) + travel(m, left + 1)) / 2

/** Speed of a wheel's tread, m/s: the way is shorter on the inside of a bend. */
const tread = (m: Moment, wheel: number) =>
  m.speed *
  (1 + (sideOf(wheel) * m.at(m.trace.path.curvature) * TRACK_M) / 2) *
  (1 + m.at(m.lap.chassis.slipRatio[wheel]!))

const rpm = (m: Moment) => rpmAt(m.options.vehicle, m.before(m.trace.controls.gear), m.speed)

/** kW. */
const power = (m: Moment) => (m.at(m.trace.controls.throttle) * m.options.vehicle.power) / 1000

/** A sector's time, shown from its end to the end of the lap. */
const afterSector = (m: Moment, sector: 1 | 2) => {
  const [one, two] = m.trace.lap.sectors
  const end = sector === 1 ? one : one + two
  return m.since < end ? Number.NaN : sector === 1 ? one : two
}

const group = (
  name: string,
  rate: number,
  ...channels: ReadonlyArray<DriveChannel | ReadonlyArray<DriveChannel>>
): DriveGroup => ({ name, rate, channels: channels.flat() })

const seed = (m: Moment) => m.options.seed

/** Lap and distance are in `points`; the service stores them as the group lap. */
export const driveGroups: ReadonlyArray<DriveGroup> = [
  group(
    "motion",
    50,
    channel("g_lateral", (m) => m.at(m.lap.chassis.right) / GRAVITY),
    channel("g_longitudinal", (m) => m.at(m.lap.chassis.forward) / GRAVITY),
    channel("g_vertical", (m) => m.at(m.lap.chassis.up) / GRAVITY),
    channel("yaw_rate", (m) => degrees(m.at(m.lap.chassis.yawRate))),
    channel("pitch_rate", (m) => degrees(m.at(m.lap.chassis.pitchRate))),
    channel("roll_rate", (m) => degrees(m.at(m.lap.chassis.rollRate))),
    channel("yaw", (m) => circle(m.at(m.lap.chassis.yaw))),
    channel("pitch", (m) => degrees(m.at(m.lap.chassis.pitch))),
    channel("roll", (m) => degrees(m.at(m.lap.chassis.roll))),
    channel("velocity_x", (m) => m.speed * m.direction(m.trace.path.x)),
    channel("velocity_y", (m) => m.speed * m.direction(m.trace.path.y)),
    channel("velocity_z", (m) => m.speed * m.direction(m.trace.path.z)),
    channel(
      "velocity_forward",
      (m) => m.speed * Math.cos(m.at(m.lap.chassis.squat)) * Math.cos(m.at(m.lap.chassis.sideslip))
    ),
    channel("velocity_right", (m) => m.speed * Math.sin(m.at(m.lap.chassis.sideslip))),
    channel("velocity_up", (m) => m.speed * Math.sin(m.at(m.lap.chassis.squat)))
  ),
  group(
    "suspension",
    50,
    ofEachWheel("suspension_travel", travel),
    ofEachWheel("suspension_velocity", (m, wheel) => loading(m, wheel) / springRate(m, wheel)),
    channel("ride_height_front", (m) => rideHeight(m, 0, HIGHEST.front)),
    channel("ride_height_rear", (m) => rideHeight(m, 2, HIGHEST.rear))
  ),
  group(
    "wheels",
    50,
    ofEachWheel("wheel_speed", (m, wheel) => tread(m, wheel) * 3.6),
    ofEachWheel("wheel_rotation", (m, wheel) => tread(m, wheel) / m.options.vehicle.wheelRadius),
    ofEachWheel("slip_ratio", (m, wheel) => m.at(m.lap.chassis.slipRatio[wheel]!)),
    ofEachWheel("slip_angle", (m, wheel) =>
      degrees(m.at(isFront(wheel) ? m.lap.chassis.frontSlip : m.lap.chassis.rearSlip))
    ),
    ofEachWheel("wheel_load", load)
  ),
  group(
    "engine",
    20,
    channel("engine_power", power),
    channel("engine_torque", (m) => (power(m) * 1000) / ((rpm(m) * 2 * Math.PI) / 60)),
    channel("water_temperature", (m) => m.at(m.lap.wear.water)),
    channel("oil_temperature", (m) => m.at(m.lap.wear.oil)),
    channel("oil_pressure", (m) => 120 + (420 * rpm(m)) / m.options.vehicle.shiftUp),
    channel("engine_speed_fraction", (m) => Math.min(1, rpm(m) / m.options.vehicle.shiftUp))
  ),
  group(
    "tyres",
    10,
    ofEachWheel("tyre_temperature", (m, wheel) => m.at(m.lap.wear.carcass[wheel]!)),
    ofEachWheel("tyre_surface_temperature", (m, wheel) => m.at(m.lap.wear.tread[wheel]!)),
    ofEachWheel(
      "tyre_pressure",
      (m, wheel) =>
        ((COLD_TYRE + ATMOSPHERE) * (m.at(m.lap.wear.carcass[wheel]!) + ICE_K)) / (AIR + ICE_K) - ATMOSPHERE
    )
  ),
  group(
    "brakes",
    10,
    ofEachWheel("brake_temperature", (m, wheel) => m.at(m.lap.wear.disc[wheel]!)),
    ofEachWheel(
      "brake_pressure",
      (m, wheel) => m.at(m.trace.controls.brake) * (isFront(wheel) ? BRAKE_LINE.front : BRAKE_LINE.rear)
    )
  ),
  group(
    "timing",
    10,
    channel("laps_completed", (m) => m.trace.lap.lapNumber - 1),
    channel("last_lap_time", (m) => m.lap.lastLapTime),
    channel("best_lap_time", (m) => m.lap.bestLapTime),
    channel("sector1_time", (m) => afterSector(m, 1)),
    channel("sector2_time", (m) => afterSector(m, 2)),
    channel("distance", (m) => (m.trace.lap.lapNumber - 1) * m.options.circuit.length + m.lapDistance),
    channel("session_time", (m) => m.time),
    channel("in_pit", () => 0)
  ),
  group(
    "fuel",
    5,
    channel("fuel", (m) => m.at(m.lap.wear.fuel) / PETROL),
    channel("fuel_mass", (m) => m.at(m.lap.wear.fuel)),
    channel("fuel_fraction", (m) => m.at(m.lap.wear.fuel) / fuelLeft(m.options.vehicle, 0)),
    channel(
      "fuel_laps",
      (m) => (m.at(m.lap.wear.fuel) * 1000) / (m.options.vehicle.burn * m.options.circuit.length)
    )
  ),
  group(
    "tyre_state",
    1,
    ofEachWheel("tyre_wear", (m, wheel) => shareWorn(m.at(m.lap.wear.worn[wheel]!))),
    { ...channel("tyre_compound", () => MEDIUM), labels: { 1: "soft", [MEDIUM]: "medium", 3: "hard" } },
    channel("tyre_age", (m) => m.trace.lap.lapNumber - 1)
  ),
  group(
    "weather",
    1,
    channel("air_temperature", (m) => airAt(seed(m), m.time)),
    channel("track_temperature", (m) => trackAt(seed(m), m.time)),
    channel("rain", () => 0),
    channel("wetness", () => 0),
    channel("track_grip", (m) => gripOfTrack(m.time)),
    channel("wind_speed", (m) => windAt(seed(m), m.time)),
    channel("wind_direction", (m) => windFrom(seed(m), m.time))
  )
]

/** Rounds to the resolution of a good sensor, as floats suffice. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6 + 0

/** Samples of a group as columns, one after another: the timestamp (s since the drive began), then its channels. */
export interface DriveSamples {
  readonly length: number
  readonly data: Float64Array
}

/** `count` samples from the sample numbered `first`. */
export const samplesOf = (
  car: DrivenCar,
  { channels, rate }: DriveGroup,
  first: number,
  count: number
): DriveSamples => {
  const data = new Float64Array(count * (1 + channels.length))
  const moment = new Moment(car)
  for (let i = 0; i < count; i++) {
    const time = (first + i) / rate
    moment.moveTo(time)
    data[i] = time
    for (let c = 0; c < channels.length; c++) data[(c + 1) * count + i] = rounded(channels[c]!.read(moment))
  }
  return { length: count, data }
}
