import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { channels } from "../../../src/domain/pointChannels.ts"
import { ABSENT, type RowBatch } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { awkwardDoubles } from "../../contracts/samples.ts"
import {
  decodeAll,
  decodeTogether,
  kept,
  last,
  packed,
  packedGroup,
  plainColumns,
  session
} from "./messages.ts"
import { isPoints, isSamples, kindOf } from "../rows.ts"

const declare = (...groups: ReadonlyArray<unknown>) => JSON.stringify({ type: "channels", groups })
const group = (name: string, ...names: ReadonlyArray<string>) => ({
  name,
  channels: names.map((name) => ({ name }))
})

const asText = (name: string, points: ReadonlyArray<object | null>, more: object = {}) =>
  JSON.stringify({ type: "points", group: name, points, ...more })

const bitsOf = ({ data }: RowBatch) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/** The samples' values by column. */
const valuesOf = (batch: RowBatch) =>
  Object.fromEntries(batch.channels.map((channel) => [channel, [...batch.column(channel)]]))

const tagsOf = (events: ReadonlyArray<SimulatorEvent>) => events.map(kindOf)

/**
 * Two samples of the second group that was declared, which has the channels x_a and x_b, from the sequence 258 on. Written out from
 * the table of channels.md, section 3: magic, N, sequence, index, zero, and the columns timestamp, x_a, x_b.
 */
const GOLDEN = [
  "54534232", // TSB2
  "02000000", // N = 2
  "0201000000000000", // sequence = 258
  "02000000", // index = 2
  "00000000",
  "000000000000f83f", // timestamp 1.5
  "0000000000000040", // timestamp 2
  "000000000000f0bf", // x_a -1
  "000000000000f87f", // x_a absent
  "0000000000002440", // x_b 10
  "9a9999999999b93f" // x_b 0.1
].join("")

const twoOf = (count: number) => [new Float64Array(count), new Float64Array(count)]

describe("a packed message of a group", () => {
  it("is read by its table", () => {
    const [, event] = decodeAll(
      declare(group("x_one", "x_c"), group("x_two", "x_a", "x_b")),
      Buffer.from(GOLDEN, "hex")
    )
    expect(event).toMatchObject({ _tag: "Rows", group: "x_two", missing: 0 })
    expect(valuesOf((event as { batch: RowBatch }).batch)).toEqual({
      timestamp: [1.5, 2],
      x_a: [-1, Number.NaN],
      x_b: [10, 0.1]
    })
  })

  it("of the index 0 is points, in the columns of the session", () => {
    const points = last("Points", packedGroup(0, plainColumns(3)))
    expect([...points.batch.column("position_z")]).toEqual([9000, 9001, 9002])
    const columns = ["timestamp", "speed"]
    const { batch } = last("Points", session({ columns }), packedGroup(0, [[1], [2]]))
    expect([batch.column("timestamp")[0], batch.column("speed")[0]]).toEqual([1, 2])
    const many = new Float64Array(65_537)
    expect(last("Refused", session({ columns: ["timestamp"] }), packedGroup(0, [many])).points).toBe(0)
  })

  it("keeps every bit, of any double, wherever it lies in memory", () => {
    const decoder = new NativeDecoder()
    decoder.decode([declare(group("x_g", "x_a", "x_b"))])
    const columns = [0, 1, 2].map((c) => awkwardDoubles.map((_, i, all) => all[(i + c) % all.length]!))
    const message = packedGroup(1, columns)
    for (let offset = 0; offset < 8; offset++) {
      const memory = new Uint8Array(message.length + 16).fill(255)
      memory.set(message, offset)
      const [event] = decoder.decode([memory.subarray(offset, offset + message.length)])
      memory.fill(0)
      expect(isSamples(event) && bitsOf(event.batch).equals(message.subarray(24))).toBe(true)
    }
  })

  it("may have as many samples as 16 MiB hold, and no more", () => {
    const most = (16 * 1024 * 1024 - 24) / 16
    const message = declare(group("x_g", "x_a"))
    expect(last("Samples", message, packedGroup(1, twoOf(Math.floor(most)))).batch.length).toBe(1_048_574)
    expect(last("Refused", message, packedGroup(1, twoOf(Math.floor(most) + 1))).samples).toBeUndefined()
  })

  it("is refused if its length, its zero or its magic is wrong", () => {
    const message = packedGroup(1, [[1], [2], [3]])
    const wrong = [
      packedGroup(1, [[1], [2]]),
      packedGroup(1, [[1], [2], [3], [4]]),
      packedGroup(1, [[], [], []]),
      packedGroup(1, [[1], [2], [3]], { count: 2 }),
      packedGroup(1, [[1], [2], [3]], { zero: 1 }),
      packedGroup(1, [[1], [2], [3]], { magic: "TSB3" }),
      message.subarray(0, 23),
      message.subarray(0, -1),
      message.subarray(0, 16)
    ]
    for (const one of wrong) {
      expect(last("Refused", declare(group("x_g", "x_a", "x_b")), one).points).toBe(0)
    }
  })

  it("of an undeclared group is refused, with the number of its samples if the length agrees", () => {
    for (const index of [1, 2, 0xffff_ffff]) {
      expect(last("Refused", packedGroup(index, [[1, 2, 3]]))).toMatchObject({ points: 0, samples: 3 })
      expect(last("Refused", packedGroup(index, [[1, 2]], { count: 3 })).samples).toBe(0)
      expect(last("Refused", packedGroup(index, [[1, 2]], { count: 0 })).samples).toBe(0)
    }
  })
})

