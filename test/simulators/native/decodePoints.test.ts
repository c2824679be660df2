import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { allBut, allChannels, channelSet } from "../../../src/domain/ChannelSet.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { ABSENT, type PointBatch } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { admit } from "../../../src/recording/feed/admission.ts"
import { FeedClock } from "../../../src/recording/feed/FeedClock.ts"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { MAX_PACKED_POINTS } from "../../../src/simulators/drivers/native/protocol.ts"
import { awkwardDoubles, bitsOf } from "../../contracts/samples.ts"
import { decodeTogether, decodeAll, last, packed, plainColumns, session } from "./messages.ts"
import { isPoints, kindOf } from "../rows.ts"

const asText = (points: ReadonlyArray<object | null>, more: object = {}) =>
  JSON.stringify({ type: "points", points, ...more })

const pointsOf = ([event]: ReadonlyArray<SimulatorEvent>): PointBatch => {
  if (!isPoints(event)) throw new Error(`expected points, got ${JSON.stringify(event)}`)
  return event.batch
}

const column = [...channels, "lap_number", "lap_distance"]

describe("points", () => {
  it("are the same to the bit, packed or as JSON", () => {
    // JSON has no -0 as JSON.stringify writes it, and no value that is not finite.
    const value = FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    const row = FastCheck.array(value, { minLength: column.length, maxLength: column.length })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const columns = column.map((_, c) => rows.map((row) => row[c]!))
        const objects = rows.map((row) => Object.fromEntries(row.map((value, c) => [column[c], value])))
        const binary = last("Points", session({ columns: column }), packed(columns, { sequence: 7n }))
        const text = last("Points", session({ columns: column }), asText(objects, { sequence: 7 }))
        expect(bitsOf(binary.batch).equals(bitsOf(text.batch))).toBe(true)
        expect(binary.lap).toEqual(text.lap)
        expect(binary.missing).toBe(text.missing)
      })
    )
  })

  it("packed keep every bit, of any double, wherever the message lies in memory", () => {
    const columns = channels.map((_, c) => awkwardDoubles.map((_, i, all) => all[(i + c) % all.length]!))
    const message = packed(columns)
    const expected = Buffer.from(message.subarray(16))
    for (let offset = 0; offset < 8; offset++) {
      const memory = new Uint8Array(message.length + 16).fill(255)
      memory.set(message, offset)
      const batch = pointsOf(new NativeDecoder().decode([memory.subarray(offset, offset + message.length)]))
      expect(bitsOf(batch).equals(expected)).toBe(true)
      // The batch is its own: the socket's buffer is used again.
      memory.fill(0)
      expect(bitsOf(batch).equals(expected)).toBe(true)
    }
  })

  it("as JSON have absent values for missing channels, and infinity for null", () => {
    const { batch, declared } = last(
      "Points",
      '{"type":"points","points":[{"timestamp":1,"speed":null,"gear":3},{"rpm":1e999,"gear":4,"extra":"?"}]}'
    )
    expect([...batch.timestamps]).toEqual([1, ABSENT])
    expect([...batch.column("speed")]).toEqual([Infinity, ABSENT])
    expect([...batch.column("rpm")]).toEqual([ABSENT, Infinity])
    expect([...batch.column("position_z")]).toEqual([ABSENT, ABSENT])
    // A point without a time is refused later, so `timestamp` counts as declared by all.
    expect(declared).toBe(channelSet("timestamp", "gear"))
  })

  it("as JSON have the channels that all of a message have, and those that some have", () => {
    const all = Object.fromEntries(channels.map((channel, c) => [channel, c]))
    expect(last("Points", asText([all, all])).declared).toBe(allChannels)
    const some = last("Points", asText([all, { ...all, brake: undefined }]))
    expect(some.declared).toBe(allBut("brake"))
    expect(some.declaredBySome).toBe(allChannels)
    expect(last("Points", asText([{ timestamp: 1, rpm: null }, { timestamp: 2 }])).declaredBySome).toBe(
      channelSet("rpm")
    )
  })

  it("have lap columns only if a point has its lap, and NaN at points that have none", () => {
    const none = last("Points", asText([{ timestamp: 1 }, { timestamp: 2, lap_number: null }]))
    expect(none.lap).toBeUndefined()
    const some = last(
      "Points",
      asText([{ timestamp: 1 }, { timestamp: 2, lap_number: 3, lap_distance: "x" }])
    )
    expect([...some.lap!.data]).toEqual([1, 2, ABSENT, 3, ABSENT, ABSENT])
  })

  it("declare the group of their lap numbers and distances once, before the first with any", () => {
    const decoder = new NativeDecoder()
    const of = (...points: ReadonlyArray<object>) => decoder.decode([asText(points)]).map(kindOf)
    expect(of({ timestamp: 1, lap_number: null })).toEqual(["Points"])
    expect(of({ timestamp: 2, lap_number: 1 })).toEqual(["ChannelsDeclared", "Points"])
    expect(of({ timestamp: 3, lap_distance: 5 })).toEqual(["Points"])
    const packedOnes = new NativeDecoder()
    packedOnes.decode([session({ columns: ["timestamp", "lap_number"] })])
    const [declared, points] = packedOnes.decode([packed([[1], [2]])])
    expect(declared).toMatchObject({ _tag: "ChannelsDeclared", groups: [{ name: "lap" }] })
    expect(points).toMatchObject({ group: "points", lapGroup: "lap" })
  })

  it("may have lap numbers as text, and name those that are none", () => {
    const rows = [
      { timestamp: 1, lap_number: "3" },
      { timestamp: 2, lap_number: " -4 " },
      { timestamp: 3, lap_number: "3rd" },
      { timestamp: 4, lap_number: true },
      { timestamp: 5, lap_number: "" }
    ]
    const events = new NativeDecoder().decode([asText(rows)])
    const points = events.find(isPoints)
    expect([...points!.lap!.column("current_lap")]).toEqual([3, -4, ABSENT, ABSENT, ABSENT])
    expect(events).toContainEqual({
      _tag: "Refused",
      points: 0,
      reason: 'a point whose lap_number is "3rd"; left out'
    })
  })

  it("as JSON with a value of another type are refused alone, and the value is named", () => {
    const point = Object.fromEntries(channels.map((channel) => [channel, 1]))
    const rows = [
      { ...point, timestamp: 10 },
      { ...point, timestamp: 11, gear: "N" },
      { ...point, timestamp: 12, gear: "R" },
      { ...point, timestamp: 13, speed: {} },
      { ...point, timestamp: 14, brake: true },
      { ...point, timestamp: "15" },
      [],
      null,
      { ...point, timestamp: 16 }
    ]
    const decoder = new NativeDecoder()
    const [points, ...refusals] = decodeTogether(decoder, [asText(rows, { sequence: 5 })])
    expect(refusals).toEqual([
      { _tag: "Refused", points: 2, reason: "a point that is not an object" },
      { _tag: "Refused", points: 0, reason: 'a point whose gear is "N"' }
    ])
    if (!isPoints(points)) throw new Error("the other points are lost")
    const admission = admit(points, new FeedClock(0, 0), { arrival: 0, interval: 1, next: 17 })
    expect([...admission.points.batch.timestamps]).toEqual([10, 16])
    expect(admission.rejected).toEqual(new Map([["not_finite", 5]]))
    // All of them arrived.
    expect(decoder.decode([asText([point], { sequence: 5 + rows.length })])[0]).toMatchObject({ missing: 0 })
  })

  it("packed are read by the columns that the session message names", () => {
    const columns = ["lap_distance", "speed", "wheel_slip", "lap_number", "timestamp"]
    const data = columns.map((_, c) => [c + 0.25, c + 0.5])
    const { batch, lap, declared } = last("Points", session({ columns }), packed(data))
    expect([...lap!.column("lap_distance")]).toEqual([0.25, 0.5])
    expect([...batch.column("speed")]).toEqual([1.25, 1.5])
    expect([...lap!.column("current_lap")]).toEqual([3.25, 3.5])
    expect([...lap!.timestamps]).toEqual([4.25, 4.5])
    expect([...batch.timestamps]).toEqual([4.25, 4.5])
    expect([...batch.column("rpm")]).toEqual([ABSENT, ABSENT])
    expect(declared).toBe(channelSet("speed"))
  })

  it("packed have absent values for a channel without a column, whatever was in the memory before", () => {
    const decoder = new NativeDecoder()
    const before = pointsOf(decoder.decode([packed(plainColumns(3))]))
    expect(before.column("steering")[2]).not.toBe(0)
    const columns = channels.filter((channel) => channel !== "steering")
    const messages = [session({ columns }), packed(columns.map(() => [7, 8]))]
    const [, ...events] = decodeTogether(decoder, messages)
    expect([...pointsOf(events).column("steering")]).toEqual([ABSENT, ABSENT])
    expect([...pointsOf(events).column("brake")]).toEqual([7, 8])
  })

  it("packed go back to the usual columns with a session message that names none", () => {
    const messages = [session({ columns: ["timestamp"] }), session(), packed(plainColumns(3))]
    expect(last("Points", ...messages).batch.length).toBe(3)
  })

  it("packed are refused if the length is not exactly that of the header", () => {
    const message = packed(plainColumns(4))
    const longer = Buffer.concat([message, Buffer.alloc(8)])
    const wrong = [
      message.subarray(0, -1),
      message.subarray(0, -8),
      Buffer.concat([message, Buffer.alloc(1)]),
      longer,
      message.subarray(0, 16),
      packed(plainColumns(4), { count: 3 }),
      packed(plainColumns(4), { count: 5 }),
      packed(plainColumns(4), { count: 0 }),
      packed(plainColumns(4), { count: 0xffff_ffff }),
      packed([], { count: 0 }),
      packed(channels.map(() => []))
    ]
    for (const message of wrong) expect(last("Refused", message).points).toBe(0)
  })

  it("packed are taken up to 65,536 a message, and no more", () => {
    const timestampOnly = session({ columns: ["timestamp"] })
    const most = new Float64Array(MAX_PACKED_POINTS).fill(1)
    expect(last("Points", timestampOnly, packed([most])).batch.length).toBe(65_536)
    const more = new Float64Array(MAX_PACKED_POINTS + 1)
    expect(last("Refused", timestampOnly, packed([more])).points).toBe(0)
  })

  it("as a binary message that is not a packed one are refused", () => {
    const message = packed(plainColumns(1))
    const wrong = [
      Buffer.alloc(0),
      Buffer.from("TSB"),
      Buffer.from("TSB1"),
      message.subarray(0, 15),
      packed(plainColumns(1), { magic: "TSB2" }),
      packed(plainColumns(1), { magic: "1BST" }),
      Buffer.from(session())
    ]
    for (const message of wrong) expect(decodeAll(message)[0]).toMatchObject({ _tag: "Refused", points: 0 })
  })
})

