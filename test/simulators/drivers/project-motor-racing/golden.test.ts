/**
 * Bytes of Project Motor Racing's packets that none of our code made, and all values that the driver reads from them. There are
 * no real packets; this script (Python 3), a second reading of the sheet, wrote these:
 *
 * # project-motor-racing.md, sections 2 to 4. Little endian, nothing between fields.
 * import struct
 * def f(*v): return struct.pack("<%df" % len(v), *v)
 * def i(*v): return struct.pack("<%di" % len(v), *v)
 * def u8(*v): return bytes(v)
 * def text(t): return bytes([len(t.encode())]) + t.encode()
 * def many(*v): return bytes([len(v)]) + f(*v)
 * def race(v):
 *     p = struct.pack("<BH", 0, v)
 *     for t in ("Brands Hatch", "Indy", "Frühling", "light rain", "Practice", "Single Race"): p += text(t)
 *     p += f(1944.5, 30.0, 2.5, 17.25, 21.75)
 *     if v > 1: p += f(125.5, 0.75)
 *     p += u8(0)
 *     if v > 1: p += u8(1)
 *     return p + u8(1, 24)
 * def state(v):
 *     p = struct.pack("<BH", 1, v) + i(41) + u8(1)
 *     for t in ("Mazda MX-5", "Zoë Ånd", "livery_07", "MX-5 Cup"): p += text(t)
 *     p += i(5, 3) + f(33.25, 51.5)
 *     if v > 1: p += f(52.125)
 *     p += f(0.625) + i(1) + many(20.5, 12.75, 0.0) + many(20.25, 15.5, 15.75)
 *     if v > 1: p += many(20.75, 15.625, 15.75) + text("Soft") + text("Hard")
 *     p += u8(0)
 *     if v > 1: p += u8(1, 1)
 *     p += u8(0, 0) + struct.pack("<I", 2)
 *     return p + (f(0.125, 0.25, 0.375) if v > 1 else b"")
 * def telemetry():
 *     p = struct.pack("<BHiB", 2, 2, 41, 4)
 *     for n in range(4):  # FL FR RL RR: 31 values of 4 bytes
 *         p += i(102893 + n) + f(*(k + n / 8 for k in range(1, 12))) + f(0.3125 + n)
 *         p += f(175.5 + n, 0.0625 * n, -0.125 * n, 0.03125 * n, 71.0 + n, 81.0 + n, 91.0 + n)
 *         p += f(75.0 + n, 65.0 + n, 55.0 + n, 45.0 + n, 355.0 + n, 0.5 + n, 0.25 - n, 1.5, 2.5, 33.5 + n, 4.5)
 *     p += f(101.5, 12.25, -303.75) + f(0.125, 0.25, 0.5, 0.75) + f(1, 2, 3) + f(4.25, 5.25, 6.25)
 *     p += f(30.5, -0.25, 18.5) + f(0.75, -0.5, 35.5) + f(7, 8, 9) + f(10.25, 11.25, 12.25)
 *     p += f(35.75, 35.25, 0.0625) + f(6543.5, 0.875, 210.5, 140.25, 0.5625, 90000.0, 55.5, 31.25, 0.03125, 450.5)
 *     p += f(101.25, 92.5, 655.5, 1200.5, 3.5, 0.5, 6000.5, 5900.5, 2100.5, 333.5, 144.5, 0.25, 0.375, 1.75, 36.5, 222.5, 133.5, 0.9375)
 *     p += u8(0, 1, 1, 0, 1, 1, 0, 6)
 *     for g in range(6): p += f(7000 + g, 4000 + g)
 *     p += many(0.25, 0.5, 0.75) + f(0.125)
 *     p += f(-0.375, 0.8125, 0.0625, 0.1875, 0.3125) + i(4) + f(0.5625, 3, 4, 5, 6) + u8(2, 3) + f(0.1, 0.2, 0.3)
 *     p += f(-67.5, 1056.5, 11, 12, 13, 14, 1500.5) + u8(1) + f(-1, -2, -3, 1, 2, 3) + f(850, 4500, 6800, 7200.5)
 *     p += f(215, 150, 60, 45.5, 77) + f(1.5, 1.25, 2.25) + u8(4, 6, 1, 0)
 *     return p
 * for p in (race(1), race(2), state(1), state(2), telemetry()): print(len(p), p.hex())
 *
 * Over 250 lines: most are these bytes and their values.
 */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import {
  placesIn,
  raceInfo,
  state,
  telemetry
} from "../../../../src/simulators/drivers/project-motor-racing/layout.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { eventsOf, pointAt, recorded } from "../suite/events.ts"
import { lastSamples } from "../samples.ts"