describe("samples", () => {
  it("are the same to the bit, packed or as text", () => {
    const names = ["x_a", "x_b", "x_c"]
    const value = FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    const row = FastCheck.tuple(value, value, value, value)
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(row, { minLength: 1, maxLength: 50 }),
        FastCheck.nat(),
        (rows, at) => {
          const columns = ["timestamp", ...names]
          const objects = rows.map((row) => Object.fromEntries(row.map((value, c) => [columns[c], value])))
          const binary = last(
            "Samples",
            declare(group("x_g", ...names)),
            packedGroup(
              1,
              columns.map((_, c) => rows.map((row) => row[c]!)),
              { sequence: BigInt(at) }
            )
          )
          const text = last(
            "Samples",
            declare(group("x_g", ...names)),
            asText("x_g", objects, { sequence: at })
          )
          expect(binary.batch.channels).toEqual(text.batch.channels)
          expect(bitsOf(binary.batch).equals(bitsOf(text.batch))).toBe(true)
          expect(binary.missing).toBe(text.missing)
        }
      )
    )
  })

  it("as text have the columns that any of them has; a missing value is absent, and one that is no number is infinite", () => {
    const { batch } = last(
      "Samples",
      declare(group("x_g", "x_a", "x_b", "x_c", "x_d")),
      '{"type":"points","group":"x_g","points":[{"timestamp":1,"x_c":null,"x_a":5,"unknown":{}},' +
        '{"x_c":"7","timestamp":2},{"x_d":1e999,"timestamp":null,"__proto__":1},{"timestamp":"4"},{}]}'
    )
    const { NaN: absent, POSITIVE_INFINITY: notFinite } = Number
    expect(valuesOf(batch)).toEqual({
      timestamp: [1, 2, absent, absent, absent],
      x_a: [5, absent, absent, absent, absent],
      x_c: [notFinite, notFinite, absent, absent, absent],
      x_d: [absent, absent, notFinite, absent, absent]
    })
  })

  it("as text are refused alone if one is no object, and name a value of another type", () => {
    const known = declare(group("x_g", "x_a"))
    const rows = [{ timestamp: 1, x_a: "hot" }, [], { timestamp: 3, x_a: null }, { timestamp: 4, x_a: 4 }]
    const events = decodeTogether(new NativeDecoder(), [known, asText("x_g", rows)])
    const [, samples, ...refusals] = events
    expect(samples).toMatchObject({ _tag: "Rows", group: "x_g", missing: 0 })
    expect(isSamples(samples) && [...samples.batch.data]).toEqual([1, 3, 4, Infinity, Infinity, 4])
    expect(refusals).toEqual([
      { _tag: "Refused", points: 0, samples: 1, reason: "a sample that is not an object" },
      { _tag: "Refused", points: 0, reason: 'a sample whose x_a is "hot"' }
    ])
  })

  it("as text are refused with their number if the group is undeclared", () => {
    const known = declare(group("x_g", "x_a"))
    for (const name of ["x_h", "", 1, {}, [], false]) {
      const message = JSON.stringify({ type: "points", group: name, points: [{}, {}, {}] })
      expect(last("Refused", known, message)).toMatchObject({ points: 0, samples: 3 })
    }
    expect(last("Refused", known, asText("x_g", [{}], { sequence: -1 }))).toMatchObject({ samples: 1 })
  })

  it("have true and false as 1 and 0, but not as a time", () => {
    const { batch } = last(
      "Samples",
      session({ groups: [{ name: "x_g", channels: [{ name: "x_a", kind: "flag" }] }] }),
      '{"type":"points","group":"x_g","points":[{"timestamp":1,"x_a":true},{"timestamp":true,"x_a":false}]}'
    )
    expect([...batch.data]).toEqual([1, ABSENT, 1, 0])
  })

  it("of the group points, or null, are points", () => {
    for (const name of ["points", null]) {
      const message = JSON.stringify({ type: "points", group: name, points: [{ timestamp: 7 }] })
      expect([...last("Points", message).batch.timestamps]).toEqual([7])
    }
  })

  it("as text cannot take more memory than a packed message, however few keys they have", () => {
    const names = Array.from({ length: 512 }, (_, n) => `x_${n}`)
    const wide = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
    const text = (count: number) =>
      `{"type":"points","group":"x_g","points":[${[wide, ...Array(count - 1).fill("{}")].join(",")}]}`
    const known = declare(group("x_g", ...names))
    expect(last("Refused", known, text(65_536)).samples).toBe(65_536)
    expect(last("Samples", known, text(4000)).batch.channels).toHaveLength(513)
  })

  it("as text may have every channel of a group, in a long message", () => {
    const names = Array.from({ length: 512 }, (_, n) => `x_long_name_of_a_channel_${n}`)
    const sample = Object.fromEntries(["timestamp", ...names].map((name, n) => [name, n]))
    const event = last("Samples", declare(group("x_g", ...names)), asText("x_g", Array(50).fill(sample)))
    expect(event.batch.channels).toEqual(["timestamp", ...names])
    expect(event.batch.column(names[511]!)[49]).toBe(512)
  })
})

