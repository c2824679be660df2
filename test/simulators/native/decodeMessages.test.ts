import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isDeclared } from "../../../src/domain/ChannelSet.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { admit } from "../../../src/recording/feed/admission.ts"
import { FeedClock } from "../../../src/recording/feed/FeedClock.ts"
import { TooLong } from "../../../src/simulators/drivers/native/messageText.ts"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { decodeAll, last, packed, packedGroup, plainColumns, session } from "./messages.ts"
import { runs } from "../../support/runs.ts"
import { isPoints, isSamples } from "../rows.ts"

const lap = (more: object = {}) => JSON.stringify({ type: "lap", lap_number: 3, lap_time: 97.618, ...more })

const reasonOf = (more: object) => last("Refused", lap(more)).reason

describe("session messages", () => {
  it("have the names and all optional values", () => {
    const { _tag, ...started } = last(
      "SessionStarted",
      session({
        circuit: "  Nürburgring 🏁 ",
        datetime: "2026-02-13T10:30:00+01:00",
        start_time: 1770970000.125,
        circuit_length: 5412,
        start_line: { x1: -1, y1: 2, x2: 3, y2: -4, colour: "white" },
        columns: ["timestamp"],
        weather: { wind: [1, 2] }
      })
    )
    expect(_tag).toBe("SessionStarted")
    expect(started).toEqual({
      circuit: "  Nürburgring 🏁 ",
      vehicle: "GT3",
      driver: "Anna",
      datetime: Date.parse("2026-02-13T09:30:00Z") / 1000,
      clockZero: 1770970000.125,
      circuitLength: 5412,
      startLine: { x1: -1, y1: 2, x2: 3, y2: -4 },
      clockDecides: true
    })
  })

  it("take null as a missing value", () => {
    const nothing = {
      datetime: null,
      start_time: null,
      circuit_length: null,
      start_line: null,
      columns: null
    }
    for (const message of [session(nothing), session()]) {
      expect(last("SessionStarted", message)).toMatchObject({
        datetime: undefined,
        clockZero: undefined,
        circuitLength: undefined,
        startLine: undefined
      })
    }
  })

  it("that leave a name out take it from the connect", () => {
    for (const driver of [undefined, null, ""]) {
      expect(last("SessionStarted", session({ driver }))).toMatchObject({ circuit: "Spa", driver: "" })
    }
  })

  it.each([
    { circuit: 1 },
    { datetime: "2026-02-30T00:00:00" },
    { datetime: "02/13/2026 10:30" },
    { datetime: 1770970000 },
    { start_time: "0" },
    { start_time: 1e300 },
    { start_time: -1e12 },
    { circuit_length: 0 },
    { circuit_length: -1 },
    { circuit_length: "5412" },
    { start_line: { x1: 0, y1: 0, x2: 1 } },
    { start_line: [0, 0, 1, 1] },
    { columns: [] },
    { columns: "timestamp" },
    { columns: [1] },
    { columns: Array.from({ length: 65 }, () => "a") }
  ])("with %j begin a session without that fact, which is named", (more) => {
    const [begun, left] = new NativeDecoder().decode([session(more)])
    const plain = last("SessionStarted", session("circuit" in more ? { circuit: undefined } : {}))
    expect(begun).toEqual(plain)
    const [fact = ""] = Object.keys(more)
    expect(left).toMatchObject({ _tag: "Refused", points: 0, reason: expect.stringContaining(fact) })
  })

  it("with columns that cannot be read take no packed points, which could be misread, but do take text", () => {
    const decoder = new NativeDecoder()
    decoder.decode([session({ columns: [1] })])
    expect(decoder.decode([packed(plainColumns(3))])[0]).toMatchObject({ _tag: "Refused" })
    expect(decoder.decode(['{"type":"points","points":[{"timestamp":1}]}'])[0]).toMatchObject({
      _tag: "Rows",
      group: "points"
    })
  })
})