const hex = {
  race1:
    "0001000c4272616e647320486174636804496e6479094672c3bc686c696e670a6c69676874207261696e0850726163" +
    "746963650b53696e676c6520526163650010f3440000f0410000204000008a410000ae41000118",
  race2:
    "0002000c4272616e647320486174636804496e6479094672c3bc686c696e670a6c69676874207261696e0850726163" +
    "746963650b53696e676c6520526163650010f3440000f0410000204000008a410000ae410000fb420000403f000101" +
    "18",
  state1:
    "01010029000000010a4d617a6461204d582d35095a6fc3ab20c3856e64096c69766572795f3037084d582d35204375" +
    "7005000000030000000000054200004e420000203f01000000030000a44100004c4100000000030000a24100007841" +
    "00007c4100000002000000",
  state2:
    "01020029000000010a4d617a6461204d582d35095a6fc3ab20c3856e64096c69766572795f3037084d582d35204375" +
    "7005000000030000000000054200004e42008050420000203f01000000030000a44100004c4100000000030000a241" +
    "0000784100007c41030000a64100007a4100007c4104536f667404486172640001010000020000000000003e000080" +
    "3e0000c03e",
  telemetry:
    "0202002900000004ed9101000000803f0000004000004040000080400000a0400000c0400000e04000000041000010" +
    "4100002041000030410000a03e00802f4300000000000000800000000000008e420000a2420000b642000096420000" +
    "824200005c42000034420080b1430000003f0000803e0000c03f000020400000064200009040ee9101000000903f00" +
    "00084000004840000084400000a4400000c4400000e440000002410000124100002241000032410000a83f00803043" +
    "0000803d000000be0000003d000090420000a4420000b842000098420000844200006042000038420000b2430000c0" +
    "3f000040bf0000c03f0000204000000a4200009040ef9101000000a03f0000104000005040000088400000a8400000" +
    "c8400000e8400000044100001441000024410000344100001440008031430000003e000080be0000803d0000924200" +
    "00a6420000ba4200009a42000086420000644200003c420080b243000020400000e0bf0000c03f0000204000000e42" +
    "00009040f09101000000b03f000018400000584000008c400000ac400000cc400000ec400000064100001641000026" +
    "410000364100005440008032430000403e0000c0be0000c03d000094420000a8420000bc4200009c42000088420000" +
    "6842000040420000b34300006040000030c00000c03f0000204000001242000090400000cb420000444100e097c300" +
    "00003e0000803e0000003f0000403f0000803f0000004000004040000088400000a8400000c8400000f441000080be" +
    "000094410000403f000000bf00000e420000e040000000410000104100002441000034410000444100000f4200000d" +
    "420000803d007ccc450000603f0080524300400c430000103f00c8af4700005e420000fa410000003d0040e1430080" +
    "ca420000b94200e0234400109644000060400000003f0084bb450064b8450048034500c0a643008010430000803e00" +
    "00c03e0000e03f0000124200805e43008005430000703f000101000101000600c0da4500007a4500c8da4500107a45" +
    "00d0da4500207a4500d8da4500307a4500e0da4500407a4500e8da4500507a45030000803e0000003f0000403f0000" +
    "003e0000c0be0000503f0000803d0000403e0000a03e040000000000103f00004040000080400000a0400000c04002" +
    "03cdcccc3dcdcc4c3e9a99993e000087c200108444000030410000404100005041000060410090bb4401000080bf00" +
    "0000c0000040c00000803f00000040000040400080544400a08c450080d4450004e145000057430000164300007042" +
    "0000364200009a420000c03f0000a03f0000104004060100"
}

