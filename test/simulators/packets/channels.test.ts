import { describe, expect, it } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { channelMap, type Lines, ofWheels } from "../../../src/simulators/packets/ChannelMap.ts"
import { ChannelRows } from "../../../src/simulators/packets/ChannelRows.ts"
import { celsius, flag, kmh, positive } from "../../../src/simulators/packets/conversions.ts"
import { each, Struct } from "../../../src/simulators/packets/Struct.ts"
import { eventsOf } from "../drivers/suite/events.ts"

const fast = new Struct([
  ["speed", "f32"],
  ["limiter", "u8"],
  ...each(["RL", "RR", "FL", "FR"], "heat", "f32")
])
const slow = new Struct([
  ["bias", "u8"],
  ["length", "f32"],
  ["last", "f32"]
])
const later = new Struct<(typeof slow)["fields"][number]>([
  ["bias", "u8"],
  ["length", "f32"]
])
const packets = { fast, slow, mine: ["distance"] as const }
const wheel = ofWheels("FL", "FR", "RL", "RR")

const lines: Lines<typeof packets> = {
  fast: [
    ["velocity_forward", "speed", kmh],
    ["pit_limiter", "limiter", flag],
    ...wheel("tyre_temperature", "heat", celsius, { description: "Reported in °F" }),
    ["lap_distance", "mine.distance"],
    ["lap_fraction", ["mine.distance", "slow.length"], (distance, length) => distance / length],
    ["game_speed", "speed", undefined, { group: "game_odds", unit: "m/s", kind: "step", description: "Odd" }]
  ],
  slow: [
    ["brake_bias", "bias"],
    ["last_lap_time", "last", positive]
  ]
}

const map = channelMap(packets, lines)

class Link {
  readonly rows = new ChannelRows()
  readonly events = new EventBuffer()

  constructor(used = map) {
    this.rows.use(used)
    this.rows.begin()
  }

  fast(time: number, values: object = {}) {
    const bytes = Buffer.alloc(fast.size)
    fast.write(bytes, 0, { speed: 10, limiter: 4, heatFL: 212, heatRR: 32, ...values })
    this.rows.read("fast", bytes)
    this.rows.take(time, this.events)
    return this
  }

  slow(time: number, values: object = {}) {
    const bytes = Buffer.alloc(slow.size + 7)
    slow.write(bytes, 7, { bias: 55, length: 4000, last: 0, ...values })
    this.rows.read("slow", bytes, 7)
    this.rows.take(time, this.events)
    return this
  }

  take() {
    return this.events.take()
  }
}

/** Of each group the rows, as objects. */
const rowsOf = (events: ReadonlyArray<SimulatorEvent>) =>
  Object.fromEntries(
    eventsOf(events, "Samples").map(({ batch, group }) => [
      group,
      Array.from({ length: batch.length }, (_, i) =>
        Object.fromEntries(batch.channels.map((name) => [name, batch.column(name)[i]]))
      )
    ])
  )

describe("a map of channels", () => {
  it("declares the vocabulary's groups in its order, and the simulator's own behind them", () => {
    expect(map.declarations.map(({ channels, name }) => [name, ...channels.map((one) => one.name)])).toEqual([
      ["motion", "velocity_forward"],
      ["controls", "pit_limiter", "brake_bias"],
      ["tyres", "tyre_temperature_fl", "tyre_temperature_fr", "tyre_temperature_rl", "tyre_temperature_rr"],
      ["lap", "lap_distance", "lap_fraction"],
      ["timing", "last_lap_time"],
      ["game_odds", "game_speed"]
    ])
    expect(map.declarations[2]!.channels[0]).toEqual({
      name: "tyre_temperature_fl",
      description: "Reported in °F"
    })
    expect(map.declarations[5]!.channels[0]).toEqual({
      name: "game_speed",
      unit: "m/s",
      kind: "step",
      description: "Odd"
    })
  })

  it("leaves out what a version of the protocol lacks", () => {
    const without = channelMap({ ...packets, slow: later }, lines)
    expect(without.groups.map(({ name }) => name)).not.toContain("timing")
    expect(without.groups.map(({ name }) => name)).toContain("controls")
  })

  it("takes the first of two lines for one channel that fits", () => {
    const two = channelMap({ ...packets, slow: later }, {
      slow: [
        ["last_lap_time", "last"],
        ["last_lap_time", "length"]
      ]
    } satisfies Lines<typeof packets>)
    const link = new Link(two)
    link.rows.read("slow", Buffer.alloc(9))
    link.rows.take(1, link.events)
    expect(rowsOf(link.take())["timing"]).toEqual([{ timestamp: 1, last_lap_time: 0 }])
  })

  it("refuses a name that neither the vocabulary nor a line declares", () => {
    expect(() => channelMap(packets, { fast: [["speed_of_light", "speed"]] })).toThrow("speed_of_light")
  })
})

