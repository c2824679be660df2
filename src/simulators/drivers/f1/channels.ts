/**
 * The channels of the player's car in F1's packets (addendum-f1-channel-map.md).
 *
 * The car's axes are x left, y up, z forward, so rotations are positive to the left about y, nose down about x and right
 * side down about z. In packets of real games (test/simulators/captures) the lateral force is positive where cars in a row
 * turn left, pitch and roll agree with the directions, and the tyres' forces with the rate of turn. The addendum's signs
 * differ.
 *
 * Over 250 lines: it is one table.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { type ChannelMap, channelMap, type Lines, type More, ofWheels } from "../../packets/ChannelMap.ts"
import {
  circle,
  degrees,
  flag,
  fromOne,
  kilo,
  kmh,
  kPaOfPsi,
  milli,
  minus,
  minusDegrees,
  notNegative,
  percent,
  positive
} from "../../packets/conversions.ts"
import { joinMs } from "./decode.ts"
import { type F1Format, type Layout, layoutOf, formats } from "./layout.ts"

/** Values that the driver takes from packets of other cars, and from laps. */
const known = ["gapBehind", "bestLapTime", "sessionTime"] as const

const packetsOf = ({ packets, sizes }: Layout) => ({
  motionEx: packets.motionEx.head,
  carTelemetry2: sizes[packets.carTelemetry2.id] === undefined ? [] : packets.carTelemetry2.element,
  carStatus: packets.carStatus.element,
  carTelemetry: packets.carTelemetry.element,
  lapData: packets.lapData.element,
  motion: packets.motion.element,
  carDamage: packets.carDamage.element,
  session: packets.session.head,
  known
})

const wheel = ofWheels("[FL]", "[FR]", "[RL]", "[RR]")

const own =
  (group: string, unit: string, kind: More["kind"] = "continuous") =>
  (description: string, labels?: More["labels"]): More => ({
    group,
    unit,
    kind,
    description,
    ...(labels === undefined ? {} : { labels })
  })
const inUnit = (unit: string, more: More): More => ({ ...more, unit })
const wing = own("f1_damage", "")
const fault = own("f1_damage", "", "flag")
const force = own("f1_forces", "N")
const status = own("f1_status", "", "step")
const race = own("f1_race", "", "step")
const seconds = own("f1_race", "s")
const aero = own("f1_aero", "", "step")

/** Directions are fractions of this. */
const UNIT = 32_767
const ON_KERB = 1
/** For the formats before 2026; the capacity of the later store is published nowhere. */
const ERS_STORE_J = 4e6
/** The races among the session types, which were renumbered in 2024. */
const races = (format: F1Format) => (format === 2023 ? [10, 12] : [15, 17])

const splitTime = (ms: number, minutes: number) => positive(joinMs(ms, minutes) / 1000)
const gap = (ms: number, minutes: number) => joinMs(ms, minutes) / 1000
const time = (ms: number) => positive(ms / 1000)

/** The mean of the given percentages; where fewer exist, one is given twice. */
const worst = (a: number, b: number, c: number) => percent(Math.max(a, b, c))
const fraction = (distance: number, length: number) =>
  distance < 0 || length === 0 ? ABSENT : distance / length

/** The roll, from how far the right side and the nose point up: the game's own angle, to the resolution of 16 bits. */
const rollOf = (right: number, ahead: number) =>
  minusDegrees(Math.asin(right / UNIT / Math.sqrt(1 - (ahead / UNIT) ** 2)))