describe("the sequence of a group", () => {
  it("is counted for each group", () => {
    const missing = decodeAll(
      declare(group("x_g", "x_a"), group("x_h", "x_b")),
      asText("x_g", [{}, {}], { sequence: 0 }),
      packed(plainColumns(2), { sequence: 100n }),
      packedGroup(2, [[1], [2]], { sequence: 7n }),
      packedGroup(1, [[1], [2]], { sequence: 5n }),
      packedGroup(2, [[1], [2]], { sequence: 8n }),
      packed(plainColumns(1), { sequence: 103n }),
      asText("x_g", [[] as object], { sequence: 6 }),
      asText("x_g", [{}], { sequence: 7 })
    ).map((event) => (isPoints(event) || isSamples(event) ? event.missing : event?._tag))
    expect(missing).toEqual(["ChannelsDeclared", 0, 0, 0, 3, 0, 1, "Refused", 0])
  })
})

/** The content of each row, and all other events, in order. */
const declared = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event): ReadonlyArray<unknown> => {
    if (!isSamples(event) && !isPoints(event)) return [event]
    const batch = event.batch as RowBatch
    const lap = isPoints(event) ? event.lap : undefined
    return Array.from({ length: batch.length }, (_, i) => ({
      group: isPoints(event) ? "points" : event.group,
      values: batch.channels.map((channel) => batch.column(channel)[i]),
      lap: [lap?.column("current_lap")[i], lap?.column("lap_distance")[i]],
      missing: i === 0 ? event.missing : 0
    }))
  })

