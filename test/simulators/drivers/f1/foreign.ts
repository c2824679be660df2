/** F1 packets as programs that others wrote read them, and our channels as computed from their fields, not by our tables. */
import { createRequire } from "node:module"

export type Fields = Readonly<Record<string, unknown>>
export type Read = (bytes: Buffer) => Fields

interface Client {
  readonly parseBufferMessage: (
    bytes: Buffer,
    bigint: boolean
  ) => { readonly data?: Fields; readonly packetData?: { readonly data: Fields } }
}

const require = createRequire(import.meta.url)

/** The client in the package of this name. */
export const clientOf = (name: string): Read => {
  const { F1TelemetryClient } = require(name) as { readonly F1TelemetryClient: Client }
  return (bytes) => {
    const parsed = F1TelemetryClient.parseBufferMessage(bytes, true)
    return parsed.packetData?.data ?? parsed.data!
  }
}

type Numbers = Readonly<Record<string, number>>
type Wheels = readonly [rl: number, rr: number, fl: number, fr: number]

/** A channel of each wheel, of an array in the games' order. */
const wheels = (channel: string, said: unknown, convert = (value: number) => value): Numbers => {
  const [rl, rr, fl, fr] = said as Wheels
  return Object.fromEntries(
    Object.entries({ fl, fr, rl, rr }).map(([wheel, value]) => [`${channel}_${wheel}`, convert(value)])
  )
}
const turned = (radians: number) => -radians * (180 / Math.PI)
const share = (percent: number) => percent / 100
const kilo = (value: number) => Math.fround(value / 1000)
const time = (ms: number) => (ms > 0 ? ms / 1000 : Number.NaN)