const tyreColours = { 7: "intermediate", 8: "wet", 16: "soft", 17: "medium", 18: "hard" }
const flags = { 0: "none", 1: "green", 2: "blue", 3: "yellow" }
const pitStates = { 0: "none", 1: "pitting", 2: "in the pit area" }
const driverStates = { 0: "garage", 1: "flying lap", 2: "in lap", 3: "out lap", 4: "on track" }
const safetyCars = { 0: "none", 1: "full", 2: "virtual", 3: "formation lap" }
const weathers = {
  0: "clear",
  1: "light cloud",
  2: "overcast",
  3: "light rain",
  4: "heavy rain",
  5: "storm"
}
const compounds = {
  7: "intermediate",
  8: "wet",
  9: "classic dry",
  10: "classic wet",
  11: "F2 super soft",
  12: "F2 soft",
  13: "F2 medium",
  14: "F2 hard",
  15: "F2 wet",
  16: "C5",
  17: "C4",
  18: "C3",
  19: "C2",
  20: "C1",
  21: "C0"
}
const surfaces = {
  0: "tarmac",
  1: "rumble strip",
  2: "concrete",
  3: "rock",
  4: "gravel",
  5: "mud",
  6: "sand",
  7: "grass",
  8: "water",
  9: "cobblestone",
  10: "metal",
  11: "ridged"
}

/**
 * In a race the game shows the surplus of fuel at the end in laps (in real packets, an empty car with 4.55 laps to go showed
 * -4.55); elsewhere it shows the laps that the fuel lasts for (20 cars in qualifying: 1.43 kg a lap, and almost nothing left
 * over).
 */