const groupOf = (event: SimulatorEvent | undefined) =>
  isPoints(event) ? "points" : isSamples(event) ? event.group : undefined

it("messages that come together have the same content as one by one, in fewer events", () => {
  const step = FastCheck.record({
    what: FastCheck.constantFrom("points", "points", 1, 1, 1, 2, 2, "grow", "refused", "session", "lap"),
    length: FastCheck.oneof(FastCheck.integer({ min: 1, max: 4 }), FastCheck.constant(40)),
    skip: FastCheck.constantFrom(0, 0, 0, 2)
  })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(step, { maxLength: 25 }), FastCheck.boolean(), (steps, withLaps) => {
      const ofPoints = withLaps ? [...channels, "lap_number", "lap_distance"] : channels
      const next = new Map<unknown, number>()
      let grown = 0
      const messages = steps.map(({ length, skip, what }, m) => {
        if (what === "refused") return packedGroup(9, [[1]])
        if (what === "session") return session({ columns: ofPoints })
        if (what === "lap") return JSON.stringify({ type: "lap", lap_number: 1, lap_time: 60 })
        if (what === "grow") return declare(group("x_2", `x_grown_${grown++}`))
        const sequence = (next.get(what) ?? 0) + skip
        next.set(what, sequence + length)
        const width = what === "points" ? ofPoints.length : what === 1 ? 3 : 2 + grown
        const columns = Array.from({ length: width }, (_, c) =>
          Array.from({ length }, (_, i) => m * 1000 + c * 100 + i)
        )
        const header = { sequence: BigInt(sequence) }
        return typeof what === "number" ? packedGroup(what, columns, header) : packed(columns, header)
      })
      const begin = [session({ columns: ofPoints }), declare(group("x_1", "x_a", "x_b"), group("x_2", "x_c"))]
      const all = [...begin, ...messages]
      const oneByOne = new NativeDecoder()
      const expected = declared(all.flatMap((one) => kept(oneByOne.decode([one]))))
      const together = decodeTogether(new NativeDecoder(), all)
      expect(declared(together)).toEqual(expected)
      expect(expected.filter((row) => (row as SimulatorEvent)._tag === "Refused")).toHaveLength(
        steps.filter(({ what }) => what === "refused").length
      )
      // Only a loss begins another event of a group after one.
      for (const [n, event] of together.entries()) {
        if (groupOf(event) === undefined || groupOf(event) !== groupOf(together[n - 1])) continue
        expect((event as { readonly missing: number }).missing).toBeGreaterThan(0)
      }
    })
  )
})

it("a feed with the group lap has no lap columns in its points, and this is reported once", () => {
  const columns = ["timestamp", "lap_number", "lap_distance"]
  const lap = declare(group("lap", "current_lap"))
  const text = '{"type":"points","points":[{"timestamp":1,"lap_number":2,"lap_distance":3}]}'
  const points = packed([[1], [2], [3]])
  expect(last("Points", session({ columns }), points).lap!.data).toEqual(Float64Array.of(1, 2, 3))
  const decoder = new NativeDecoder()
  const events = [session({ columns }), lap, points, text, points].flatMap((one) =>
    kept(decoder.decode([one]))
  )
  expect(tagsOf(events)).toEqual([
    "SessionStarted",
    "ChannelsDeclared",
    "Refused",
    "Points",
    "Points",
    "Points"
  ])
  const laps = events.flatMap((event) => (isPoints(event) ? [event.lap] : []))
  expect(laps).toEqual([undefined, undefined, undefined])
})
