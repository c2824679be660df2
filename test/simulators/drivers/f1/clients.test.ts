/**
 * Two clients that others wrote read from the emulator's bytes what was driven, field by field. Each knows the formats of its
 * time: racehub's up to 2023, z0mt3c's up to 2024, and the parts of 2025 that did not change.
 */
import { describe, expect, it } from "vitest"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import type { F1Format } from "../../../../src/simulators/drivers/f1/layout.ts"
import { Frames } from "../../../../simulator/emulators/frames.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { framesOptions, scene } from "../emulating.ts"
import { channelPackets, clientOf, type Fields, reportedBy } from "./foreign.ts"

const PLAYER = 19
/** Another car, and how many frames it is behind the player. */
const RIVAL = 16
const BEHIND = 8 * (PLAYER - RIVAL)
const float = Math.fround
const ms = (seconds: number) => Math.round(seconds * 1000)
const cut = (seconds: number) => Math.floor(seconds * 1000 + 1e-6)

const motionOf = ({ x, y, z }: Frame): Fields => ({
  m_worldPositionX: float(x),
  m_worldPositionY: float(z),
  m_worldPositionZ: float(-y)
})

const lapOf = (frame: Frame, position: number): Fields => {
  const { finished, lap, lapDistance, lapTime, lastLap, sector } = frame
  const shown: DrivenLap = finished ? lastLap! : lap
  const passed = finished ? 2 : sector
  return {
    m_lastLapTimeInMS: lastLap === undefined ? 0 : ms(lastLap.lapTime),
    m_currentLapTimeInMS: cut(lapTime) + (finished ? ms(shown.lapTime) : 0),
    m_sector1TimeInMS: passed >= 1 ? cut(shown.sectors[0]) : 0,
    m_sector2TimeInMS: passed >= 2 ? cut(shown.sectors[1]) : 0,
    m_lapDistance: float(lapDistance),
    m_totalDistance: float((lap.lapNumber - 1) * scene.circuit.length + lapDistance),
    m_carPosition: position,
    m_currentLapNum: shown.lapNumber,
    m_sector: passed,
    m_currentLapInvalid: shown.valid || passed === 0 ? 0 : 1,
    m_gridPosition: position,
    m_driverStatus: 4,
    m_resultStatus: finished ? 3 : 2
  }
}

const telemetryOf = ({ brake, gear, rpm, speed, steering, throttle }: Frame): Fields => ({
  m_speed: Math.round(speed),
  m_throttle: float(throttle),
  m_steer: float(steering),
  m_brake: float(brake),
  m_clutch: 0,
  m_gear: gear,
  m_engineRPM: Math.round(rpm),
  m_drs: throttle === 1 && speed > 240 ? 1 : 0
})

const statusOf = ({ lap }: Frame): Fields => ({
  m_maxRPM: scene.vehicle.shiftUp,
  m_idleRPM: scene.vehicle.idle,
  m_maxGears: scene.vehicle.ratios.length + 1,
  m_visualTyreCompound: 17,
  m_tyresAgeLaps: lap.lapNumber - 1
})

const pastLap = (lap: DrivenLap): Fields => ({
  m_lapTimeInMS: ms(lap.lapTime),
  m_sector1TimeInMS: cut(lap.sectors[0]),
  m_sector2TimeInMS: cut(lap.sectors[1]),
  m_lapValidBitFlags: lap.valid ? 15 : 0
})

/** The driven cars, and the content of the empty slots. */
const carsIn = (all: unknown) => {
  const cars = all as ReadonlyArray<Fields>
  return { cars, empty: cars.slice(PLAYER + 1), all: cars.length }
}

interface Sent {
  readonly bytes: Buffer
  readonly frame: Frame
  /** Of the rival. */
  readonly earlier: Frame
  readonly laps: ReadonlyArray<DrivenLap>
}