describe("lap messages", () => {
  it("have the lap, with null for times that the feed does not know", () => {
    const full = {
      sector1_time: 30.872,
      sector2_time: 43.13,
      sector3_time: null,
      valid: true,
      start_time: 0,
      end_time: 97.618
    }
    expect(last("LapCompleted", lap(full))).toMatchObject({
      lapNumber: 3,
      lapTime: 97.618,
      sectors: [30.872, 43.13, null],
      valid: true,
      start: 0,
      end: 97.618
    })
    expect(last("LapCompleted", lap({ lap_time: null, valid: null, end_time: null }))).toMatchObject({
      lapNumber: 3,
      lapTime: null,
      sectors: [null, null, null],
      valid: undefined,
      start: undefined,
      end: undefined
    })
  })

  it.each([
    { lap_number: 1.5 },
    { lap_number: "3rd" },
    { lap_number: null },
    { lap_number: 1e300 },
    { lap_time: undefined },
    { lap_time: "97.6" },
    { lap_time: 0 },
    { lap_time: -1 }
  ])("with %j are refused", (more) => {
    expect(last("Refused", lap(more)).points).toBe(0)
  })

  it.each([
    { sector1_time: -0.1 },
    { sector2_time: "x" },
    { valid: 1 },
    { start_time: "0" },
    { start_time: 10, end_time: 10 },
    { start_time: 10, end_time: 9 }
  ])("with %j are taken without that fact, which is named", (more) => {
    const [taken, left] = new NativeDecoder().decode([lap(more)])
    expect(taken).toEqual(last("LapCompleted", lap()))
    expect(left).toMatchObject({ _tag: "Refused", points: 0 })
  })

  it("may have their number as text", () => {
    expect(last("LapCompleted", lap({ lap_number: "3" })).lapNumber).toBe(3)
  })

  it("are refused in a sentence that names the field and the value", () => {
    expect(reasonOf({ lap_number: "x" })).toBe('a lap message: lap_number must be a number, got "x"')
    expect(reasonOf({ lap_number: 1e300 })).toBe(
      "a lap message: lap_number must be an integer of at most 9007199254740991, got 1e+300"
    )
    expect(reasonOf({ lap_time: undefined })).toBe("a lap message: lap_time is missing")
    const left = { start_line: { x1: 1, y1: 2, x2: 3 }, circuit_length: 0 }
    expect(new NativeDecoder().decode([session(left)])[1]).toMatchObject({
      reason:
        "a session message: circuit_length must be a positive number, got 0; start_line.y2 is missing; left out"
    })
  })
})

/** A value at any place of a message. */
const wrapped = (value: string) => [
  value,
  `{"type":${value}}`,
  `{"type":"points","points":${value}}`,
  `{"type":"points","points":[{"timestamp":${value}}]}`,
  `{"type":"points","points":[{}],"sequence":${value}}`,
  `{"type":"session","circuit":"a","vehicle":"b","driver":"c","columns":${value}}`,
  `{"type":"session","circuit":"a","vehicle":"b","driver":"c","start_line":${value}}`,
  `{"type":"session","circuit":"a","vehicle":"b","driver":"c","datetime":${value}}`,
  `{"type":"channels","groups":${value}}`,
  `{"type":"channels","groups":[${value}]}`,
  `{"type":"channels","groups":[{"name":${value}}]}`,
  `{"type":"channels","groups":[{"name":"a","channels":${value}}]}`,
  `{"type":"channels","groups":[{"name":"a","channels":[{"name":"b","labels":${value}}]}]}`,
  `{"type":"points","group":${value},"points":[{}]}`,
  `{"type":"lap","lap_number":${value}}`
]

