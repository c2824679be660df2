/**
 * Two independent clients read from the emulator's bytes all that was driven, field by field. Each knows the formats of its
 * time: racehub's up to 2023, z0mt3c's up to 2024, and the parts of 2025 that did not change.
 */
import { describe, expect, it } from "vitest"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import type { F1Format } from "../../../../src/simulators/drivers/f1/layout.ts"
import { Frames } from "../../../../simulator/emulators/frames.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { framesOptions, RATE, scene } from "../emulating.ts"
import { driven, wrongRows } from "../suite/channels.ts"
import type { Expected } from "../suite/kind.ts"
import { expected } from "./game.ts"
import { channelPackets, clientOf, type Fields, reportedBy } from "./foreign.ts"

const PLAYER = 19
/** Another car, and how many frames it is behind the player. */
const RIVAL = 16
const BEHIND = 8 * (PLAYER - RIVAL)
const float = Math.fround
const ms = (seconds: number) => Math.round(seconds * 1000)
const cut = (seconds: number) => Math.floor(seconds * 1000 + 1e-6)

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
  /** The values of the rival, once it has set off. */
  readonly earlier: Frame | undefined
  readonly laps: ReadonlyArray<DrivenLap>
}

/** Two laps, and some frames of them: clients are slow. */
const sentIn = (format: F1Format) => {
  const source = new Frames(framesOptions({ laps: 2 }))
  const emulator = new F1Emulator(scene, format)
  const frames: Array<Frame> = []
  const laps: Array<DrivenLap> = []
  const sent: Array<Sent> = []
  for (let n = 0; frames.at(-1)?.finished !== true; n++) {
    const frame = source.next()
    frames.push(frame)
    if (frame.lapEnded) laps.push(frame.lastLap!)
    const earlier = frames[n - BEHIND]
    const isLooked = n % 61 === 0 || frame.lapEnded
    emulator.frame(frame, (bytes) => {
      const isRare = [1, 4].includes(bytes[6]!) && n < 200
      const isHistory = bytes[6] === 11 && bytes[29] === PLAYER && n % 80 < 20
      if (isLooked || isRare || isHistory) {
        sent.push({ bytes: Buffer.from(bytes), frame, earlier, laps: [...laps] })
      }
    })
  }
  return { frames, sent }
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

/** The fields that are no channels, by packet. */
const checks: Readonly<Record<number, (read: Fields, sent: Sent, format: F1Format) => void>> = {
  0: ({ m_carMotionData }) => {
    const { all, empty } = carsIn(m_carMotionData)
    expect(all).toBe(22)
    for (const car of empty) expect(Object.values(car).every((value) => value === 0)).toBe(true)
  },
  1: (read, _, format) =>
    expect(read).toMatchObject({
      m_trackLength: Math.round(scene.circuit.length),
      m_trackId: 26,
      m_sessionType: format === 2023 ? 10 : 15,
      m_totalLaps: 50,
      m_gamePaused: 0,
      m_isSpectating: 0,
      m_spectatorCarIndex: 255
    }),
  2: ({ m_lapData, m_timeTrialPBCarIdx }, { frame }) => {
    const { all, cars } = carsIn(m_lapData)
    expect(all).toBe(22)
    expect(m_timeTrialPBCarIdx).toBe(255)
    expect(cars[PLAYER]).toMatchObject({ m_gridPosition: 1, m_resultStatus: frame.finished ? 3 : 2 })
    expect(cars[RIVAL]).toMatchObject({ m_gridPosition: 1 + PLAYER - RIVAL })
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
  6: ({ m_mfdPanelIndex, m_suggestedGear }) => expect([m_mfdPanelIndex, m_suggestedGear]).toEqual([255, 0]),
  7: ({ m_carStatusData }) =>
    expect(carsIn(m_carStatusData).cars[PLAYER]).toMatchObject({
      m_maxRPM: scene.vehicle.shiftUp,
      m_idleRPM: scene.vehicle.idle,
      m_maxGears: scene.vehicle.ratios.length + 1,
      m_visualTyreCompound: 17
    }),
  11: (read, { frame, laps }) => {
    expect(read["m_carIdx"]).toBeLessThanOrEqual(PLAYER)
    const reported = read["m_lapHistoryData"] as ReadonlyArray<Fields>
    expect(reported).toHaveLength(100)
    expect(read["m_numLaps"]).toBe(laps.length + (frame.finished ? 0 : 1))
    laps.forEach((lap, n) => expect(reported[n]).toMatchObject(pastLap(lap)))
    for (const { m_lapTimeInMS } of reported.slice(laps.length)) expect(m_lapTimeInMS).toBe(0)
  }
}

/** A point's channels of a car, by packet. */
const points: Readonly<Record<number, (read: Fields, car: number) => Readonly<Record<string, number>>>> = {
  0: ({ m_carMotionData }, car) => {
    const { m_worldPositionX, m_worldPositionY, m_worldPositionZ } = carsIn(m_carMotionData).cars[car]!
    return {
      position_x: Number(m_worldPositionX),
      position_y: -Number(m_worldPositionZ),
      position_z: Number(m_worldPositionY)
    }
  },
  6: ({ m_carTelemetryData }, car) => {
    const { m_brake, m_engineRPM, m_gear, m_speed, m_steer, m_throttle } =
      carsIn(m_carTelemetryData).cars[car]!
    const values = { speed: m_speed, rpm: m_engineRPM, gear: m_gear, throttle: m_throttle, brake: m_brake }
    return Object.fromEntries(
      Object.entries({ ...values, steering: m_steer }).map(([name, value]) => [name, Number(value)])
    )
  }
}

/** The channels of a car as a client reads them, at the times of its frames. */
class Readings {
  readonly columns = new Map<string, { readonly times: Array<number>; readonly values: Array<number> }>()

  read(fields: Fields, bytes: Buffer, car: number, { sessionTime }: Frame): void {
    const channels = { ...reportedBy(() => fields, bytes, car), ...points[bytes[6]!]?.(fields, car) }
    for (const [name, value] of Object.entries(channels)) {
      const { times, values } = this.columns.get(name) ?? { times: [], values: [] }
      times.push(sessionTime)
      values.push(value)
      this.columns.set(name, { times, values })
    }
  }
}

/** The rival's values in the game: the same as the player's, some frames later. */
const rivals: Expected = {
  ...expected,
  values: {
    ...expected.values,
    race_position: () => 1 + PLAYER - RIVAL,
    gap_ahead: () => BEHIND / (PLAYER - RIVAL) / RATE,
    gap_to_leader: () => BEHIND / RATE
  }
}

const known: ReadonlyArray<readonly [client: string, format: F1Format, unreadable: ReadonlyArray<number>]> = [
  ["@racehub-io/f1-telemetry-client", 2023, []],
  ["@z0mt3c/f1-telemetry-client", 2023, []],
  ["@z0mt3c/f1-telemetry-client", 2024, []],
  // Names became shorter, and tyres got blisters, which it does not know.
  ["@z0mt3c/f1-telemetry-client", 2025, [4, 10]]
]

describe("independent clients", () => {
  it.each(known)("%s reads format %i", (client, format, unreadable) => {
    const read = clientOf(client)
    const seen = new Map<number, number>()
    const [player, rival] = [new Readings(), new Readings()]
    const { frames, sent } = sentIn(format)
    for (const one of sent) {
      const id = one.bytes[6]!
      if (unreadable.includes(id)) continue
      const fields = read(one.bytes)
      expectHeader(fields["m_header"] as Fields, format, one)
      checks[id]?.(fields, one, format)
      if (channelPackets.includes(id)) player.read(fields, one.bytes, PLAYER, one.frame)
      if ([0, 2, 6].includes(id) && one.earlier !== undefined)
        rival.read(fields, one.bytes, RIVAL, one.earlier)
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    expect(wrongRows(player.columns, frames, RATE, expected, driven)).toEqual([])
    expect(wrongRows(rival.columns, frames, RATE, rivals, driven)).toEqual([])
    const ids = [0, 1, 2, 3, 4, 6, 7, 10, 11, 13].filter((id) => !unreadable.includes(id))
    expect([...seen.keys()].sort((a, b) => a - b)).toEqual(ids)
    expect(seen.get(2)).toBeGreaterThan(25)
  })
})
