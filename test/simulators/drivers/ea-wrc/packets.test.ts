/** EA SPORTS WRC: the structure that users copy, and single cases of its packets and stages. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/ea-wrc/EaWrcDriver.ts"
import { least, packets } from "../../../../src/simulators/drivers/ea-wrc/layout.ts"
import { root } from "../../../support/processes.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { recorded } from "../suite/events.ts"
import { countsIn, eventsAfter, lapsIn, type Part } from "../stages.ts"
import { lastSamples } from "../samples.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())
const whole = packets.get(271)!
type Name = keyof (typeof whole)["read"]

/** Types of the sheet's part B; all others are f32. */
const typeOf = (name: string): "u64" | "f64" | "u16" | "u8" | "f32" => {
  if (name === "packet_uid" || name === "game_frame_count") return "u64"
  if (name === "stage_current_distance" || name === "stage_length") return "f64"
  if (name.endsWith("_id")) return "u16"
  const isByte = /^vehicle_(gear|tyre_state)_|^(shiftlights_rpm_valid|stage_shakedown|vehicle_cluster_abs)$/
  return isByte.test(name) || name === "game_mode" || name === "stage_result_status" ? "u8" : "f32"
}
const bytesOf = { u64: 8, f64: 8, u16: 2, u8: 1, f32: 4 }

const file = JSON.parse(
  readFileSync(join(root, "docs/simulators/ea-wrc/telemetry-service.json"), "utf8")
) as {
  readonly header: { readonly channels: ReadonlyArray<string> }
  readonly packets: ReadonlyArray<{ readonly id: string; readonly channels: ReadonlyArray<string> }>
}
const names = [...file.header.channels, ...file.packets[0]!.channels]

/** A packet as the game makes it from the file: channel after channel. */
const packet = (values: Partial<Record<Name, number>>, length = 271): Buffer => {
  const bytes = Buffer.alloc(271)
  const all: Record<string, number | undefined> = {
    packet_uid: 12_345_678_901,
    vehicle_gear_index_reverse: 10,
    stage_length: 10_000,
    ...values
  }
  let at = 0
  for (const name of names) {
    const value = all[name] ?? 0
    const type = typeOf(name)
    if (type === "u64") bytes.writeBigUInt64LE(BigInt(value), at)
    else if (type === "f64") bytes.writeDoubleLE(value, at)
    else if (type === "u16") bytes.writeUInt16LE(value, at)
    else if (type === "u8") bytes.writeUInt8(value, at)
    else bytes.writeFloatLE(value, at)
    at += bytesOf[type]
  }
  return bytes.subarray(0, length)
}

/** The packets of a run of 200 s over 10 km, ten a second. */
const run = (from: number, to: number, more: Partial<Record<Name, number>> = {}, began = 0, length = 271) =>
  Array.from({ length: Math.round((to - from) * 10) + 1 }, (_, i) => {
    const time = from + i / 10
    const where = {
      game_total_time: began + time,
      stage_current_time: time,
      stage_current_distance: time * 50
    }
    return packet({ ...where, ...more }, length)
  })

const eventsOfPackets = (packets: ReadonlyArray<Buffer>) => interpret(newInterpreter(), packets, 0.1)
const lapsOf = (packets: ReadonlyArray<Buffer>) => lapsIn(eventsOfPackets(packets))

const after = (...parts: ReadonlyArray<Part>) => eventsAfter(newInterpreter(), parts, 0.1)
const lapsAfter = (...parts: ReadonlyArray<Part>) => lapsIn(after(...parts))

const sectorsOf = (packets: ReadonlyArray<Buffer>) =>
  recorded(eventsOfPackets(packets))[0]!.laps.map((lap) => [
    [lap.sector1Time, lap.sector2Time, lap.sector3Time],
    lap.sectorSource
  ])

/** The distance of the lap, and the total one, that the driver has at this distance of the stage. */
const ways = (distance: number) => {
  const samples = lastSamples(eventsOfPackets(run(0, 0.5, { stage_current_distance: distance })))
  return [samples["lap_distance"], samples["distance"]]
}