describe("other messages", () => {
  it("a session ends", () => {
    expect(last("SessionEnded", '{"type":"session_end","why":"finished"}')._tag).toBe("SessionEnded")
  })

  it("of an unknown type, and without points, are ignored", () => {
    const ignored = [
      '{"type":"weather"}',
      '{"type":"welcome","simulator":"x"}',
      '{"type":"points","points":[]}'
    ]
    expect(decodeAll(...ignored)).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ["", 0],
    ["{", 0],
    ["null", 0],
    ["[]", 0],
    ['"points"', 0],
    ["{}", 0],
    ['{"type":1}', 0],
    ['{"type":"points"}', 0],
    ['{"type":"points","points":{}}', 0],
    ['{"type":"points","points":[1]}', 1],
    ['{"type":"points","points":[[]]}', 1],
    ['{"type":"points","points":[1,null,[]]}', 3],
    ["\u0000", 0],
    ['{"type":"points","points":[{"timestamp":1,"speed":NaN},{"timestamp":2}]}', 2],
    ['{"type": "points", "points": [{"timestamp": 1, "speed": -Infinity}', 1]
  ])("%s is one refusal", (message, points) => {
    expect(last("Refused", message).points).toBe(points)
  })

  it("with NaN are refused for it, and their points, or samples, are counted", () => {
    const [points, samples, other] = [
      '{"type":"points","points":[{"timestamp":1,"speed":NaN},{"timestamp":2}]}',
      '{"type":"points","group":"tyres","points":[{"timestamp":1,"tyre_wear": NaN}]}',
      '{"type":"lap","lap_number":1,"lap_time":nan}'
    ].map((text) => last("Refused", text))
    expect(points).toMatchObject({ points: 2, reason: "NaN is not JSON: send null" })
    expect(samples).toMatchObject({ points: 0, samples: 1, reason: "NaN is not JSON: send null" })
    expect(other).toMatchObject({ points: 0, reason: "nan is not JSON: send null" })
    expect(last("Refused", '{"type":"weather","note":"a NaN, or so"').reason).toBe(
      "a text message that is not JSON"
    )
  })

  it("nested without end, or as long as a book, are refused in one short sentence", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
    const long = JSON.stringify("x".repeat(1_000_000))
    for (const message of [...wrapped(deep), ...wrapped(long)]) {
      const events = new NativeDecoder().decode([message])
      const [event] = events
      // Only an unknown type, a session's fact and a point's value are no reason to refuse the message.
      expect([undefined, "Refused", "SessionStarted", "Rows"]).toContain(event?._tag)
      for (const event of events) expect(event._tag === "Refused" ? event.reason.length : 0).toBeLessThan(250)
    }
  })
})

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0

const isSound = (event: SimulatorEvent | undefined) => {
  if (isPoints(event)) {
    return event.batch.length > 0 && event.batch.channels === channels && isCount(event.missing)
  }
  if (isSamples(event)) {
    const { batch, group, missing } = event
    return batch.length > 0 && batch.channels[0] === "timestamp" && group !== "" && isCount(missing)
  }
  if (event?._tag === "ChannelsDeclared") {
    return event.groups.length > 0 && event.groups.every(({ channels }) => channels.length > 0)
  }
  if (event?._tag !== "Refused") return true
  return event.reason.length > 0 && isCount(event.points) && isCount(event.samples ?? 0)
}

const tyres = [
  {
    name: "tyres",
    channels: [
      { name: "tyre_wear", labels: { 1: "soft" } },
      { name: "x", unit: "°C" }
    ]
  }
]

/** Whether each value of rows that a session accepts is a number, or absent if it is not declared. */
const isStorable = (event: SimulatorEvent | undefined) => {
  if (!isPoints(event)) return true
  const { points } = admit(event, new FeedClock(0, 0), { arrival: 0, interval: Number.NaN, next: Infinity })
  return channels.every((channel, c) =>
    points.batch
      .column(channel)
      .every((value) => Number.isFinite(value) || (Number.isNaN(value) && !isDeclared(points.declared, c)))
  )
}

describe("any message at all", () => {
  const valid: ReadonlyArray<string | Buffer> = [
    session({ columns: ["timestamp", "lap_number"], start_line: { x1: 1, y1: 2, x2: 3, y2: 4 } }),
    session({ datetime: "2026-02-13T10:30:00", start_time: 5 }),
    lap({ sector1_time: 1, valid: false, start_time: 0, end_time: 5 }),
    '{"type":"points","sequence":4,"points":[{"timestamp":1.5,"speed":2,"lap_number":1},{"gear":-1}]}',
    '{"type":"session_end"}',
    session({ groups: tyres }),
    JSON.stringify({ type: "channels", groups: [...tyres, { name: "x_more", channels: [{ name: "x_a" }] }] }),
    '{"type":"points","group":"tyres","sequence":4,"points":[{"timestamp":1.5,"tyre_wear":null},{"x":-1}]}',
    packedGroup(
      1,
      [
        [1, 2],
        [3, 4],
        [5, 6]
      ],
      { sequence: 3n }
    ),
    packedGroup(0, plainColumns(3), { sequence: 12n }),
    packed(plainColumns(3), { sequence: 9n }),
    packed([
      [1, 2],
      [3, 4]
    ])
  ]
  const asBytes = FastCheck.constantFrom(...valid).map((message) => Buffer.from(message))
  const bent = FastCheck.tuple(
    asBytes,
    FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.integer({ min: 0, max: 255 })), {
      maxLength: 4
    }),
    FastCheck.nat()
  ).map(([bytes, flips, cut]) => {
    for (const [at, mask] of flips) bytes[at % bytes.length]! ^= mask
    return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes
  })
  const message = FastCheck.oneof(
    bent,
    bent.map((bytes) => bytes.toString("utf8")),
    FastCheck.uint8Array({ maxLength: 200 }),
    FastCheck.json(),
    FastCheck.string(),
    FastCheck.record({
      type: FastCheck.constantFrom("points", "session", "channels", "lap", "session_end"),
      group: FastCheck.constantFrom(undefined, "tyres", "points", 1),
      groups: FastCheck.jsonValue(),
      points: FastCheck.jsonValue(),
      sequence: FastCheck.jsonValue(),
      columns: FastCheck.jsonValue()
    }).map((message) => JSON.stringify(message)),
    FastCheck.constantFrom(...valid)
  )

  it("is an event, a refusal or ignored, never throws, and gives no point with a value that is no number", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(message, { minLength: 60, maxLength: 60 }), (messages) => {
        const decoder = new NativeDecoder()
        for (const message of messages) {
          for (const event of decoder.decode([message])) {
            expect(isSound(event)).toBe(true)
            expect(isStorable(event)).toBe(true)
          }
        }
      }),
      { numRuns: runs(250) }
    )
  })
})