/** Two laps, and some frames of them: clients are slow. */
const sentIn = (format: F1Format): ReadonlyArray<Sent> => {
  const source = new Frames(framesOptions({ laps: 2, rate: 20, seed: 2 }))
  const emulator = new F1Emulator(scene, format)
  const frames: Array<Frame> = []
  const laps: Array<DrivenLap> = []
  const sent: Array<Sent> = []
  for (let n = 0; frames.at(-1)?.finished !== true; n++) {
    const frame = source.next()
    frames.push(frame)
    if (frame.lapEnded) laps.push(frame.lastLap!)
    const earlier = frames[Math.max(0, n - BEHIND)]!
    const isLooked = n % 61 === 0 || frame.lapEnded
    emulator.frame(frame, (bytes) => {
      const isRare = [1, 4].includes(bytes[6]!) && n < 200
      const isHistory = bytes[6] === 11 && bytes[29] === PLAYER && n % 80 < 20
      if (isLooked || isRare || isHistory) {
        sent.push({ bytes: Buffer.from(bytes), frame, earlier, laps: [...laps] })
      }
    })
  }
  return sent
}

const expectHeader = (read: Fields, format: number, { bytes, frame }: Sent) =>
  expect(read).toMatchObject({
    m_packetFormat: format,
    m_gameYear: format % 100,
    m_packetVersion: 1,
    m_packetId: bytes[6],
    m_sessionTime: float(frame.sessionTime),
    m_frameIdentifier: Math.round(frame.sessionTime * 60),
    m_overallFrameIdentifier: Math.round(frame.sessionTime * 60),
    m_playerCarIndex: PLAYER,
    m_secondaryPlayerCarIndex: 255
  })

/** By packet. */
const checks: Readonly<Record<number, (read: Fields, sent: Sent, format: F1Format) => void>> = {
  0: ({ m_carMotionData }, { earlier, frame }) => {
    const { all, cars, empty } = carsIn(m_carMotionData)
    expect(all).toBe(22)
    expect(cars[PLAYER]).toMatchObject(motionOf(frame))
    expect(cars[RIVAL]).toMatchObject(motionOf(earlier))
    for (const car of empty) expect(Object.values(car).every((value) => value === 0)).toBe(true)
  },
  1: (read, _, format) =>
    expect(read).toMatchObject({
      m_trackLength: Math.round(scene.circuit.length),
      m_trackId: 26,
      m_sessionType: format === 2023 ? 10 : 15,
      m_totalLaps: 50,
      m_pitSpeedLimit: 80,
      m_gamePaused: 0,
      m_isSpectating: 0,
      m_spectatorCarIndex: 255
    }),
  2: ({ m_lapData, m_timeTrialPBCarIdx }, { earlier, frame }) => {
    const { all, cars } = carsIn(m_lapData)
    expect(all).toBe(22)
    expect(m_timeTrialPBCarIdx).toBe(255)
    expect(cars[PLAYER]).toMatchObject(lapOf(frame, 1))
    expect(cars[RIVAL]).toMatchObject(lapOf(earlier, 1 + PLAYER - RIVAL))
  },
  3: ({ m_eventStringCode }) => expect(["SSTA", "BUTN", "SEND"]).toContain(m_eventStringCode),
  4: ({ m_numActiveCars, m_participants }) => {
    const { cars } = carsIn(m_participants)
    expect(m_numActiveCars).toBe(20)
    expect(cars[PLAYER]).toMatchObject({
      m_aiControlled: 0,
      m_driverId: 255,
      m_teamId: 8,
      m_myTeam: 0,
      m_name: scene.driver,
      m_yourTelemetry: 1,
      m_showOnlineNames: 1
    })
    expect(cars[1]).toMatchObject({ m_aiControlled: 1, m_driverId: 1, m_teamId: 1, m_name: "BJÖRNSDÓTTIR" })
  },
  6: ({ m_carTelemetryData, m_mfdPanelIndex, m_suggestedGear }, { earlier, frame }) => {
    const { cars } = carsIn(m_carTelemetryData)
    expect([m_mfdPanelIndex, m_suggestedGear]).toEqual([255, 0])
    expect(cars[PLAYER]).toMatchObject(telemetryOf(frame))
    expect(cars[RIVAL]).toMatchObject(telemetryOf(earlier))
  },
  7: ({ m_carStatusData }, { frame }) =>
    expect(carsIn(m_carStatusData).cars[PLAYER]).toMatchObject(statusOf(frame)),
  // The values are compared below.
  10: ({ m_carDamageData }) => expect(carsIn(m_carDamageData).all).toBe(22),
  13: (read) => expect(read["m_wheelSpeed"]).toHaveLength(4),
  11: (read, { frame, laps }) => {
    expect(read["m_carIdx"]).toBeLessThanOrEqual(PLAYER)
    const reported = read["m_lapHistoryData"] as ReadonlyArray<Fields>
    expect(reported).toHaveLength(100)
    expect(read["m_numLaps"]).toBe(laps.length + (frame.finished ? 0 : 1))
    laps.forEach((lap, n) => expect(reported[n]).toMatchObject(pastLap(lap)))
    for (const { m_lapTimeInMS } of reported.slice(laps.length)) expect(m_lapTimeInMS).toBe(0)
  }
}