describe("the structure that users copy", () => {
  it("has each channel where the driver reads it", () => {
    const at: Record<string, number> = {}
    let length = 0
    for (const name of names) {
      at[name] = length
      length += bytesOf[typeOf(name)]
    }
    expect(length).toBe(271)
    expect(at["vehicle_id"]).toBe(least.size)
    const ends = [...Object.values(at).filter((begin) => begin >= least.size), length]
    expect([...packets.keys()]).toEqual(ends)
    expect(whole.fields.map(([name]) => name)).toEqual(names)
    for (const [i, name] of (Object.keys(whole.read) as Array<Name>).entries()) {
      expect([name, whole.read[name](packet({ [name]: i + 1 }))]).toEqual([name, i + 1])
    }
  })

  /**
   * The game's default structure `wrc` and its example `custom1`, by seven programs of different authors that agree on 237 bytes: oversteer and
   * py-eawrc-sdk (Python), WRC-Telemetry (Java, WrcCustom1Data), tm-bt-led (JavaScript) and three more in Rust and TypeScript, from the
   * game's own readme/udp/wrc.json and readme/channels.json. The offsets are WRC-Telemetry's.
   */
  it("has custom1 where other programs have the game's default structure", () => {
    const offsets = {
      game_total_time: 8,
      vehicle_gear_index: 37,
      vehicle_gear_index_reverse: 39,
      vehicle_speed: 41,
      vehicle_position_x: 49,
      vehicle_engine_rpm_current: 193,
      vehicle_throttle: 197,
      vehicle_brake: 201,
      vehicle_steering: 209,
      stage_current_time: 217,
      stage_current_distance: 221,
      stage_length: 229
    } as const
    const at = (name: keyof typeof offsets) => {
      const bytes = Buffer.alloc(271)
      return Array.from({ length: 237 }, (_, n) => n).find((n) => {
        bytes.fill(0)
        bytes[n] = 1
        return least.read[name](bytes) !== 0
      })
    }
    for (const name of Object.keys(offsets) as Array<keyof typeof offsets>)
      expect([name, at(name)]).toEqual([name, offsets[name]])
    expect(least.size).toBe(237)
  })

  it("is recognised by its lengths and by plausible values", () => {
    const whole = packet({})
    for (const length of [237, 247, 266, 271])
      expect(protocol.recognises(whole.subarray(0, length))).toBe(true)
    for (const length of [0, 236, 238, 264, 272]) {
      expect(protocol.recognises(Buffer.concat([whole, whole]).subarray(0, length))).toBe(false)
    }
    expect(protocol.recognises(Buffer.alloc(237, 0xff))).toBe(false)
    expect(protocol.recognises(packet({ vehicle_gear_index: 40 }))).toBe(false)
    // Oversteer (Python) knows the codes in capitals, in either byte order.
    for (const code of ["sesu", "SESU", "USES"])
      expect(protocol.hint?.(Buffer.from(`${code} and more`))).toContain("telemetry-service.json")
    expect(protocol.hint?.(Buffer.from("other"))).toBeUndefined()
  })
})

describe("channels", () => {
  it("are of the car's axes: left, up and forward as the game has them", () => {
    // Level, its nose to the east: our x is the game's left axis in the world, turned.
    const directions = {
      vehicle_left_direction_z: -1,
      vehicle_forward_direction_x: 1,
      vehicle_up_direction_y: 1,
      vehicle_acceleration_x: 9.80665,
      vehicle_acceleration_z: 4.903325,
      vehicle_velocity_x: 20,
      vehicle_velocity_z: -2
    }
    const samples = lastSamples(eventsOfPackets(run(0, 0.5, directions)))
    expect(samples).toMatchObject({
      yaw: 90,
      pitch: 0,
      roll: 0,
      g_longitudinal: expect.closeTo(1, 6),
      g_lateral: expect.closeTo(0.5, 6),
      velocity_x: 20,
      velocity_y: 2,
      velocity_forward: 20,
      velocity_right: -2
    })
  })

  it("have a distance from the line on, and none before it", () => {
    expect([ways(-0.5), ways(0), ways(12.5)]).toEqual([
      [Number.NaN, Number.NaN],
      [0, 0],
      [12.5, 12.5]
    ])
  })

  it("have the state of a tyre and the result, and leave invalid values absent", () => {
    const status = { stage_result_time: 201.5, stage_result_status: 4, shiftlights_fraction: 0.5 }
    const tyres = { vehicle_tyre_state_bl: 2, vehicle_tyre_state_fr: 1 }
    const samples = lastSamples(eventsOfPackets(run(0, 0.5, { ...status, ...tyres })))
    expect(samples).toMatchObject({
      tyre_damage_fl: 0,
      tyre_damage_fr: 0.5,
      tyre_damage_rl: 1,
      tyre_damage_rr: 0,
      last_lap_time: Number.NaN,
      wrc_result_status: 4,
      engine_speed_fraction: Number.NaN
    })
  })
})