const golden = (name: keyof typeof hex) => Buffer.from(hex[name], "hex")

const near = (value: number): unknown => expect.closeTo(value, 3)
const wheels = (name: string, of: (n: number) => number) =>
  Object.fromEntries(["fl", "fr", "rl", "rr"].map((wheel, n) => [`${name}_${wheel}`, near(of(n))]))

const eventsOfDatagrams = (...datagrams: ReadonlyArray<Buffer>) =>
  interpret(protocol.interpreter(linkOptions()), datagrams)

const withPressure = (value: number) => {
  const bytes = golden("telemetry")
  bytes.writeFloatLE(value, 8 + 52)
  return lastSamples(eventsOfDatagrams(golden("race2"), golden("state2"), bytes))["tyre_pressure_fl"]
}

describe("golden bytes", () => {
  it("are recognised, whole and with more at the end, and not cut short", () => {
    for (const name of Object.keys(hex) as Array<keyof typeof hex>) {
      const bytes = golden(name)
      expect(protocol.recognises(bytes)).toBe(true)
      expect(protocol.recognises(Buffer.concat([bytes, Buffer.alloc(8)]))).toBe(true)
      for (let length = 0; length < bytes.length; length++) {
        expect(protocol.recognises(bytes.subarray(0, length))).toBe(false)
      }
    }
    expect(protocol.recognises(Buffer.from([3]))).toBe(true)
    expect(protocol.recognises(Buffer.from([3, 0]))).toBe(false)
    expect(protocol.recognises(Buffer.from([4]))).toBe(false)
  })

  it("of race info have all values of both versions", () => {
    const first = {
      type: 0,
      version: 1,
      track: "Brands Hatch",
      layout: "Indy",
      season: "Frühling",
      weather: "light rain",
      session: "Practice",
      gameMode: "Single Race",
      layoutLength: 1944.5,
      duration: 30,
      overtime: 2.5,
      ambientTemperature: 17.25,
      trackTemperature: 21.75,
      isLaps: 0,
      state: 1,
      numParticipants: 24
    }
    const second = { ...first, version: 2, sessionTimeElapsed: 125.5, trackGrip: 0.75, sessionIsLaps: 1 }
    expect(raceInfo.read(golden("race1"))).toEqual(first)
    expect(raceInfo.read(golden("race2"))).toEqual(second)
    expect(raceInfo.encode(first)).toEqual(golden("race1"))
    expect(raceInfo.encode(second)).toEqual(golden("race2"))
  })

  it("of a participant's state have all values of both versions", () => {
    const first = {
      type: 1,
      version: 1,
      vehicleId: 41,
      isPlayer: 1,
      vehicleName: "Mazda MX-5",
      driverName: "Zoë Ånd",
      liveryId: "livery_07",
      vehicleClass: "MX-5 Cup",
      racePosition: 5,
      currentLap: 3,
      currentLapTime: 33.25,
      bestLapTime: 51.5,
      lapProgress: 0.625,
      currentSector: 1,
      currentSectorTimes: [20.5, 12.75, 0],
      bestSectorTimes: [20.25, 15.5, 15.75],
      inPits: 0,
      sessionFinished: 0,
      disqualified: 0,
      flags: 2
    }
    const second = {
      ...first,
      version: 2,
      lastLapTime: 52.125,
      lastSectorTimes: [20.75, 15.625, 15.75],
      tyreCompoundFront: "Soft",
      tyreCompoundRear: "Hard",
      inPitLane: 1,
      lapValid: 1,
      aeroDamage: 0.125,
      suspensionDamage: 0.25,
      engineDamage: 0.375
    }
    expect(state.read(golden("state1"))).toEqual(first)
    expect(state.read(golden("state2"))).toEqual(second)
    expect(state.encode(first)).toEqual(golden("state1"))
    expect(state.encode(second)).toEqual(golden("state2"))
  })

  it("of telemetry have the offsets that the sheet gives for six gears and three loads", () => {
    expect(golden("telemetry").length).toBe(964)
    expect(placesIn(golden("telemetry"))).toEqual({ wheels: 8, body: 504, inputs: 801 })
    expect(telemetry.encode(telemetry.read(golden("telemetry"))!)).toEqual(golden("telemetry"))
  })

  it("become a point of a session with names", () => {
    const events = eventsOfDatagrams(golden("race2"), golden("state2"), golden("telemetry"))
    expect(eventsOf(events, "SessionStarted")).toMatchObject([
      {
        circuit: "Brands Hatch Indy",
        vehicle: "Mazda MX-5",
        driver: "Zoë Ånd",
        circuitLength: 1944.5,
        tellsLaps: true,
        numbersLaps: true
      }
    ])
    const [session] = recorded(events)
    expect(pointAt(session!.batch, 0)).toEqual({
      timestamp: near(100 + 2 / 60),
      speed: near(35.75 * 3.6),
      rpm: 6543.5,
      gear: 4,
      throttle: 0.8125,
      brake: 0.0625,
      steering: -0.375,
      position_x: 101.5,
      position_y: 303.75,
      position_z: 12.25
    })
    expect([session!.lapNumber, session!.lapDistance]).toEqual([[3], [0.625 * 1944.5]])
  })

  it("have all channels of the sheet, those without a sign or unit as sent", () => {
    expect(lastSamples(eventsOfDatagrams(golden("race2"), golden("state2"), golden("telemetry")))).toEqual({
      velocity_x: 30.5,
      velocity_y: -18.5,
      velocity_z: -0.25,
      velocity_forward: 35.25,
      clutch: 0.1875,
      handbrake: 0.3125,
      brake_bias: 0.5625,
      steering_angle: -67.5,
      abs_level: 2,
      tc_level: 3,
      abs_active: 1,
      tc_active: 1,
      pit_limiter: 0,
      engine_power: 140.25,
      engine_torque: 210.5,
      water_temperature: 92.5,
      oil_temperature: 101.25,
      oil_pressure: 450.5,
      engine_speed_fraction: 0.875,
      fuel: 31.25,
      ...wheels("tyre_temperature", (n) => 75 + n),
      ...wheels("tyre_middle_temperature", (n) => 81 + n),
      ...wheels("tyre_rim_temperature", (n) => 45 + n),
      ...wheels("tyre_air_temperature", (n) => 65 + n),
      ...wheels("tyre_pressure", (n) => 175.5 + n),
      ...wheels("wheel_speed", (n) => (2 + n / 8) * 3.6),
      ...wheels("wheel_rotation", (n) => 1 + n / 8),
      ...wheels("slip_ratio", (n) => -0.125 * n),
      ...wheels("brake_temperature", (n) => 355 + n),
      ...wheels("camber", (n) => 0.0625 * n * (180 / Math.PI)),
      current_lap: 3,
      lap_distance: 0.625 * 1944.5,
      lap_fraction: 0.625,
      lap_time_so_far: 33.25,
      sector: 2,
      race_position: 5,
      in_pit: 0,
      lap_invalid: 0,
      last_lap_time: 52.125,
      best_lap_time: 51.5,
      session_time: 125.5,
      air_temperature: 17.25,
      track_temperature: 21.75,
      damage_aero: 0.125,
      engine_damage: 0.375,
      rpm_max: 7200.5,
      rpm_idle: 850,
      gears: 6,
      fuel_capacity: 45.5,
      pmr_local_velocity_x: 0.75,
      pmr_local_acceleration_x: 10.25,
      pmr_local_acceleration_y: 11.25,
      pmr_local_acceleration_z: 12.25,
      pmr_local_angular_velocity_x: 4.25,
      pmr_local_angular_velocity_y: 5.25,
      pmr_local_angular_velocity_z: 6.25,
      pmr_sideslip: 0.0625,
      pmr_orientation_x: 0.125,
      pmr_orientation_y: 0.25,
      pmr_orientation_z: 0.5,
      pmr_orientation_w: 0.75,
      pmr_engine_load: 0.5625,
      pmr_turbo_speed: 90_000,
      pmr_boost: 55.5,
      pmr_fuel_use_rate: 0.03125,
      pmr_exhaust_temperature: 655.5,
      pmr_motor_speed: 1200.5,
      pmr_battery_remaining: 3.5,
      pmr_battery_use_rate: 0.5,
      pmr_gearbox_torque: 333.5,
      pmr_rev_limiter: 0,
      pmr_total_mass: 1056.5,
      pmr_total_brake_force: 1500.5,
      pmr_front_anti_roll_bar: 3,
      pmr_rear_anti_roll_bar: 4,
      ...wheels("pmr_slip_angle", (n) => 0.03125 * n * (180 / Math.PI)),
      ...wheels("pmr_damper_velocity", (n) => 250 - 1000 * n),
      ...wheels("pmr_spring_strain", (n) => 0.5 + n),
      ...wheels("pmr_force_x", (n) => 6 + n / 8),
      ...wheels("pmr_force_y", (n) => 7 + n / 8),
      ...wheels("pmr_force_z", (n) => 8 + n / 8),
      ...wheels("pmr_slide_x", (n) => 3 + n / 8),
      ...wheels("pmr_slide_z", (n) => 5 + n / 8),
      ...wheels("pmr_wheel_torque", (n) => 33.5 + n),
      ...wheels("pmr_material", (n) => 102_893 + n),
      pmr_suspension_damage: 0.25,
      pmr_track_grip: 0.75
    })
  })

  it("of version 1 leave the values absent that it does not report", () => {
    const samples = lastSamples(eventsOfDatagrams(golden("race1"), golden("state1"), golden("telemetry")))
    const absent = Object.keys(samples).filter((name) => Number.isNaN(samples[name]))
    expect(absent).toEqual([
      "lap_invalid",
      "last_lap_time",
      "session_time",
      "damage_aero",
      "engine_damage",
      "pmr_suspension_damage",
      "pmr_track_grip"
    ])
  })

  it("are read with any number of gears, loads and wheels", () => {
    const bytes = golden("telemetry")
    const [head, rest] = [bytes.subarray(0, 504), bytes.subarray(504)]
    // A fifth wheel, which shifts the fields after it.
    const five = Buffer.concat([head, Buffer.alloc(124), rest])
    five[7] = 5
    expect(placesIn(five)).toEqual({ wheels: 8, body: 628, inputs: 925 })
    // One gear and no load: five pairs and three loads less.
    const fewer = Buffer.concat([bytes.subarray(0, 744), Buffer.from([0]), bytes.subarray(797)])
    fewer[735] = 1
    expect(placesIn(fewer)).toEqual({ wheels: 8, body: 504, inputs: 749 })
    for (const one of [five, fewer]) {
      const { batch } = recorded(eventsOfDatagrams(golden("race2"), golden("state2"), one))[0]!
      expect(pointAt(batch, 0)).toMatchObject({ gear: 4, rpm: 6543.5, steering: -0.375 })
    }
    const three = Buffer.from(bytes)
    three[7] = 3
    expect(placesIn(three)).toBeUndefined()
  })

  it("have the tyres' pressure in kPa or Pa, and none in another unit", () => {
    expect([180, 180_000].map(withPressure)).toEqual([180, near(180)])
    for (const odd of [2.5, 26, 500, 26_000, 500_000]) expect(withPressure(odd)).toBeNaN()
  })
})
