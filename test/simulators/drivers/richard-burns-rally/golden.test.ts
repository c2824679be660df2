/**
 * Bytes of Richard Burns Rally's packet that none of our code made, and all values that the driver reads from them. There are no
 * real packets; this script (Python 3), a second reading of the sheet, wrote these:
 *
 * # richard-burns-rally.md, section 2: offset, type, value. Little endian, nothing between fields.
 * import struct
 * p = bytearray(664)
 * def put(at, form, *values): struct.pack_into("<" + form, p, at, *values)
 * put(0, "I", 5050)
 * put(4, "i", 71)
 * put(8, "4f", 0.0234, 12.5, 402.25, 2261.75)
 * put(24, "5f", 0.375, 0.75, 0.125, 0.0625, 1.0)
 * put(44, "i", 3)
 * put(48, "2f", 17.5, 18.5)
 * put(56, "i", 5)
 * put(60, "f", 86.4)
 * put(64, "3f", 101.5, -202.25, 33.75)
 * put(76, "3f", 0.8, -0.3, 91.5)
 * put(88, "6f", 24.0, -0.5, 0.25, 0.0625, -0.125, 0.375)
 * put(112, "6f", 1.5, -2.5, 9.75, 0.5, 0.25, -0.75)
 * put(136, "4f", 5123.5, 355.15, 361.15, 368.15)
 * for n, at in enumerate((152, 280, 408, 536)):  # left front, right front, left back, right back
 *     put(at, "5f", 0.195 + n / 100, 110 + n, 2536.5 + n, 310.5 + n, -2539.5 - n)
 *     put(at + 20, "i", n % 2)
 *     put(at + 24, "2f", n / 8, 0.5 + n)
 *     put(at + 32, "3f", 473.15 + n, 423.15 + n, 2.0 + n)
 *     put(at + 44, "4f", 220000 + 1000 * n, 331.15 + n, 335.15 + n, 328.15 + n)
 *     put(at + 60, "I", n)
 *     for s in range(8): put(at + 64 + 8 * s, "2f", 320.15 + n + s, (n + s) / 64)
 * print(p.hex())
 */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import { packet } from "../../../../src/simulators/drivers/richard-burns-rally/layout.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { eventsOf, pointAt, recorded } from "../suite/events.ts"
import { lastSamples } from "../samples.ts"

const golden = Buffer.from(
  "ba130000470000005bb1bf3c000048410020c943005c0d450000c03e0000403f0000003e0000803d0000803f03000000" +
    "00008c410000944105000000cdccac420000cb4200404ac300000742cdcc4c3f9a9999be0000b7420000c041000000bf" +
    "0000803e0000803d000000be0000c03e0000c03f000020c000001c410000003f0000803e000040bf001ca0453393b143" +
    "3393b4433313b84314ae473e0000dc4200881e4500409b4300b81ec500000000000000000000003f3393ec433393d343" +
    "0000004000d856483393a5433393a7433313a443000000003313a043000000003393a0430000803c3313a1430000003d" +
    "3393a1430000403d3313a2430000803d3393a2430000a03d3313a3430000c03d3393a3430000e03d85eb513e0000de42" +
    "00981e4500c09b4300c81ec5010000000000003e0000c03f3313ed433313d4430000404000d257483313a6433313a843" +
    "3393a443010000003393a0430000803c3313a1430000003d3393a1430000403d3313a2430000803d3393a2430000a03d" +
    "3313a3430000c03d3393a3430000e03d3313a4430000003ef6285c3e0000e04200a81e4500409c4300d81ec500000000" +
    "0000803e000020403393ed433393d4430000804000cc58483393a6433393a8433313a543020000003313a1430000003d" +
    "3393a1430000403d3313a2430000803d3393a2430000a03d3313a3430000c03d3393a3430000e03d3313a4430000003e" +
    "3393a4430000103e6666663e0000e24200b81e4500c09c4300e81ec5010000000000c03e000060403313ee433313d543" +
    "0000a04000c659483313a7433313a9433393a543030000003393a1430000403d3313a2430000803d3393a2430000a03d" +
    "3313a3430000c03d3393a3430000e03d3313a4430000003e3393a4430000103e3313a5430000203e",
  "hex"
)

/** A tolerance for floats that are converted by factors and offsets that are no powers of two. */
const near = (value: number): unknown => expect.closeTo(value, 3)
const wheels = (name: string, of: (n: number) => number) =>
  Object.fromEntries(["fl", "fr", "rl", "rr"].map((wheel, n) => [`${name}_${wheel}`, near(of(n))]))

const eventsOfPackets = (...datagrams: ReadonlyArray<Buffer>) =>
  interpret(protocol.interpreter(linkOptions()), datagrams)