/** Percent, degrees and bytes are whole; angles are those of directions. */
const off = (channel: string) =>
  channel.includes("temperature") || channel.startsWith("brake_bias") ? 0.51 : channel === "yaw" ? 0.02 : 1e-3
const scale = (value: number) => Math.max(1, Math.abs(value))

/** Compares the channels that a client reads with the car's, to the digits that the packet has. */
const expectChannels = (reported: Readonly<Record<string, number>>, { frame }: Sent) => {
  for (const [channel, value] of Object.entries(reported)) {
    if (notOfTheModel.has(channel) || channel.startsWith("f1_")) continue
    const driven = frame.carValue(modelOf.get(channel) ?? channel)
    if (Number.isNaN(driven) || (channel === "yaw" && Math.abs(driven - value) > 359)) continue
    expect([channel, Math.abs(value - driven) / scale(driven) <= off(channel)]).toEqual([channel, true])
  }
}
/** Channels that the emulator makes up, or that a frame tells. */
const notOfTheModel = new Set(
  [
    "lap_time_so_far last_lap_time sector1_time sector2_time gap_ahead gap_to_leader lap_distance race_position current_lap",
    "pit_status pit_stops sector lap_invalid clutch drs_open engine_speed_fraction tc_level abs_level engine_map brake_bias",
    "pit_limiter drs_allowed ers_store ers_deployed ers_harvested ers_power ers_fraction ers_mode tyre_compound pit_speed_limit",
    "tyre_damage_fl tyre_damage_fr tyre_damage_rl tyre_damage_rr brake_damage_fl brake_damage_fr brake_damage_rl brake_damage_rr",
    "damage_front damage_rear damage_aero damage_gearbox engine_damage"
  ].flatMap((names) => names.split(" "))
)
const modelOf = new Map([["engine_temperature", "water_temperature"]])

const known: ReadonlyArray<readonly [client: string, format: F1Format, unreadable: ReadonlyArray<number>]> = [
  ["@racehub-io/f1-telemetry-client", 2023, []],
  ["@z0mt3c/f1-telemetry-client", 2023, []],
  ["@z0mt3c/f1-telemetry-client", 2024, []],
  // Names became shorter, and tyres got blisters, which it does not know.
  ["@z0mt3c/f1-telemetry-client", 2025, [4, 10]]
]

describe("clients that others wrote", () => {
  it.each(known)("%s reads format %i", (client, format, unreadable) => {
    const read = clientOf(client)
    const seen = new Map<number, number>()
    for (const sent of sentIn(format)) {
      const id = sent.bytes[6]!
      if (unreadable.includes(id)) continue
      const fields = read(sent.bytes)
      expectHeader(fields["m_header"] as Fields, format, sent)
      checks[id]!(fields, sent, format)
      if (channelPackets.includes(id))
        expectChannels(
          reportedBy(() => fields, sent.bytes, PLAYER),
          sent
        )
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    const ids = [0, 1, 2, 3, 4, 6, 7, 10, 11, 13].filter((id) => !unreadable.includes(id))
    expect([...seen.keys()].sort((a, b) => a - b)).toEqual(ids)
    expect(seen.get(2)).toBeGreaterThan(25)
  })
})