const two = [{ timestamp: 1 }, { timestamp: 2 }]
const missing = (...messages: ReadonlyArray<string | Uint8Array>) =>
  decodeAll(...messages).map((event) => (isPoints(event) ? event.missing : event?._tag))

const at = (sequence: unknown, points: ReadonlyArray<object> = two) => asText(points, { sequence })

describe("the sequence", () => {
  it("shows missing points, and none if it repeats or falls", () => {
    expect(missing(at(5), at(7), at(10), at(12), at(12), at(0), at(2), at(100))).toEqual([
      0, 0, 1, 0, 0, 0, 0, 96
    ])
  })

  it("is left out, or null, for points that are not numbered", () => {
    expect(missing(at(0), asText(two), at(null), at(2))).toEqual([0, 0, 0, 0])
  })

  it("goes on through points that were refused: they are not missing", () => {
    expect(missing(at(0), at(2, [[], []]), at(4), at(7))).toEqual([0, "Refused", 0, 1])
    expect(missing(at(2, [[]]), at(100))).toEqual(["Refused", 0])
  })

  it("goes on between text and packed", () => {
    expect(missing(at(0), packed(plainColumns(3), { sequence: 2n }), at(6))).toEqual([0, 0, 1])
  })

  it("that a double cannot hold exactly is ignored", () => {
    const huge = packed(plainColumns(1), { sequence: 2n ** 64n - 1n })
    const exact = packed(plainColumns(1), { sequence: BigInt(Number.MAX_SAFE_INTEGER) })
    expect(missing(at(0), huge, at(5))).toEqual([0, 0, 0])
    expect(missing(exact, huge, exact, at(0))).toEqual([0, 0, 0, 0])
    expect(missing(at(0), exact)).toEqual([0, Number.MAX_SAFE_INTEGER - 2])
  })

  it("that is no whole number from 0 refuses its points, counted", () => {
    for (const sequence of [-1, 1.5, "0", true, [], {}]) {
      expect(last("Refused", at(sequence)).points).toBe(2)
    }
  })
})
