/** Channels of real F1 packets: other programs read the same values, the values are plausible, and packets prove the signs. */
import { describe, expect, it } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { channels } from "../../../src/simulators/drivers/f1/channels.ts"
import { layoutOf, type F1Format } from "../../../src/simulators/drivers/f1/layout.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { ChannelRows } from "../../../src/simulators/packets/ChannelRows.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"
import { channelPackets, clientOf, reportedBy } from "../drivers/f1/foreign.ts"
import { eventsOf } from "../drivers/suite/events.ts"
import { haveCaptures, readCapture } from "./captures.ts"

const captured = (year: number) =>
  haveCaptures ? readCapture(`f1-${year}-datagrams`).map(({ bytes }) => bytes) : []
const ofKind = (id: number, ...years: ReadonlyArray<number>) =>
  years.flatMap((year) => captured(year).filter((bytes) => bytes[6] === id))

/** Our channels of one car in a packet. */
const ours = (bytes: Buffer, car: number): Readonly<Record<string, number>> => {
  const format = bytes.readUInt16LE(0) as F1Format
  const { packets } = layoutOf(format)!
  const [name, layout] = Object.entries(packets).find(([, { id }]) => id === bytes[6])!
  const rows = new ChannelRows()
  const events = new EventBuffer()
  rows.use(channels[format])
  // Every group, also those that another packet leads.
  for (const other of channels[format].packets.keys())
    if (other !== "known") rows.read(other, Buffer.alloc(2000))
  rows.read(name, bytes, layout.ofCar(car))
  rows.take(1, events)
  return reported(events.take())
}

const reported = (events: ReadonlyArray<SimulatorEvent>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    eventsOf(events, "Samples").flatMap(({ batch }) =>
      batch.channels.map((name) => [name, batch.column(name)[0]!])
    )
  )

const clients = [
  ["@racehub-io/f1-telemetry-client", 2023],
  ["@z0mt3c/f1-telemetry-client", 2023],
  ["@z0mt3c/f1-telemetry-client", 2024],
  ["@z0mt3c/f1-telemetry-client", 2025]
] as const

/** We compute these from directions in 16 bits, the clients from angles. */
const ROUGHLY = new Set(["yaw", "pitch", "roll"])

describe.each(clients)("%s, of packets of F1 %i", needing(capturesHere), (client, year) => {
  it("reads every channel of every car as we do", () => {
    const read = clientOf(client)
    const seen = new Map<string, number>()
    for (const bytes of captured(year)) {
      const id = bytes[6]!
      // The client reads packet 10 as it was before it reported blisters.
      if (!channelPackets.includes(id) || (id === 10 && year === 2025)) continue
      const cars = [1, 13].includes(id) ? 1 : 22
      for (let car = 0; car < cars; car++) {
        const row = ours(bytes, car)
        for (const [channel, value] of Object.entries(reportedBy(read, bytes, car))) {
          // An empty slot has no direction.
          if (ROUGHLY.has(channel) && row["velocity_x"] === 0) continue
          const mine = row[channel]! + 0
          const isClose = ROUGHLY.has(channel) && Math.abs(mine - value) < 0.01
          expect([channel, car, isClose ? value + 0 : mine]).toEqual([channel, car, value + 0])
          if (value !== 0 && !Number.isNaN(value)) seen.set(channel, (seen.get(channel) ?? 0) + 1)
        }
      }
    }
    // Enough channels had values other than 0.
    expect(seen.size).toBeGreaterThan(year === 2023 ? 60 : 40)
  })
})

/** The player's channels that lie outside these ranges. */
const beyond = (id: number, ranges: Readonly<Record<string, readonly [number, number]>>) =>
  ofKind(id, 2023, 2024)
    .filter((bytes) => bytes[27]! < 22)
    .flatMap((bytes) => {
      const row = ours(bytes, bytes[27]!)
      return Object.entries(ranges).filter(
        ([channel, [low, high]]) => !(row[channel]! >= low && row[channel]! <= high)
      )
    })