describe("rows of channels", () => {
  it("have the newest value of each, converted, and floats as floats", () => {
    const link = new Link().slow(1)
    link.rows.set("mine.distance", 1000)
    const events = link.fast(2, { speed: 27.7 }).take()
    const rows = rowsOf(events)
    expect(rows["motion"]).toEqual([{ timestamp: 2, velocity_forward: Math.fround(Math.fround(27.7) * 3.6) }])
    expect(rows["controls"]).toEqual([{ timestamp: 2, pit_limiter: 1, brake_bias: 55 }])
    expect(rows["tyres"]).toEqual([
      {
        timestamp: 2,
        tyre_temperature_fl: 100,
        tyre_temperature_fr: Math.fround(-32 / 1.8),
        tyre_temperature_rl: Math.fround(-32 / 1.8),
        tyre_temperature_rr: 0
      }
    ])
    expect(rows["lap"]).toEqual([{ timestamp: 2, lap_distance: 1000, lap_fraction: 0.25 }])
  })

  it("are absent until reported, and if a conversion finds nothing", () => {
    const rows = rowsOf(new Link().fast(1).slow(2).take())
    expect(rows["controls"]).toEqual([{ timestamp: 1, pit_limiter: 1, brake_bias: Number.NaN }])
    expect(rows["lap"]).toEqual([{ timestamp: 1, lap_distance: Number.NaN, lap_fraction: Number.NaN }])
    expect(rows["timing"]).toEqual([{ timestamp: 2, last_lap_time: Number.NaN }])
  })

  it("are taken when the group's leading packet comes, at rising times", () => {
    const link = new Link().fast(1).slow(2).slow(3).fast(3).fast(3, { speed: 20 }).fast(4)
    const rows = rowsOf(link.take())
    const times = (group: string) => rows[group]!.map(({ timestamp }) => timestamp)
    expect([times("motion"), times("controls"), times("timing")]).toEqual([
      [1, 3, 4],
      [1, 3, 4],
      [2, 3]
    ])
    // A repeated packet does not lead to a row later.
    const again = rowsOf(new Link().fast(1).fast(1, { speed: 20 }).slow(2).take())
    expect(again["motion"]).toEqual([{ timestamp: 1, velocity_forward: 36 }])
  })

  it("are infinite for a value that was sent and is no number", () => {
    const rows = rowsOf(new Link().fast(1, { speed: Number.NaN, heatFR: -Infinity }).take())
    expect(rows["motion"]).toEqual([{ timestamp: 1, velocity_forward: Infinity }])
    expect(rows["tyres"]![0]!["tyre_temperature_fr"]).toBe(Infinity)
  })

  it("declare their groups before the first row of each session, and forget the values of the session before", () => {
    const link = new Link().slow(1).fast(1)
    link.rows.begin()
    link.fast(0.5)
    const events = link.take()
    const tags = events.map((event) => event._tag)
    expect([tags[0], tags.lastIndexOf("ChannelsDeclared")]).toEqual(["ChannelsDeclared", 7])
    expect(eventsOf(events, "ChannelsDeclared").map(({ groups }) => groups)).toEqual([
      map.declarations,
      map.declarations
    ])
    expect(
      eventsOf(events, "Samples")
        .findLast(({ group }) => group === "controls")!
        .batch.column("brake_bias")
    ).toEqual(Float64Array.of(Number.NaN))
  })

  it("stay in order of time if the protocol's version changes in a session", () => {
    const link = new Link().fast(5)
    const other = channelMap({ ...packets, slow: later }, lines)
    link.rows.use(other)
    link.fast(5).fast(6)
    const events = link.take()
    expect(eventsOf(events, "ChannelsDeclared").map(({ groups }) => groups)).toEqual([
      map.declarations,
      other.declarations
    ])
    expect(
      eventsOf(events, "Samples")
        .filter(({ group }) => group === "motion")
        .map(({ batch }) => [...batch.timestamps])
    ).toEqual([[5], [6]])
  })
})