const pointsOf = (count: number, point = "{}") =>
  `{"type":"points","sequence":0,"points":[${Array(count).fill(point).join(",")}]}`

const keyed = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":{"a":1}`).join(",")

describe("a text message that is too large", () => {
  it("by the keys of one object, wherever it is, is refused without being parsed", () => {
    const decoder = new NativeDecoder()
    for (const text of [
      `{"type":"points","points":[],${keyed(20_000)}}`,
      `{"type":"points","points":[{"timestamp":1,${keyed(20_000)}}]}`
    ]) {
      const reason = "a long text message with an object of more than 640 keys"
      expect(decoder.decode([text])).toEqual([{ _tag: "Refused", reason, points: 0 }])
    }
    // As many colons, but in strings, or in many objects.
    const inStrings = `{"type":"points","points":[{"timestamp":1,"said":"${'\\"k\\":'.repeat(20_000)}"}]}`
    const many = pointsOf(20_000, '{"timestamp":1,"speed":2}')
    for (const text of [inStrings, many])
      expect(decoder.decode([text])[0]).toMatchObject({ _tag: "Rows", group: "points" })
  })

  it("of more than 65,536 points is refused with their number, and the next one is read", () => {
    const decoder = new NativeDecoder()
    for (const point of ["{}", "0", '{"s":"}]{[\\"{{"}']) {
      const [event] = decoder.decode([pointsOf(65_537, point)])
      expect(event).toMatchObject({ _tag: "Refused", points: 65_537 })
    }
    expect(decoder.decode([pointsOf(65_536)])[0]).toMatchObject({ _tag: "Rows", group: "points", missing: 0 })
  })

  it("of more than 2 MiB is not even looked at", () => {
    const [event] = new NativeDecoder().decode([new TooLong(2 * 1024 * 1024 + 1)])
    expect(event).toEqual({
      _tag: "Refused",
      reason: "a text message of 2097153 bytes: the limit is 2097152",
      points: 0
    })
  })

  it("and deep is refused without being parsed, in strings and out of them", () => {
    const deep = `{"type":"points","points":[],"x":${"[".repeat(40_000)}${"]".repeat(40_000)}}`
    expect(new NativeDecoder().decode([deep])[0]).toMatchObject({ _tag: "Refused", points: 0 })
    const flat = `{"type":"lap","lap_number":1,"lap_time":1,"x":"${'{[\\"\\\\'.repeat(20_000)}"}`
    expect(new NativeDecoder().decode([flat])[0]).toMatchObject({ _tag: "LapCompleted" })
  })
})

it("no more than one session or 64 laps are decoded in one go; the others are left", () => {
  const decoder = new NativeDecoder()
  const sessions = [lap(), session(), lap(), session()]
  expect(decoder.decode(sessions).map(({ _tag }) => _tag)).toEqual(["LapCompleted", "SessionStarted"])
  expect(decoder.consumed).toBe(2)
  expect(decoder.decode(sessions.slice(2))).toHaveLength(2)
  const messages = Array.from({ length: 100 }, (_, n) => lap({ lap_number: n }))
  expect(decoder.decode(messages)).toHaveLength(64)
  expect(decoder.consumed).toBe(64)
  expect(decoder.decode(messages.slice(64))).toHaveLength(36)
  expect(decoder.consumed).toBe(36)
})