describe("packets of real games", needing(capturesHere), () => {
  /** The cars on track that have another car ahead and near. */
  const followed = ofKind(0, 2023, 2024, 2025).flatMap((bytes) => {
    const cars = Array.from({ length: 22 }, (_, car) => {
      const at = 29 + 60 * car
      const [x, y] = [bytes.readFloatLE(at), -bytes.readFloatLE(at + 8)]
      const [vx, vy] = [bytes.readFloatLE(at + 12), -bytes.readFloatLE(at + 20)]
      return { x, y, speed: Math.hypot(vx, vy), heading: Math.atan2(vx, vy), row: ours(bytes, car) }
    }).filter(({ speed }) => speed > 20)
    return cars.flatMap((car) => {
      const ahead = cars
        .map((other) => ({ other, dx: other.x - car.x, dy: other.y - car.y }))
        .filter(({ dx, dy }) => dx * Math.sin(car.heading) + dy * Math.cos(car.heading) > 0)
        .map(({ dx, dy, other }) => ({ other, apart: Math.hypot(dx, dy) }))
        .filter(({ apart }) => apart > 10 && apart < 80)
        .sort((a, b) => a.apart - b.apart)[0]
      if (ahead === undefined) return []
      const turn = Math.atan2(
        Math.sin(ahead.other.heading - car.heading),
        Math.cos(ahead.other.heading - car.heading)
      )
      // The lateral force that the path of the car ahead demands, in g, to the right.
      return [{ demanded: ((turn / ahead.apart) * car.speed ** 2) / 9.81, row: car.row }]
    })
  })

  it("have a lateral force positive to the left, unlike ours: it follows the path of the car ahead", () => {
    // In a bend: on a straight, cars overtake and are overtaken. The start of 2023 is one.
    const bends = followed.filter(
      ({ demanded, row }) => Math.abs(demanded) > 0.5 && Math.abs(row["g_lateral"]!) > 0.5
    )
    expect(bends.length).toBeGreaterThan(3)
    for (const { demanded, row } of bends) expect(row["g_lateral"]! * demanded).toBeGreaterThan(0)
  })

  it("have no gravity in their forces, and brakes behind", () => {
    const rows = followed.map(({ row }) => row)
    expect(rows.every(({ g_vertical }) => Math.abs(g_vertical!) < 0.5)).toBe(true)
    // The field at full throttle, 5 s after the start.
    const started = ofKind(0, 2023).map((bytes) => ours(bytes, 19))
    expect(started.map(({ g_longitudinal }) => g_longitudinal! > 0.5)).toEqual([true])
  })

  it("have angles about x left, y up and z forward, so that rates and slips turn with them", () => {
    const rows = ofKind(13, 2023).map((bytes) => ({ bytes, row: ours(bytes, 0) }))
    expect(rows).toHaveLength(2)
    for (const { row } of rows) {
      const sum = (name: string) =>
        ["fl", "fr", "rl", "rr"].reduce((all, wheel) => all + row[`${name}_${wheel}`]!, 0)
      // Some 800 kg, of which the tyres turn: the force to the right goes with a turn to the right.
      const demanded = 800 * row["velocity_forward"]! * ((row["yaw_rate"]! * Math.PI) / 180)
      expect(sum("f1_lateral_force") / demanded).toBeGreaterThan(0.8)
      expect(sum("f1_lateral_force") / demanded).toBeLessThan(1.3)
      // A tyre that moves to the right is pushed to the left.
      for (const wheel of ["fl", "fr", "rl", "rr"]) {
        expect(row[`slip_angle_${wheel}`]! * row[`f1_lateral_force_${wheel}`]!).toBeLessThan(0)
      }
    }
  })

  it("have plausible values", () => {
    const wrong = [
      ...beyond(6, {
        tyre_temperature_fl: [20, 130],
        tyre_pressure_fl: [130, 200],
        tyre_pressure_rl: [130, 200],
        brake_temperature_rr: [20, 1100],
        engine_temperature: [90, 130]
      }),
      ...beyond(7, {
        fuel_mass: [1, 110],
        brake_bias: [0.5, 0.7],
        engine_power: [400, 600],
        ers_fraction: [0, 1],
        rpm_max: [12_000, 14_500]
      }),
      ...beyond(10, { tyre_wear_fl: [0, 0.01], damage_front: [0, 0] }),
      ...beyond(13, { wheel_load_fl: [0, 7000], suspension_travel_fl: [-20, 80] }),
      ...beyond(1, { air_temperature: [10, 40], track_temperature: [15, 60] })
    ]
    expect(wrong).toEqual([])
  })

  it("have a race's surplus as laps of fuel, and otherwise the content of the tank", () => {
    const cars = ofKind(7, 2024).flatMap((bytes) =>
      Array.from({ length: 20 }, (_, car) => ({
        tank: bytes.readFloatLE(29 + 55 * car + 5),
        laps: bytes.readFloatLE(29 + 55 * car + 13)
      }))
    )
    // In qualifying, each kilogram is as many laps, whatever the tank has, and almost none when it is nearly empty.
    for (const { laps, tank } of cars) expect(laps).toBeCloseTo(tank / 1.4297 - 0.07, 1)
    // In a race of five laps: a car without fuel, early in its first.
    const empty = ofKind(7, 2025).flatMap((bytes) => {
      const at = 29 + 55 * 7
      return [{ tank: bytes.readFloatLE(at + 5), laps: bytes.readFloatLE(at + 13) }]
    })
    expect(empty.some(({ laps, tank }) => tank === 0 && laps < -4 && laps > -5)).toBe(true)
  })
})
