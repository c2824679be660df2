/**
 * The names of channels beyond the ten of a point: one channel has one name, one unit, one kind and one group, whatever
 * the simulator. Documentation and the API's description are made from this file.
 *
 * Sideways quantities are positive to the right. `aliases` are the names that MoTeC i2 and iRacing have for the same
 * quantity, for imports and exports; their units may differ.
 *
 * Over 250 lines: it is one table.
 */
import { channels, pointChannels } from "./pointChannels.ts"
import type { ChannelDefinition, ChannelKind, GroupDefinition } from "./Dictionary.ts"

interface More {
  readonly kind?: ChannelKind
  readonly description?: string
  readonly aliases?: ReadonlyArray<string>
}

/** A channel of the vocabulary, with its names in other programs. */
export interface NamedChannel extends ChannelDefinition {
  readonly aliases: ReadonlyArray<string>
}

interface NamedGroup extends GroupDefinition {
  readonly channels: ReadonlyArray<NamedChannel>
}

const channel = (name: string, unit: string, more: More = {}): NamedChannel => ({
  name,
  unit,
  kind: more.kind ?? "continuous",
  description: more.description ?? "",
  labels: {},
  aliases: more.aliases ?? []
})

const step = (name: string, unit = "", more: Omit<More, "kind"> = {}) =>
  channel(name, unit, { ...more, kind: "step" })

const flag = (name: string, more: Omit<More, "kind"> = {}) => channel(name, "", { ...more, kind: "flag" })

/** The suffixes for a car's four wheels, and their forms in the aliases. */
const wheels = [
  { end: "fl", at: "front left", motec: "FL", iracing: "LF" },
  { end: "fr", at: "front right", motec: "FR", iracing: "RF" },
  { end: "rl", at: "rear left", motec: "RL", iracing: "LR" },
  { end: "rr", at: "rear right", motec: "RR", iracing: "RR" }
] as const

/** A channel for each wheel. In aliases, `FL` is replaced by MoTeC's name of the wheel, and `LF` by iRacing's. */
const ofEachWheel = (name: string, unit: string, more: More = {}): ReadonlyArray<NamedChannel> =>
  wheels.map(({ end, iracing, motec }) =>
    channel(`${name}_${end}`, unit, {
      ...more,
      aliases: (more.aliases ?? []).map((alias) => alias.replace("FL", motec).replace(/\bLF|^LF/, iracing))
    })
  )

const group = (
  name: string,
  ...channels: ReadonlyArray<NamedChannel | ReadonlyArray<NamedChannel>>
): NamedGroup => ({
  name,
  channels: channels.flat()
})

/** The channels of the group `points`, in their order. */
export const pointDefinitions: ReadonlyArray<NamedChannel> = channels.map((name) => {
  const { aliases = [], description, isStep = false, unit } = pointChannels[name]
  return channel(name, unit, { kind: isStep ? "step" : "continuous", description, aliases })
})

