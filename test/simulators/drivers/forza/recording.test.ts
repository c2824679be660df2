/**
 * Values of Forza Motorsport 7 itself: a lap of Laguna Seca, which austinbaccus/forza-telemetry has as a table that its own
 * program (C#) wrote. The circuit is driven counter-clockwise and climbs after the line to a bend to the left; it has 3602 m, as the
 * distance grows from line to line. All that moves then has the signs that this driver gives it.
 */
import { describe, expect, it } from "vitest"
import { packets } from "../../../../src/simulators/drivers/forza/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { column, eventsOf, recorded, signedArea } from "../suite/events.ts"
import { channelsIn } from "../suite/channels.ts"

const eventsOfRows = (rows: ReadonlyArray<FieldValues>) =>
  interpret(
    protocol.interpreter(linkOptions()),
    rows.map((row) => packets.motorsport7.bytes({ isRaceOn: 1, carOrdinal: 29, ...row })),
    0.11
  )

describe("a bend to the left, uphill", () => {
  /** X, Y, Z, yaw, pitch, angular velocity about y, acceleration to x, suspension left and right, steering, time of the race. */
  const rows = [
    [-361.07, 2.119, 267.62, -2.5501, -0.0575, -0.2293, -5.739, 0.4692, 0.5206, -65, 37.0613],
    [-364.3, 2.484, 262.64, -2.588, -0.0665, -0.4289, -15.222, 0.4367, 0.6085, -83, 37.168],
    [-382.91, 5.696, 229.37, -2.6875, -0.093, -0.2784, -10.879, 0.3774, 0.5434, -34, 37.8213],
    [-385.78, 6.32, 223.4, -2.7146, -0.0979, -0.2234, -16.11, 0.3907, 0.5801, -33, 37.928]
  ] as const
  const events = eventsOfRows(
    rows.map(
      ([positionX, positionY, positionZ, yaw, pitch, turn, side, left, right, steer, raceTime], n) => ({
        timestampMS: 105_982_937 + 109 * n,
        positionX,
        positionY,
        positionZ,
        yaw,
        pitch,
        angularVelocityY: turn,
        accelerationX: side,
        normalizedSuspensionTravel0: left,
        normalizedSuspensionTravel1: right,
        steer,
        speed: 56,
        currentRaceTime: raceTime,
        currentLap: raceTime - 36.417
      })
    )
  )
  const reported = channelsIn(events)
  const last = (name: string) => reported.get(name)!.values.at(-1)!
  const [x, y, z] = [column(events, "position_x"), column(events, "position_y"), column(events, "position_z")]

  it("bends to the left on the map, which is not mirrored", () => {
    expect(signedArea([x[0]!, x[1]!, x[2]!, x[3]!], [y[0]!, y[1]!, y[2]!, y[3]!])).toBeGreaterThan(0)
    expect(z[3]).toBeGreaterThan(z[0]!)
  })

  it("has its signs in the channels", () => {
    for (const value of column(events, "steering")) expect(value).toBeLessThan(-0.2)
    expect(last("g_lateral")).toBeCloseTo(-1.64, 2)
    expect(last("yaw_rate")).toBeCloseTo(-12.8, 1)
    const climb = (Math.atan2(z[3]! - z[2]!, Math.hypot(x[3]! - x[2]!, y[3]! - y[2]!)) * 180) / Math.PI
    expect(Math.abs(last("pitch") - climb)).toBeLessThan(0.5)
    const heading = (Math.atan2(x[3]! - x[2]!, y[3]! - y[2]!) * 180) / Math.PI + 360
    expect(Math.abs(last("yaw") - heading)).toBeLessThan(2)
    expect(last("suspension_fraction_fr")).toBeGreaterThan(last("suspension_fraction_fl"))
  })
})

const row = (currentRaceTime: number, more: FieldValues) => ({
  timestampMS: 105_925_704 + currentRaceTime * 1000,
  currentRaceTime,
  speed: 48,
  ...more
})
const way = (from: number, seconds: number) =>
  Array.from({ length: Math.floor(seconds * 10) }, (_, n) => from + n / 10)
const lapOf = (before: (race: number) => FieldValues) => [
  ...way(0.1, 36.2).map((race) => row(race, before(race))),
  ...way(36.5, 75).map((race) =>
    row(race, { currentLap: race - 36.41719, distanceTraveled: (race - 36.41719) * 47.86 })
  ),
  row(111.62585, { currentLap: 75.208664, distanceTraveled: 3598.3586 }),
  row(111.73251, {
    lapNumber: 1,
    lastLap: 75.25621,
    bestLap: 75.25621,
    currentLap: 0.05912349,
    distanceTraveled: 3606.4995
  }),
  row(111.85251, {
    lapNumber: 1,
    lastLap: 75.25621,
    bestLap: 75.25621,
    currentLap: 0.1791232,
    distanceTraveled: 3615.8071
  })
]

/** The clock of the race ran for 36.417 s before the line of the first lap, which is lap 0; the distance is counted from that line. */
describe("a lap", () => {
  it.each([
    [
      "with the lap's clock at 0 before the line",
      (race: number) => ({ distanceTraveled: (race - 36.4) * 40 })
    ],
    [
      "with the lap's clock running before it",
      (race: number) => ({ currentLap: race, distanceTraveled: race * 40 })
    ]
  ])("is from line to line, %s", (_, before) => {
    const events = eventsOfRows(lapOf(before))
    expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
    const { laps, reported } = recorded(events)[0]!
    expect(reported.map(({ lapTime }) => lapTime)).toEqual([expect.closeTo(75.256, 3)])
    const [lap] = laps
    expect(lap).toMatchObject({ lapNumber: 1, lapTime: expect.closeTo(75.256, 3), valid: true })
    expect(lap!.endTime - lap!.startTime).toBeCloseTo(75.256, 2)
    const distances = channelsIn(events).get("lap_distance")!.values
    expect(distances.at(-3)).toBeCloseTo(3598.36, 1)
  })
})
