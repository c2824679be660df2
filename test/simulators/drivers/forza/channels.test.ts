/**
 * Every channel of Data Out, by a second reading of the sheet (addendum-forza-channel-map.md): its offsets, units and signs are
 * written here and not taken from the driver. The packets are the golden ones, with a different number in every field.
 */
import { describe, expect, it } from "vitest"
import { ForzaInterpreter } from "../../../../src/simulators/drivers/forza/ForzaInterpreter.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"
import { bytesOf, goldenVectors, haveGolden, interpret } from "../interpreting.ts"
import { lastSamples } from "../samples.ts"

const TURN = 57.2957795130823

/** By the length of a packet: how much further its fields of Dash are, which the sheet counts from 232 on. */
const dashFrom: Readonly<Record<number, number>> = { 311: 0, 324: 12, 331: 0 }

const wheels = ["fl", "fr", "rl", "rr"]

const rate = (n: number) => Math.sin(n) * 7

/** Numbers that differ from field to field, and that each field may have. */
const filled = (golden: Buffer): Buffer => {
  const bytes = Buffer.from(golden)
  const dash = dashFrom[bytes.length]!
  for (let at = 8; at < 212; at += 4) if (at < 116 || at >= 132) bytes.writeFloatLE(rate(at), at)
  for (const [n, at] of [116, 120, 124, 128].entries()) bytes.writeInt32LE(n % 2, at)
  for (const [n, at] of [132, 136, 140, 144].entries()) bytes.writeFloatLE([-0.5, 0.25, 1, 3][n]!, at)
  for (let at = 232; at < 284; at += 4) bytes.writeFloatLE(100 + rate(at), at + dash)
  if (bytes.length === 331)
    for (let at = 311; at < 327; at += 4) bytes.writeFloatLE(Math.abs(rate(at)) / 7, at)
  return bytes
}

/** 0 stands for nothing. */
const some = (value: number) => (value > 0 ? value : Number.NaN)

/** The channels by the sheet; absent is NaN. */
const expected = (bytes: Buffer): Readonly<Record<string, number>> => {
  const dash = dashFrom[bytes.length]!
  const float = (at: number) => bytes.readFloatLE(at >= 232 ? at + dash : at)
  const byte = (at: number) => bytes[at + dash]!
  const ofWheels = (channel: string, at: number, convert = (value: number) => value) =>
    wheels.map((wheel, n) => [`${channel}_${wheel}`, convert(float(at + 4 * n))])
  const yaw = (float(56) * TURN) % 360
  return {
    g_lateral: float(20) / 9.80665,
    g_vertical: float(24) / 9.80665,
    g_longitudinal: float(28) / 9.80665,
    velocity_right: float(32),
    velocity_up: float(36),
    velocity_forward: float(40),
    pitch_rate: -float(44) * TURN,
    yaw_rate: float(48) * TURN,
    roll_rate: -float(52) * TURN,
    yaw: yaw < 0 ? yaw + 360 : yaw,
    pitch: -float(60) * TURN,
    roll: -float(64) * TURN,
    rpm_max: float(8),
    rpm_idle: float(12),
    engine_power: float(248) / 1000,
    engine_torque: float(252),
    boost: float(272) * 6.894757,
    fuel_fraction: float(276),
    distance: float(280),
    best_lap_time: some(float(284)),
    last_lap_time: some(float(288)),
    lap_time_so_far: some(float(292)),
    session_time: float(296),
    laps_completed: bytes.readUInt16LE(300 + dash),
    current_lap: bytes.readUInt16LE(300 + dash) + 1,
    race_position: some(byte(302)),
    clutch: byte(305) / 255,
    handbrake: byte(306) / 255,
    // Joined midway: where the lap began is not known.
    lap_distance: Number.NaN,
    ...Object.fromEntries([
      ...ofWheels("suspension_fraction", 68),
      ...ofWheels("forza_slip_ratio", 84),
      ...ofWheels("wheel_rotation", 100),
      ...wheels.map((wheel, n) => [`on_kerb_${wheel}`, bytes.readInt32LE(116 + 4 * n)]),
      ...ofWheels("puddle_depth", 132, (depth) => Math.min(1, Math.max(0, depth))),
      ...ofWheels("forza_slip_angle", 164),
      ...ofWheels("forza_combined_slip", 180),
      ...ofWheels("suspension_travel", 196, (metres) => metres * 1000),
      ...ofWheels("tyre_temperature", 256, (fahrenheit) => ((fahrenheit - 32) * 5) / 9),
      ...(bytes.length === 331 ? ofWheels("tyre_wear", 311) : [])
    ])
  }
}

describe("channels of Data Out", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("forza.json").filter(({ name }) => name !== "sled") : []

  it.each(vectors)("$name: each has the value of the bytes by the sheet", (vector) => {
    for (const bytes of [bytesOf(vector), filled(bytesOf(vector))]) {
      const reported = lastSamples(interpret(new ForzaInterpreter(), [bytes]))
      const wanted = expected(bytes)
      expect(Object.keys(reported).toSorted()).toEqual(Object.keys(wanted).toSorted())
      const wrong = Object.entries(wanted).filter(
        ([name, value]) =>
          // As a float of 32 bits, which the values were.
          !(
            Math.abs(reported[name]! - value) <= 1e-6 * Math.max(1, Math.abs(value)) ||
            (Number.isNaN(value) && Number.isNaN(reported[name]))
          )
      )
      expect(wrong.map(([name, value]) => [name, reported[name], value])).toEqual([])
    }
  })
})
