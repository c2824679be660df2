/** F1 packets as independent programs read them, and our channels computed from their fields, not by our tables. */
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
const wheels = (channel: string, values: unknown, convert = (value: number) => value): Numbers => {
  const [rl, rr, fl, fr] = values as Wheels
  return Object.fromEntries(
    Object.entries({ fl, fr, rl, rr }).map(([wheel, value]) => [`${channel}_${wheel}`, convert(value)])
  )
}
const turned = (radians: number) => -radians * (180 / Math.PI)
const share = (percent: number) => percent / 100
const kilo = (value: number) => Math.fround(value / 1000)
const time = (ms: number) => (ms > 0 ? ms / 1000 : Number.NaN)

/** The channels of a car, by the packet's id. Absent is NaN. */
const channels: Readonly<Record<number, (fields: Fields, car: number) => Numbers>> = {
  0: ({ m_carMotionData }, car) => {
    const fields = (m_carMotionData as ReadonlyArray<Numbers>)[car]!
    return {
      g_lateral: -fields["m_gForceLateral"]!,
      g_longitudinal: fields["m_gForceLongitudinal"]!,
      g_vertical: fields["m_gForceVertical"]!,
      velocity_x: fields["m_worldVelocityX"]!,
      velocity_y: -fields["m_worldVelocityZ"]!,
      velocity_z: fields["m_worldVelocityY"]!,
      // The game's own angles. Our driver computes them from the directions, which are rounded to 16 bits.
      yaw: (180 - (fields["m_yaw"]! * 180) / Math.PI + 360) % 360,
      pitch: (-fields["m_pitch"]! * 180) / Math.PI,
      roll: (fields["m_roll"]! * 180) / Math.PI
    }
  },
  1: (fields) => ({
    air_temperature: fields["m_airTemperature"] as number,
    track_temperature: fields["m_trackTemperature"] as number,
    pit_speed_limit: fields["m_pitSpeedLimit"] as number,
    f1_weather: fields["m_weather"] as number
  }),
  2: ({ m_lapData }, car) => {
    const fields = (m_lapData as ReadonlyArray<Numbers>)[car]!
    // One client takes the minutes out if there are any, having added them.
    return {
      lap_time_so_far: fields["m_currentLapTimeInMS"]! / 1000,
      last_lap_time: time(fields["m_lastLapTimeInMS"]!),
      sector1_time: time(fields["m_sector1TimeInMS"]! + 60_000 * (fields["m_sector1TimeMinutes"] ?? 0)),
      sector2_time: time(fields["m_sector2TimeInMS"]! + 60_000 * (fields["m_sector2TimeMinutes"] ?? 0)),
      gap_ahead: time(
        fields["m_deltaToCarInFrontInMS"]! + 60_000 * (fields["m_deltaToCarInFrontMinutes"] ?? 0)
      ),
      gap_to_leader:
        (fields["m_deltaToRaceLeaderInMS"]! + 60_000 * (fields["m_deltaToRaceLeaderMinutes"] ?? 0)) / 1000,
      lap_distance: fields["m_lapDistance"]! < 0 ? Number.NaN : fields["m_lapDistance"]!,
      distance: fields["m_totalDistance"]!,
      race_position: fields["m_carPosition"]! || Number.NaN,
      current_lap: fields["m_currentLapNum"]!,
      pit_status: fields["m_pitStatus"]!,
      in_pit: fields["m_pitStatus"]! > 0 ? 1 : 0,
      pit_stops: fields["m_numPitStops"]!,
      sector: fields["m_sector"]! + 1,
      lap_invalid: fields["m_currentLapInvalid"]!,
      f1_penalties: fields["m_penalties"]!,
      f1_warnings: fields["m_totalWarnings"]!,
      f1_driver_status: fields["m_driverStatus"]!
    }
  },
  6: ({ m_carTelemetryData }, car) => {
    const fields = (m_carTelemetryData as ReadonlyArray<Numbers>)[car]!
    return {
      clutch: share(fields["m_clutch"]!),
      drs_open: fields["m_drs"]!,
      engine_speed_fraction: share(fields["m_revLightsPercent"]!),
      engine_temperature: fields["m_engineTemperature"]!,
      ...wheels("tyre_temperature", fields["m_tyresInnerTemperature"]),
      ...wheels("tyre_surface_temperature", fields["m_tyresSurfaceTemperature"]),
      ...wheels("tyre_pressure", fields["m_tyresPressure"], (psi) => Math.fround(psi * 6.894757)),
      ...wheels("brake_temperature", fields["m_brakesTemperature"])
    }
  },
  7: ({ m_carStatusData }, car) => {
    const fields = (m_carStatusData as ReadonlyArray<Numbers>)[car]!
    return {
      tc_level: fields["m_tractionControl"]!,
      abs_level: fields["m_antiLockBrakes"]!,
      engine_map: fields["m_fuelMix"]!,
      brake_bias: share(fields["m_frontBrakeBias"]!),
      pit_limiter: fields["m_pitLimiterStatus"]!,
      drs_allowed: fields["m_drsAllowed"]!,
      engine_power: kilo(fields["m_enginePowerICE"]!),
      fuel_mass: fields["m_fuelInTank"]!,
      ers_store: kilo(fields["m_ersStoreEnergy"]!),
      ers_deployed: kilo(fields["m_ersDeployedThisLap"]!),
      ers_harvested: kilo(fields["m_ersHarvestedThisLapMGUK"]! + fields["m_ersHarvestedThisLapMGUH"]!),
      ers_power: kilo(fields["m_enginePowerMGUK"]!),
      ers_fraction: Math.fround(fields["m_ersStoreEnergy"]! / 4e6),
      ers_mode: fields["m_ersDeployMode"]!,
      tyre_compound: fields["m_actualTyreCompound"]!,
      tyre_age: fields["m_tyresAgeLaps"]!
    }
  },
  10: ({ m_carDamageData }, car) => {
    const fields = (m_carDamageData as ReadonlyArray<Numbers>)[car]!
    const most = (...names: ReadonlyArray<string>) => share(Math.max(...names.map((name) => fields[name]!)))
    return {
      ...wheels("tyre_wear", fields["m_tyresWear"], (percent) => Math.fround(percent / 100)),
      ...wheels("tyre_damage", fields["m_tyresDamage"], share),
      ...wheels("brake_damage", fields["m_brakesDamage"], share),
      damage_front: most("m_frontLeftWingDamage", "m_frontRightWingDamage"),
      damage_rear: most("m_rearWingDamage"),
      damage_aero: most("m_floorDamage", "m_diffuserDamage", "m_sidepodDamage"),
      damage_gearbox: most("m_gearBoxDamage"),
      engine_damage: most("m_engineDamage"),
      f1_ice_wear: most("m_engineICEWear")
    }
  },
  13: (fields) => {
    const number = (name: string) => fields[name] as number
    return {
      yaw_rate: Math.fround(turned(number("m_angularVelocityY"))),
      pitch_rate: Math.fround(turned(number("m_angularVelocityX"))),
      roll_rate: Math.fround(-turned(number("m_angularVelocityZ"))),
      velocity_forward: number("m_localVelocityZ"),
      velocity_right: -number("m_localVelocityX"),
      velocity_up: number("m_localVelocityY"),
      ...wheels("wheel_speed", fields["m_wheelSpeed"], (speed) => Math.fround(speed * 3.6)),
      ...wheels("slip_ratio", fields["m_wheelSlipRatio"]),
      ...wheels("slip_angle", fields["m_wheelSlipAngle"], (angle) => Math.fround(turned(angle))),
      ...wheels("wheel_load", fields["m_wheelVertForce"]),
      ...wheels("suspension_travel", fields["m_suspensionPosition"]),
      ...wheels("suspension_velocity", fields["m_suspensionVelocity"])
    }
  }
}

/** Packets with channels, as clients read them, by id. */
export const channelPackets: ReadonlyArray<number> = Object.keys(channels).map(Number)

/** Our channels of one car in a packet, computed from a client's values. */
export const reportedBy = (read: Read, bytes: Buffer, car: number): Numbers =>
  channels[bytes[6]!]!(read(bytes), car)