describe("points", () => {
  it("are in our units and axes", () => {
    const bytes = packet({
      vehicle_gear_index: 3,
      vehicle_speed: 20,
      vehicle_position_x: 1,
      vehicle_position_y: 2,
      vehicle_position_z: 3,
      vehicle_engine_rpm_current: 6500,
      vehicle_throttle: 0.5,
      vehicle_brake: 0.25,
      vehicle_steering: -0.75
    })
    const { batch } = recorded(eventsOfPackets([bytes]))[0]!
    expect(Array.from(batch.data)).toEqual([100, 72, 6500, 3, 0.5, 0.25, -0.75, 1, -3, 2])
  })

  it("have the gear by the packet's own codes", () => {
    const codes = { vehicle_gear_index_neutral: 7, vehicle_gear_index_reverse: 0 }
    const gears = [7, 0, 1, 6].map((gear, i) =>
      packet({ ...codes, vehicle_gear_index: gear, game_total_time: i / 10 })
    )
    expect(Array.from(recorded(eventsOfPackets(gears))[0]!.batch.column("gear"))).toEqual([0, -1, 1, 6])
  })
})

describe("stages", () => {
  const result = { stage_result_time: 199.876, stage_result_status: 1 }

  it("end with the result, which comes a moment after the finish", () => {
    expect(lapsOf([...run(0, 200.3), ...run(200.4, 201, result)])).toEqual([[[1, 199.876, true]]])
  })

  it("have sectors at thirds of the stage, by the result's time, if packets show that both lines were passed", () => {
    const third = expect.closeTo(200 / 3, 5)
    const rest = expect.closeTo(199.876 - 400 / 3, 5)
    const ended = run(200.4, 201, result)
    expect(sectorsOf([...run(0, 200.3), ...ended])).toEqual([[[third, third, rest], "derived"]])
    for (const gap of [[], run(0, 60)])
      expect(sectorsOf([...gap, ...run(80, 200.3), ...ended])).toEqual([[[null, null, null], null]])
  })

  it("end with the stage's own time if there is no result", () => {
    expect(lapsOf(run(0, 201, {}, 0, 237))).toEqual([[[1, 200, true]]])
    expect(lapsOf(run(0, 202))).toEqual([[[1, 200, true]]])
    expect(lapsOf([...run(0, 200.2), ...run(0, 1, {}, 300)])).toEqual([[[1, 200, true]]])
  })

  it("are complete with nothing after them: silence, or the end of the link", () => {
    expect(lapsAfter(run(0, 199.9))).toEqual([[]])
    expect(lapsAfter(run(0, 199.9), 3)).toEqual([[[1, 199.9, true]]])
    expect(lapsAfter(run(0, 199.9), "end")).toEqual([[[1, 199.9, true]]])
    // The line was seen, and the result was still to come.
    expect(lapsAfter(run(0, 200.1), 3)).toEqual([[[1, 200, true]]])
    expect(countsIn(after(run(0, 200.1), 3, "end"))).toEqual([1])
  })

  it("are complete if the game reports that they are finished, before the stage's length", () => {
    expect(lapsOf([...run(0, 199), ...run(199.1, 199.2, result)])).toEqual([[[1, 199.876, true]]])
  })

  it("are not complete if the game reports otherwise, however near the line", () => {
    const retired = run(199.91, 199.91, { stage_result_status: 4 })
    expect(lapsAfter([...run(0, 199.9), ...retired], 60, "end")).toEqual([[]])
  })

  it("have no time for a run that did not reach the finish", () => {
    expect(lapsOf(run(0, 100, { stage_result_time: 100, stage_result_status: 4 }))).toEqual([[]])
  })

  it("are the next lap when driven again, and another session with another route or car", () => {
    const one = [...run(0, 200.3), ...run(200.4, 201, result)]
    expect(lapsOf([...one, ...run(0, 1, {}, 300)])).toHaveLength(1)
    expect(lapsOf([...one, ...run(0, 1, { route_id: 5 }, 300)])).toHaveLength(2)
    expect(lapsOf([...one, ...run(0, 1, { vehicle_id: 5 }, 300)])).toHaveLength(2)
  })
})