/** The channels of a car, by the packet's id. Absent is NaN. */
const channels: Readonly<Record<number, (said: Fields, car: number) => Numbers>> = {
  0: ({ m_carMotionData }, car) => {
    const said = (m_carMotionData as ReadonlyArray<Numbers>)[car]!
    return {
      g_lateral: -said["m_gForceLateral"]!,
      g_longitudinal: said["m_gForceLongitudinal"]!,
      g_vertical: said["m_gForceVertical"]!,
      velocity_x: said["m_worldVelocityX"]!,
      velocity_y: -said["m_worldVelocityZ"]!,
      velocity_z: said["m_worldVelocityY"]!,
      // The game's own angles. Our driver computes them from the directions, which are rounded to 16 bits.
      yaw: (180 - (said["m_yaw"]! * 180) / Math.PI + 360) % 360,
      pitch: (-said["m_pitch"]! * 180) / Math.PI,
      roll: (said["m_roll"]! * 180) / Math.PI
    }
  },
  1: (said) => ({
    air_temperature: said["m_airTemperature"] as number,
    track_temperature: said["m_trackTemperature"] as number,
    pit_speed_limit: said["m_pitSpeedLimit"] as number,
    f1_weather: said["m_weather"] as number
  }),
  2: ({ m_lapData }, car) => {
    const said = (m_lapData as ReadonlyArray<Numbers>)[car]!
    // One client takes the minutes out where there are any, having added them.
    return {
      lap_time_so_far: said["m_currentLapTimeInMS"]! / 1000,
      last_lap_time: time(said["m_lastLapTimeInMS"]!),
      sector1_time: time(said["m_sector1TimeInMS"]! + 60_000 * (said["m_sector1TimeMinutes"] ?? 0)),
      sector2_time: time(said["m_sector2TimeInMS"]! + 60_000 * (said["m_sector2TimeMinutes"] ?? 0)),
      gap_ahead: time(said["m_deltaToCarInFrontInMS"]! + 60_000 * (said["m_deltaToCarInFrontMinutes"] ?? 0)),
      gap_to_leader:
        (said["m_deltaToRaceLeaderInMS"]! + 60_000 * (said["m_deltaToRaceLeaderMinutes"] ?? 0)) / 1000,
      lap_distance: said["m_lapDistance"]! < 0 ? Number.NaN : said["m_lapDistance"]!,
      distance: said["m_totalDistance"]!,
      race_position: said["m_carPosition"]! || Number.NaN,
      current_lap: said["m_currentLapNum"]!,
      pit_status: said["m_pitStatus"]!,
      in_pit: said["m_pitStatus"]! > 0 ? 1 : 0,
      pit_stops: said["m_numPitStops"]!,
      sector: said["m_sector"]! + 1,
      lap_invalid: said["m_currentLapInvalid"]!,
      f1_penalties: said["m_penalties"]!,
      f1_warnings: said["m_totalWarnings"]!,
      f1_driver_status: said["m_driverStatus"]!
    }
  },
  6: ({ m_carTelemetryData }, car) => {
    const said = (m_carTelemetryData as ReadonlyArray<Numbers>)[car]!
    return {
      clutch: share(said["m_clutch"]!),
      drs_open: said["m_drs"]!,
      engine_speed_fraction: share(said["m_revLightsPercent"]!),
      engine_temperature: said["m_engineTemperature"]!,
      ...wheels("tyre_temperature", said["m_tyresInnerTemperature"]),
      ...wheels("tyre_surface_temperature", said["m_tyresSurfaceTemperature"]),
      ...wheels("tyre_pressure", said["m_tyresPressure"], (psi) => Math.fround(psi * 6.894757)),
      ...wheels("brake_temperature", said["m_brakesTemperature"])
    }
  },
  7: ({ m_carStatusData }, car) => {
    const said = (m_carStatusData as ReadonlyArray<Numbers>)[car]!
    return {
      tc_level: said["m_tractionControl"]!,
      abs_level: said["m_antiLockBrakes"]!,
      engine_map: said["m_fuelMix"]!,
      brake_bias: share(said["m_frontBrakeBias"]!),
      pit_limiter: said["m_pitLimiterStatus"]!,
      drs_allowed: said["m_drsAllowed"]!,
      engine_power: kilo(said["m_enginePowerICE"]!),
      fuel_mass: said["m_fuelInTank"]!,
      ers_store: kilo(said["m_ersStoreEnergy"]!),
      ers_deployed: kilo(said["m_ersDeployedThisLap"]!),
      ers_harvested: kilo(said["m_ersHarvestedThisLapMGUK"]! + said["m_ersHarvestedThisLapMGUH"]!),
      ers_power: kilo(said["m_enginePowerMGUK"]!),
      ers_fraction: Math.fround(said["m_ersStoreEnergy"]! / 4e6),
      ers_mode: said["m_ersDeployMode"]!,
      tyre_compound: said["m_actualTyreCompound"]!,
      tyre_age: said["m_tyresAgeLaps"]!
    }
  },
  10: ({ m_carDamageData }, car) => {
    const said = (m_carDamageData as ReadonlyArray<Numbers>)[car]!
    const most = (...names: ReadonlyArray<string>) => share(Math.max(...names.map((name) => said[name]!)))
    return {
      ...wheels("tyre_wear", said["m_tyresWear"], (percent) => Math.fround(percent / 100)),
      ...wheels("tyre_damage", said["m_tyresDamage"], share),
      ...wheels("brake_damage", said["m_brakesDamage"], share),
      damage_front: most("m_frontLeftWingDamage", "m_frontRightWingDamage"),
      damage_rear: most("m_rearWingDamage"),
      damage_aero: most("m_floorDamage", "m_diffuserDamage", "m_sidepodDamage"),
      damage_gearbox: most("m_gearBoxDamage"),
      engine_damage: most("m_engineDamage"),
      f1_ice_wear: most("m_engineICEWear")
    }
  },
  13: (said) => {
    const number = (name: string) => said[name] as number
    return {
      yaw_rate: Math.fround(turned(number("m_angularVelocityY"))),
      pitch_rate: Math.fround(turned(number("m_angularVelocityX"))),
      roll_rate: Math.fround(-turned(number("m_angularVelocityZ"))),
      velocity_forward: number("m_localVelocityZ"),
      velocity_right: -number("m_localVelocityX"),
      velocity_up: number("m_localVelocityY"),
      ...wheels("wheel_speed", said["m_wheelSpeed"], (speed) => Math.fround(speed * 3.6)),
      ...wheels("slip_ratio", said["m_wheelSlipRatio"]),
      ...wheels("slip_angle", said["m_wheelSlipAngle"], (angle) => Math.fround(turned(angle))),
      ...wheels("wheel_load", said["m_wheelVertForce"]),
      ...wheels("suspension_travel", said["m_suspensionPosition"]),
      ...wheels("suspension_velocity", said["m_suspensionVelocity"])
    }
  }
}

/** Packets that tell channels, as clients read them, by id. */
export const channelPackets: ReadonlyArray<number> = Object.keys(channels).map(Number)

/** Our channels of one car in a packet, as computed from what a client reads. */
export const reportedBy = (read: Read, bytes: Buffer, car: number): Numbers =>
  channels[bytes[6]!]!(read(bytes), car)