const linesOf = (format: F1Format): Lines<ReturnType<typeof packetsOf>> => {
  const [firstRace, lastRace] = races(format)
  const ofForce = format === 2026 ? kilo : (force: number) => force
  const isRace = (type: number) => type >= firstRace! && type <= lastRace!
  return {
    // The last packets of a frame stand first, so that the rows of a group belong to one frame.
    motionEx: [
      ["yaw_rate", "angularVelocityY", minusDegrees],
      ["pitch_rate", "angularVelocityX", minusDegrees],
      ["roll_rate", "angularVelocityZ", degrees],
      ["velocity_forward", "localVelocityZ"],
      ["velocity_right", "localVelocityX", minus],
      ["velocity_up", "localVelocityY"],
      ...wheel("wheel_speed", "wheelSpeed", kmh),
      ...wheel("slip_ratio", "wheelSlipRatio"),
      ...wheel("slip_angle", "wheelSlipAngle", minusDegrees),
      ...wheel("wheel_load", "wheelVertForce"),
      ...wheel("suspension_travel", "suspensionPosition", undefined, {
        description: "Positive in compression, by two packets of real games"
      }),
      ...wheel("suspension_velocity", "suspensionVelocity"),
      ["ride_height_front", "frontAeroHeight", milli],
      ["ride_height_rear", "rearAeroHeight", milli],
      ...wheel("camber", "wheelCamber", degrees),
      ...wheel("f1_lateral_force", "wheelLatForce", minus, force("Of the tyre, to the right")),
      ...wheel("f1_longitudinal_force", "wheelLongForce", undefined, force("Of the tyre, forward")),
      ["f1_cog_height", "heightOfCOGAboveGround", milli, inUnit("mm", force("Of the centre of gravity"))]
    ],
    carTelemetry2: [
      ["f1_active_aero_mode", "activeAeroMode", undefined, aero("")],
      ["f1_active_aero_available", "activeAeroAvailable", undefined, aero("")],
      ["f1_overtake_available", "overtakeAvailable", undefined, aero("")],
      ["f1_overtake_active", "overtakeActive", undefined, aero("")],
      ["f1_wrong_way", "isDrivingWrongWay", flag, own("f1_aero", "", "flag")("Driving the wrong way")]
    ],
    carStatus: [
      ["tc_level", "tractionControl"],
      ["abs_level", "antiLockBrakes"],
      ["engine_map", "fuelMix", undefined, { description: "The mix of the fuel" }],
      ["brake_bias", "frontBrakeBias", percent],
      ["pit_limiter", "pitLimiterStatus", flag],
      ["drs_allowed", "drsAllowed", flag],
      ["engine_power", "enginePowerICE", kilo, { description: "Of the combustion engine" }],
      ["fuel_mass", "fuelInTank"],
      [
        "fuel_laps",
        ["fuelRemainingLaps", "session.sessionType"],
        (laps, type) => (isRace(type) ? ABSENT : laps)
      ],
      [
        "fuel_laps_surplus",
        ["fuelRemainingLaps", "session.sessionType"],
        (laps, type) => (isRace(type) ? laps : ABSENT)
      ],
      ["ers_store", "ersStoreEnergy", kilo],
      ["ers_deployed", "ersDeployedThisLap", kilo],
      ["ers_harvested", ["ersHarvestedThisLapMGUK", "ersHarvestedThisLapMGUH"], (k, h) => kilo(k + h)],
      ["ers_power", "enginePowerMGUK", kilo],
      ...(format === 2026
        ? []
        : [["ers_fraction", "ersStoreEnergy", (j: number) => j / ERS_STORE_J] as const]),
      ["ers_mode", "ersDeployMode"],
      ["tyre_compound", "actualTyreCompound", undefined, { labels: compounds }],
      ["tyre_age", "tyresAgeLaps"],
      ["rpm_max", "maxRPM", positive],
      ["rpm_idle", "idleRPM", positive],
      ["fuel_mass_capacity", "fuelCapacity", positive],
      ["f1_tyre_colour", "visualTyreCompound", undefined, status("", tyreColours)],
      ["f1_flag", "vehicleFiaFlags", notNegative, status("Shown to the driver", flags)],
      [
        "f1_drs_distance",
        "drsActivationDistance",
        positive,
        inUnit("m", status("Distance to the place where DRS is available"))
      ],
      ["f1_ers_harvest_limit", "ersHarvestLimitPerLap", kilo, inUnit("kJ", status("Of this lap"))]
    ],
    carTelemetry: [
      ["clutch", "clutch", percent],
      ["drs_open", "drs", flag],
      ["engine_speed_fraction", "revLightsPercent", percent],
      ["engine_temperature", "engineTemperature"],
      ...wheel("tyre_temperature", "tyresInnerTemperature"),
      ...wheel("tyre_surface_temperature", "tyresSurfaceTemperature"),
      ...wheel("tyre_pressure", "tyresPressure", kPaOfPsi),
      ...wheel("brake_temperature", "brakesTemperature"),
      ...wheel("surface", "surfaceType", undefined, { labels: surfaces }),
      ...wheel("on_kerb", "surfaceType", (surface) => (surface === ON_KERB ? 1 : 0))
    ],
    lapData: [
      ["current_lap", "currentLapNum"],
      ["lap_distance", "lapDistance", notNegative],
      ["lap_fraction", ["lapDistance", "session.trackLength"], fraction],
      ["lap_time_so_far", "currentLapTimeInMS", kilo],
      ["sector", "sector", fromOne],
      ["gap_ahead", "deltaToCarInFrontInMS", time],
      ["gap_ahead", ["deltaToCarInFrontMSPart", "deltaToCarInFrontMinutesPart"], splitTime],
      ["gap_behind", "known.gapBehind"],
      ["gap_to_leader", "deltaToRaceLeaderInMS", kilo],
      ["gap_to_leader", ["deltaToRaceLeaderMSPart", "deltaToRaceLeaderMinutesPart"], gap],
      ["race_position", "carPosition", positive],
      ["pit_stops", "numPitStops"],
      ["pit_status", "pitStatus", undefined, { labels: pitStates }],
      ["in_pit", "pitStatus", flag],
      ["lap_invalid", "currentLapInvalid", flag],
      ["last_lap_time", "lastLapTimeInMS", time],
      ["best_lap_time", "known.bestLapTime"],
      ["sector1_time", ["sector1TimeMSPart", "sector1TimeMinutesPart"], splitTime],
      ["sector2_time", ["sector2TimeMSPart", "sector2TimeMinutesPart"], splitTime],
      ["distance", "totalDistance"],
      ["session_time", "known.sessionTime"],
      ["session_time_left", "session.sessionTimeLeft"],
      ["time_of_day", "session.timeOfDay", (minutes) => minutes * 60],
      ["session_laps", "session.totalLaps", positive],
      ["f1_penalties", "penalties", undefined, inUnit("s", race("In all"))],
      ["f1_warnings", "totalWarnings", undefined, race("In all")],
      ["f1_corner_warnings", "cornerCuttingWarnings", undefined, race("For cutting corners")],
      ["f1_drive_throughs", "numUnservedDriveThroughPens", undefined, race("Not served yet")],
      ["f1_stop_gos", "numUnservedStopGoPens", undefined, race("Not served yet")],
      ["f1_driver_status", "driverStatus", undefined, race("", driverStates)],
      ["f1_safety_car_delta", "safetyCarDelta", undefined, seconds("")],
      ["f1_pit_lane_time", "pitLaneTimeInLaneInMS", time, seconds("In the pit lane")],
      ["f1_pit_stop_time", "pitStopTimerInMS", time, seconds("Of the stop")],
      ["f1_safety_car", "session.safetyCarStatus", undefined, race("", safetyCars)]
    ],
    motion: [
      ["g_lateral", "gForceLateral", (force) => minus(ofForce(force))],
      ["g_longitudinal", "gForceLongitudinal", ofForce],
      ["g_vertical", "gForceVertical", ofForce],
      ["yaw", ["worldForwardDirX", "worldForwardDirZ"], (x, z) => circle(Math.atan2(x, -z))],
      ["pitch", "worldForwardDirY", (y) => degrees(Math.asin(y / UNIT))],
      ["roll", ["worldRightDirY", "worldForwardDirY"], rollOf],
      ["velocity_x", "worldVelocityX"],
      ["velocity_y", "worldVelocityZ", minus],
      ["velocity_z", "worldVelocityY"]
    ],
    carDamage: [
      ...wheel("tyre_wear", "tyresWear", percent),
      ...wheel("tyre_damage", "tyresDamage", percent),
      ...wheel("tyre_blisters", "tyreBlisters", percent),
      ...wheel("brake_damage", "brakesDamage", percent),
      ["damage_front", ["frontLeftWingDamage", "frontRightWingDamage"], worst],
      ["damage_rear", "rearWingDamage", percent],
      ["damage_aero", ["floorDamage", "diffuserDamage", "sidepodDamage"], worst],
      ["damage_gearbox", "gearBoxDamage", percent],
      ["engine_damage", "engineDamage", percent],
      ["f1_front_left_wing_damage", "frontLeftWingDamage", percent, wing("0 to 1")],
      ["f1_front_right_wing_damage", "frontRightWingDamage", percent, wing("0 to 1")],
      ["f1_floor_damage", "floorDamage", percent, wing("0 to 1")],
      ["f1_diffuser_damage", "diffuserDamage", percent, wing("0 to 1")],
      ["f1_sidepod_damage", "sidepodDamage", percent, wing("0 to 1")],
      ["f1_mguh_wear", "engineMGUHWear", percent, wing("0 new to 1 gone")],
      ["f1_es_wear", "engineESWear", percent, wing("Of the energy store, 0 new to 1 gone")],
      ["f1_ce_wear", "engineCEWear", percent, wing("Of the control electronics, 0 new to 1 gone")],
      ["f1_ice_wear", "engineICEWear", percent, wing("Of the combustion engine, 0 new to 1 gone")],
      ["f1_mguk_wear", "engineMGUKWear", percent, wing("0 new to 1 gone")],
      ["f1_tc_wear", "engineTCWear", percent, wing("Of the turbocharger, 0 new to 1 gone")],
      ["f1_drs_fault", "drsFault", flag, fault("")],
      ["f1_ers_fault", "ersFault", flag, fault("")],
      ["f1_engine_blown", "engineBlown", flag, fault("")],
      ["f1_engine_seized", "engineSeized", flag, fault("")]
    ],
    session: [
      ["air_temperature", "airTemperature"],
      ["track_temperature", "trackTemperature"],
      ["pit_speed_limit", "pitSpeedLimit", positive],
      ["f1_weather", "weather", undefined, own("f1_session", "", "step")("", weathers)]
    ]
  }
}

/** By format. */
export const channels = Object.fromEntries(
  formats.map((format) => [format, channelMap(packetsOf(layoutOf(format)!), linesOf(format))])
) as Readonly<Record<F1Format, ChannelMap>>