describe("golden bytes", () => {
  it("are as long as the packet, and recognised", () => {
    expect(packet.size).toBe(664)
    expect(protocol.recognises(golden)).toBe(true)
  })

  it("become a point", () => {
    const events = eventsOfPackets(golden)
    expect(eventsOf(events, "SessionStarted")).toMatchObject([
      { circuit: "RBR stage 71", vehicle: "RBR car 5", driver: "", tellsLaps: true, numbersLaps: true }
    ])
    const { batch } = recorded(events)[0]!
    expect(pointAt(batch, 0)).toEqual({
      timestamp: 100,
      // By the velocity, before the unit of the speed is known: 24, -0.5 and 0.25 m/s.
      speed: near(3.6 * 24.006_51),
      rpm: 5123.5,
      // 0 is reverse.
      gear: 2,
      throttle: 0.75,
      brake: 0.125,
      steering: 0.375,
      position_x: 101.5,
      position_y: -202.25,
      position_z: 33.75
    })
  })

  it("become all channels of the sheet, those without a sign, unit or scale as sent", () => {
    const { distance, lap_distance, ...samples } = lastSamples(eventsOfPackets(golden))
    // No packet shows where the run began.
    expect([distance, lap_distance]).toEqual([Number.NaN, Number.NaN])
    expect(samples).toEqual({
      clutch: 1,
      handbrake: 0.0625,
      water_temperature: near(88),
      engine_temperature: near(95),
      ...wheels("tyre_temperature", (n) => 62 + n),
      ...wheels("tyre_tread_temperature", (n) => 55 + n),
      ...wheels("tyre_pressure", (n) => 220 + n),
      ...wheels("brake_temperature", (n) => 150 + n),
      ...wheels("suspension_load", (n) => 2536.5 + n),
      lap_time_so_far: 12.5,
      ...wheels("damage_suspension", (n) => n / 8),
      rbr_radiator_temperature: near(82),
      rbr_brake_pressure: 17.5,
      rbr_handbrake_pressure: 18.5,
      rbr_roll: near(0.8),
      rbr_pitch: near(-0.3),
      rbr_yaw: 91.5,
      rbr_surge: 24,
      rbr_sway: -0.5,
      rbr_heave: 0.25,
      rbr_roll_rate: 0.0625,
      rbr_pitch_rate: -0.125,
      rbr_yaw_rate: 0.375,
      rbr_surge_acceleration: 1.5,
      rbr_sway_acceleration: -2.5,
      rbr_heave_acceleration: 9.75,
      rbr_drive_line_location: 402.25,
      rbr_distance_to_end: 2261.75,
      ...wheels("rbr_spring_deflection", (n) => 195 + 10 * n),
      ...wheels("rbr_damper_velocity", (n) => 500 + 1000 * n),
      ...wheels("rbr_rollbar_force", (n) => 110 + n),
      ...wheels("rbr_damper_force", (n) => 310.5 + n),
      ...wheels("rbr_strut_force", (n) => -2539.5 - n),
      ...wheels("rbr_helper_spring", (n) => n % 2),
      ...wheels("rbr_tyre_overall_temperature", (n) => 58 + n),
      ...wheels("rbr_brake_layer_temperature", (n) => 200 + n),
      ...wheels("rbr_brake_wear", (n) => 2 + n),
      // Of eight segments, from n to n + 7 parts of 64.
      ...wheels("rbr_tyre_wear", (n) => (n + 3.5) / 64)
    })
  })
})

/** The golden packet with this value at this offset of the sheet. */
const withFloat = (at: number, value: number) => {
  const bytes = Buffer.from(golden)
  bytes.writeFloatLE(value, at)
  return bytes
}

it("leaves values absent that are no share of 0 to 1, and temperatures that are not reported", () => {
  const samples = lastSamples(eventsOfPackets(withFloat(176, 12)))
  expect(samples["damage_suspension_fl"]).toBeNaN()
  expect(samples["damage_suspension_fr"]).toBe(0.125)
  expect(lastSamples(eventsOfPackets(withFloat(144, 0)))["water_temperature"]).toBeNaN()
})

it("recognises its packet by length and by plausible values of a car", () => {
  for (const length of [0, 264, 663, 665]) {
    const bytes = Buffer.alloc(length)
    golden.copy(bytes)
    expect(protocol.recognises(bytes)).toBe(false)
  }
  const gear = Buffer.from(golden)
  gear.writeInt32LE(8, 44)
  // The steering, a pressure, a temperature of a brake and of a tyre, and a time that is none.
  const others = [withFloat(24, 1.2), withFloat(196, 7e5), withFloat(188, 1600), withFloat(204, 100)]
  for (const bytes of [gear, ...others, withFloat(12, Number.NaN)]) {
    expect(protocol.recognises(bytes)).toBe(false)
  }
  expect(protocol.recognises(withFloat(204, 0))).toBe(true)
})