/** Every group of the vocabulary, with its channels in order. */
export const vocabulary: ReadonlyArray<NamedGroup> = [
  group(
    "motion",
    channel("g_lateral", "g", {
      description: "Along the car's side, without gravity; positive in a right-hand bend",
      aliases: ["G Force Lat", "LatAccel"]
    }),
    channel("g_longitudinal", "g", {
      description: "Along the car's length, without gravity; positive under power",
      aliases: ["G Force Long", "LongAccel"]
    }),
    channel("g_vertical", "g", {
      description: "Along the car's height, without gravity; 0 at rest",
      aliases: ["G Force Vert", "VertAccel"]
    }),
    channel("yaw_rate", "deg/s", {
      description: "Rate of yaw; positive to the right",
      aliases: ["Yaw Rate", "YawRate"]
    }),
    channel("pitch_rate", "deg/s", { description: "Rate of pitch", aliases: ["Pitch Rate", "PitchRate"] }),
    channel("roll_rate", "deg/s", { description: "Rate of roll", aliases: ["Roll Rate", "RollRate"] }),
    channel("yaw", "deg", {
      kind: "angle",
      description: "0 to 360, clockwise from +y",
      aliases: ["Yaw", "YawNorth"]
    }),
    channel("pitch", "deg", { description: "Nose up", aliases: ["Pitch"] }),
    channel("roll", "deg", { description: "Right side down", aliases: ["Roll"] }),
    channel("velocity_x", "m/s", { description: "Along the axis of position_x" }),
    channel("velocity_y", "m/s", { description: "Along the axis of position_y" }),
    channel("velocity_z", "m/s", { description: "Along the axis of position_z" }),
    channel("velocity_forward", "m/s", { description: "Along the car's length", aliases: ["VelocityX"] }),
    channel("velocity_right", "m/s", { description: "Along the car's side", aliases: ["VelocityY"] }),
    channel("velocity_up", "m/s", { description: "Along the car's height", aliases: ["VelocityZ"] })
  ),
  group(
    "controls",
    channel("clutch", "", { description: "0 released to 1 pressed", aliases: ["Clutch Pos", "Clutch"] }),
    channel("handbrake", "", {
      description: "0 released to 1 pulled",
      aliases: ["Handbrake", "HandbrakeRaw"]
    }),
    channel("brake_bias", "", {
      description: "Share of the front brakes, 0 to 1",
      aliases: ["Brake Bias", "dcBrakeBias"]
    }),
    channel("steering_angle", "deg", {
      description: "Of the wheel in the driver's hands",
      aliases: ["Steered Angle", "SteeringWheelAngle"]
    }),
    channel("steering_torque", "N m", {
      description: "Of the wheel in the driver's hands",
      aliases: ["Steering Torque", "SteeringWheelTorque"]
    }),
    step("abs_level", "", { aliases: ["ABS Level", "dcABS"] }),
    step("tc_level", "", { aliases: ["TC Level", "dcTractionControl"] }),
    step("engine_map", "", { aliases: ["Engine Map", "dcThrottleShape"] }),
    flag("abs_active", { aliases: ["ABS Active", "BrakeABSactive"] }),
    flag("tc_active", { aliases: ["TC Active"] }),
    flag("pit_limiter", { aliases: ["Pit Limiter"] }),
    flag("drs_open", { aliases: ["DRS Open"] }),
    flag("drs_allowed", { aliases: ["DRS Allowed"] })
  ),
  group(
    "engine",
    channel("engine_power", "kW", { aliases: ["Eng Power"] }),
    channel("engine_torque", "N m", { aliases: ["Eng Torque"] }),
    channel("boost", "kPa", { description: "Above atmosphere", aliases: ["Boost Pres"] }),
    channel("water_temperature", "°C", { aliases: ["Eng Water Temp", "WaterTemp"] }),
    channel("oil_temperature", "°C", { aliases: ["Eng Oil Temp", "OilTemp"] }),
    channel("engine_temperature", "°C", { aliases: ["Engine Temp"] }),
    channel("oil_pressure", "kPa", { aliases: ["Eng Oil Pres", "OilPress"] }),
    channel("water_pressure", "kPa", { aliases: ["Eng Water Pres"] }),
    channel("fuel_pressure", "kPa", { aliases: ["Fuel Pres", "FuelPress"] }),
    channel("engine_speed_fraction", "", {
      description: "Of the rev lights, 0 to 1",
      aliases: ["ShiftIndicatorPct"]
    })
  ),
  group(
    "fuel",
    channel("fuel", "l", { aliases: ["Fuel Level", "FuelLevel"] }),
    channel("fuel_mass", "kg", { aliases: ["Fuel Mass"] }),
    channel("fuel_fraction", "", { description: "Of the tank, 0 to 1", aliases: ["FuelLevelPct"] }),
    channel("fuel_laps", "laps", { description: "Laps that the fuel lasts, by the simulator's own account" }),
    channel("fuel_laps_surplus", "laps", {
      description: "Laps that the fuel lasts beyond the end, by the simulator's own account"
    })
  ),
  group(
    "energy",
    channel("ers_store", "kJ", { aliases: ["EnergyERSBattery"] }),
    channel("ers_deployed", "kJ", { description: "In this lap" }),
    channel("ers_harvested", "kJ", { description: "In this lap" }),
    channel("ers_power", "kW", { aliases: ["PowerMGU_K"] }),
    channel("ers_fraction", "", {
      description: "Charge of the store, 0 to 1",
      aliases: ["EnergyERSBatteryPct"]
    }),
    step("ers_mode")
  ),
  group(
    "tyres",
    ofEachWheel("tyre_temperature", "°C", {
      description: "Of the carcass, or the only one that the simulator reports",
      aliases: ["Tyre Temp FL"]
    }),
    ofEachWheel("tyre_surface_temperature", "°C", { aliases: ["Tyre Temp FL Surface"] }),
    ofEachWheel("tyre_tread_temperature", "°C"),
    ofEachWheel("tyre_inner_edge_temperature", "°C", { aliases: ["Tyre Temp FL Inner"] }),
    ofEachWheel("tyre_middle_temperature", "°C", { aliases: ["Tyre Temp FL Centre", "LFtempCM"] }),
    ofEachWheel("tyre_outer_edge_temperature", "°C", { aliases: ["Tyre Temp FL Outer"] }),
    ofEachWheel("tyre_rim_temperature", "°C", { aliases: ["Rim Temp FL"] }),
    ofEachWheel("tyre_air_temperature", "°C"),
    ofEachWheel("tyre_pressure", "kPa", {
      description: "Above atmosphere",
      aliases: ["Tyre Pres FL", "LFpressure"]
    }),
    ofEachWheel("tyre_grip", "", { description: "0 to 1" })
  ),
  group(
    "tyre_state",
    ofEachWheel("tyre_wear", "", { description: "0 new to 1 gone", aliases: ["Tyre Wear FL"] }),
    ofEachWheel("tyre_damage", "", { description: "0 to 1" }),
    ofEachWheel("tyre_blisters", "", { description: "0 to 1" }),
    ofEachWheel("tyre_dirt", "", { description: "0 to 1" }),
    ofEachWheel("tyre_compound", "", { kind: "step" }),
    step("tyre_compound", "", { aliases: ["PlayerTireCompound"] }),
    step("tyre_age", "laps")
  ),
  group(
    "wheels",
    ofEachWheel("wheel_speed", "km/h", {
      description: "At the tread",
      aliases: ["Wheel Speed FL", "LFspeed"]
    }),
    ofEachWheel("wheel_rotation", "rad/s", { aliases: ["Wheel Rot Speed FL"] }),
    ofEachWheel("slip_ratio", "", {
      description: "-1 locked, above 0 driving",
      aliases: ["Slip Ratio FL"]
    }),
    ofEachWheel("slip_angle", "deg", {
      description: "Positive where the wheel moves to the right of where it points",
      aliases: ["Slip Angle FL"]
    }),
    ofEachWheel("wheel_load", "N", { aliases: ["Wheel Load FL"] }),
    ofEachWheel("puddle_depth", "", { description: "0 to 1" }),
    ofEachWheel("on_kerb", "", { kind: "flag" }),
    ofEachWheel("surface", "", { kind: "step" })
  ),
  group(
    "brakes",
    ofEachWheel("brake_temperature", "°C", { aliases: ["Brake Temp FL"] }),
    ofEachWheel("brake_pressure", "kPa", { aliases: ["Brake Pres FL", "LFbrakeLinePress"] })
  ),
  group(
    "suspension",
    ofEachWheel("suspension_travel", "mm", {
      description: "Positive in compression",
      aliases: ["Susp Pos FL", "LFshockDefl"]
    }),
    ofEachWheel("suspension_fraction", "", { description: "Of its travel, 0 to 1" }),
    ofEachWheel("suspension_velocity", "mm/s", {
      description: "Positive in compression",
      aliases: ["Susp Vel FL", "LFshockVel"]
    }),
    ofEachWheel("suspension_load", "N", { aliases: ["Susp Load FL"] }),
    ofEachWheel("ride_height", "mm", { aliases: ["Ride Height FL", "LFrideHeight"] }),
    ofEachWheel("camber", "deg", { aliases: ["Camber FL"] }),
    channel("ride_height_front", "mm", { aliases: ["Ride Height Front"] }),
    channel("ride_height_rear", "mm", { aliases: ["Ride Height Rear"] })
  ),
  group(
    "lap",
    step("current_lap", "", { description: "The lap's number, from 1", aliases: ["Lap Number", "Lap"] }),
    channel("lap_distance", "m", { description: "Since the line", aliases: ["Lap Distance", "LapDist"] }),
    channel("lap_fraction", "", { description: "Of the circuit's length, 0 to 1", aliases: ["LapDistPct"] }),
    channel("lap_time_so_far", "s", { aliases: ["Running Lap Time", "LapCurrentLapTime"] }),
    step("sector", "", { description: "From 1" })
  ),
  group(
    "timing",
    channel("delta_to_best", "s", { aliases: ["Lap Gain/Loss Running", "LapDeltaToBestLap"] }),
    channel("gap_ahead", "s"),
    channel("gap_behind", "s"),
    channel("gap_to_leader", "s"),
    step("race_position", "", { aliases: ["Race Position", "PlayerCarPosition"] }),
    step("laps_completed", "laps", { aliases: ["LapCompleted"] }),
    step("pit_stops"),
    step("pit_status"),
    flag("in_pit", { aliases: ["OnPitRoad"] }),
    flag("lap_invalid"),
    step("last_lap_time", "s", { aliases: ["Lap Time", "LapLastLapTime"] }),
    step("best_lap_time", "s", { aliases: ["LapBestLapTime"] }),
    step("sector1_time", "s"),
    step("sector2_time", "s"),
    channel("distance", "m", { description: "Driven in all" }),
    channel("session_time", "s", { aliases: ["SessionTime"] }),
    channel("session_time_left", "s", { aliases: ["SessionTimeRemain"] }),
    channel("time_of_day", "s", { aliases: ["SessionTimeOfDay"] }),
    step("session_laps", "laps", { aliases: ["SessionLapsTotal"] })
  ),
  group(
    "weather",
    channel("air_temperature", "°C", { aliases: ["Air Temp", "AirTemp"] }),
    channel("track_temperature", "°C", { aliases: ["Track Temp", "TrackTempCrew"] }),
    channel("rain", "", { description: "0 to 1", aliases: ["Precipitation"] }),
    channel("wetness", "", { description: "0 to 1", aliases: ["TrackWetness"] }),
    channel("track_grip", "", { description: "0 to 1" }),
    channel("wind_speed", "m/s", { aliases: ["Wind Speed", "WindVel"] }),
    channel("wind_direction", "deg", {
      kind: "angle",
      description: "Direction that the wind comes from, clockwise from +y",
      aliases: ["Wind Direction", "WindDir"]
    })
  ),
  group(
    "damage",
    ...[
      "damage_front",
      "damage_rear",
      "damage_left",
      "damage_right",
      "damage_gearbox",
      "damage_aero",
      "engine_damage"
    ].map((name) => channel(name, "", { description: "0 to 1" })),
    ofEachWheel("damage_suspension", "", { description: "0 to 1" }),
    ofEachWheel("brake_wear", "", { description: "0 to 1" }),
    ofEachWheel("brake_damage", "", { description: "0 to 1" })
  ),
  group(
    "gps",
    channel("latitude", "deg", { description: "Positive to the north (WGS 84)", aliases: ["GPS Latitude"] }),
    channel("longitude", "deg", { description: "Positive to the east (WGS 84)", aliases: ["GPS Longitude"] }),
    channel("altitude", "m", { description: "Above the sea", aliases: ["GPS Altitude"] }),
    channel("gps_speed", "km/h", { description: "Over the ground, by the receiver", aliases: ["GPS Speed"] }),
    channel("gps_heading", "deg", {
      kind: "angle",
      description: "Over the ground, 0 to 360, clockwise from north",
      aliases: ["GPS Heading"]
    }),
    step("satellites", "", { description: "The number in use", aliases: ["GPS Sats Used"] }),
    channel("gps_accuracy", "m", { description: "Of the position, by the receiver" })
  ),
  group(
    "car",
    step("rpm_max", "1/min", { aliases: ["DriverCarRedLine"] }),
    step("rpm_idle", "1/min", { aliases: ["DriverCarIdleRPM"] }),
    step("gears"),
    step("fuel_capacity", "l", { aliases: ["DriverCarFuelMaxLtr"] }),
    step("fuel_mass_capacity", "kg"),
    step("pit_speed_limit", "km/h")
  )
]

const places: ReadonlyMap<string, { readonly group: string; readonly channel: NamedChannel }> = new Map(
  vocabulary.flatMap(({ channels, name }) =>
    channels.map((channel) => [channel.name, { group: name, channel }] as const)
  )
)

/** The channel of the vocabulary that has this name, and its group. */
export const namedChannel = (name: string) => places.get(name)
