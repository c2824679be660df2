import { describe, expect, it } from "@effect/vitest"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { decodeTogether, last, packedGroup, session } from "./messages.ts"
import { isSamples } from "../rows.ts"

const declare = (...groups: ReadonlyArray<unknown>) => JSON.stringify({ type: "channels", groups })
const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ name: `x_${from + n}` }))

/** `count` columns of one sample. */
const ones = (count: number) => Array.from({ length: count }, () => [1])

const many = (text: string, count: number) => Array(count).fill(text).join(",")

describe("groups", () => {
  it("take a list of labels for those of the codes from 0 on", () => {
    const groups = [{ name: "x_g", channels: [{ name: "x_a", labels: ["off", "on"] }] }]
    expect(
      last("ChannelsDeclared", JSON.stringify({ type: "channels", groups })).groups[0]?.channels
    ).toMatchObject([{ labels: { 0: "off", 1: "on" } }])
  })

  it("are declared in a session message, after it, or by themselves", () => {
    const groups = [{ name: "tyres", channels: [{ name: "tyre_pressure_fl" }] }]
    const declared = [{ name: "tyres", channels: [expect.objectContaining({ name: "tyre_pressure_fl" })] }]
    const decoder = new NativeDecoder()
    expect(decoder.decode([session({ groups })])).toMatchObject([
      { _tag: "SessionStarted" },
      { _tag: "ChannelsDeclared", groups: declared }
    ])
    expect(decoder.decode([declare(...groups)])).toMatchObject([
      { _tag: "ChannelsDeclared", groups: declared }
    ])
    expect(decoder.decode([session({ groups: null })])).toMatchObject([{ _tag: "SessionStarted" }])
    expect(decoder.decode([session({ groups: [] })])).toMatchObject([{ _tag: "SessionStarted" }])
  })

  it("have all values of a channel, without characters that no store keeps", () => {
    const channel = {
      name: "x_mode",
      unit: "°C",
      kind: "step",
      description: " two\r\nlines\u0000 and \ud800 ",
      labels: { 16: "soft\u0000", "\u0000": "x" },
      colour: "red"
    }
    expect(last("ChannelsDeclared", declare({ name: "x_g", channels: [channel] })).groups).toEqual([
      {
        name: "x_g",
        channels: [
          {
            name: "x_mode",
            unit: "°C",
            kind: "step",
            description: "two lines  and \ufffd",
            labels: { 16: "soft", "": "x" }
          }
        ]
      }
    ])
    const nothing = { name: "x_a", unit: null, kind: null, description: null, labels: null }
    expect(
      last("ChannelsDeclared", declare({ name: "x_g", channels: [nothing] })).groups[0]!.channels
    ).toEqual([{ name: "x_a", unit: undefined, kind: undefined, description: undefined, labels: undefined }])
  })

  const longest = {
    unit: "°".repeat(32),
    description: "😀".repeat(256),
    labels: Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n, "a".repeat(64)]))
  }

  it("may have texts of the greatest length", () => {
    const channel = { name: "x".repeat(63), ...longest }
    const { groups } = last("ChannelsDeclared", declare({ name: "y".repeat(63), channels: [channel] }))
    expect(groups).toEqual([
      { name: "y".repeat(63), channels: [{ ...longest, name: "x".repeat(63), kind: undefined }] }
    ])
  })

  it.each([
    ["no object", 5],
    ["null", null],
    ["a name that is none", { name: 5 }],
    ["a name too long", { name: "x".repeat(64) }],
    ["a unit too long", { unit: `${longest.unit}x` }],
    ["a unit that is no text", { unit: 1 }],
    ["another kind", { kind: "wave" }],
    ["a description too long", { description: `${longest.description}x` }],
    ["labels that are none", { labels: "a" }],
    ["a label that is no text", { labels: { a: 1 } }],
    ["a label too long", { labels: { a: "x".repeat(65) } }],
    ["a code too long", { labels: { ["x".repeat(65)]: "a" } }],
    ["too many labels", { labels: { ...longest.labels, more: "" } }]
  ])("with a channel of %s have that one refused, and its column stays in packed samples", (_, wrong) => {
    const broken = typeof wrong === "object" && wrong !== null ? { name: "x_broken", ...wrong } : wrong
    const decoder = new NativeDecoder()
    const message = declare({ name: "x_g", channels: [{ name: "x_a" }, broken, { name: "x_b" }] })
    expect(decoder.decode([message])).toMatchObject([
      { _tag: "ChannelsDeclared", groups: [{ channels: [{ name: "x_a" }, { name: "x_b" }] }] },
      { _tag: "Refused", points: 0 }
    ])
    const [event] = decoder.decode([packedGroup(1, [[1], [2], [3], [4]])])
    const batch = isSamples(event) ? event.batch : undefined
    expect([batch?.column("timestamp")[0], batch?.column("x_a")[0], batch?.column("x_b")[0]]).toEqual([
      1, 2, 4
    ])
  })

  it.each([
    ["no object", 5],
    ["no name", { channels: [{ name: "x_a" }] }],
    ["the name points", { name: "points", channels: [{ name: "x_a" }] }],
    ["a name too long", { name: "x".repeat(64), channels: [] }]
  ])("of %s are refused, and keep their index", (_, broken) => {
    const decoder = new NativeDecoder()
    const message = declare(broken, { name: "x_g", channels: [{ name: "x_b" }] })
    expect(decoder.decode([message])).toMatchObject([
      { _tag: "ChannelsDeclared", groups: [{ name: "x_g" }] },
      { _tag: "Refused" }
    ])
    expect(decoder.decode([packedGroup(2, [[1], [2]])])).toMatchObject([{ _tag: "Rows", group: "x_g" }])
    expect(decoder.decode([packedGroup(1, [[1], [2]])])).toMatchObject([{ _tag: "Refused", samples: 1 }])
  })

  it("that are no array, or missing, are refused, and the session begins all the same", () => {
    for (const groups of [5, {}, "tyres"]) {
      expect(last("Refused", JSON.stringify({ type: "channels", groups })).points).toBe(0)
      expect(new NativeDecoder().decode([session({ groups })])).toMatchObject([
        { _tag: "SessionStarted" },
        { _tag: "Refused" }
      ])
    }
    expect(last("Refused", '{"type":"channels"}').points).toBe(0)
  })

  it("of a session message with another mistake are declared all the same", () => {
    const message = session({ circuit: 1, groups: [{ name: "x_g", channels: [{ name: "x_a" }] }] })
    expect(new NativeDecoder().decode([message])).toMatchObject([
      { _tag: "SessionStarted" },
      { _tag: "Refused" },
      { _tag: "ChannelsDeclared" }
    ])
  })

  it("grow at their end; a channel that is declared again keeps its place", () => {
    const decoder = new NativeDecoder()
    const columns = () => {
      const [event] = decoder.decode(['{"type":"points","group":"x_g","points":[{"x_a":1,"x_b":2,"x_c":3}]}'])
      return isSamples(event) ? event.batch.channels : undefined
    }
    decoder.decode([declare({ name: "x_g", channels: [{ name: "x_a" }] })])
    expect(columns()).toEqual(["timestamp", "x_a"])
    const more = { name: "x_g", channels: [{ name: "x_c" }, { name: "x_a", unit: "m" }, { name: "x_c" }] }
    // The dictionary decides whether the other unit is refused.
    expect(decoder.decode([declare({ name: "x_h", channels: [] }, more)])).toMatchObject([
      { _tag: "ChannelsDeclared", groups: [{ name: "x_g", channels: [{}, { unit: "m" }, {}] }] }
    ])
    decodeTogether(decoder, [session(), declare({ name: "x_g", channels: [{ name: "x_b" }] })])
    expect(columns()).toEqual(["timestamp", "x_a", "x_c", "x_b"])
    expect(decoder.decode([packedGroup(1, [[1], [2], [3], [4]])])).toMatchObject([{ _tag: "Rows" }])
    // The group without channels has its index all the same.
    expect(decoder.decode([packedGroup(2, [[1]])])).toMatchObject([{ _tag: "Rows", group: "x_h" }])
  })

  it("are at most 32, with 512 channels in all, on one link", () => {
    const decoder = new NativeDecoder()
    const groups = Array.from({ length: 32 }, (_, n) => ({ name: `x_g${n}`, channels: names(15, n * 15) }))
    expect(decoder.decode([declare(...groups)])).toMatchObject([{ _tag: "ChannelsDeclared" }])
    expect(decoder.decode([declare({ name: "x_more", channels: names(1, 900) })])).toMatchObject([
      { _tag: "Refused" }
    ])
    const [declared, refused] = decoder.decode([declare({ name: "x_g0", channels: names(33, 600) })])
    expect(declared).toMatchObject({ groups: [{ name: "x_g0", channels: { length: 32 } }] })
    expect(refused).toMatchObject({ _tag: "Refused" })
    // A feed that counts on more columns than that is no longer understood in this group, and never misread.
    expect(decoder.decode([packedGroup(1, ones(1 + 15 + 33))])).toMatchObject([{ _tag: "Refused" }])
    expect(decoder.decode([packedGroup(1, ones(1 + 15 + 32))])).toMatchObject([{ _tag: "Rows" }])
  })

  it("are read only up to the limits", () => {
    const decoder = new NativeDecoder()
    for (const groups of [
      many('{"name":5}', 60_000),
      `{"name":"x_g","channels":[${many('{"name":"x_a","unit":5}', 60_000)}]}`,
      many(`{"name":"x_g","channels":[${many('{"name":"x_a"}', 100)}]}`, 1000)
    ]) {
      const events = decoder.decode([`{"type":"channels","groups":[${groups}]}`])
      expect(events.at(-1)).toMatchObject({ _tag: "Refused" })
      const channels = events.flatMap((event) =>
        event._tag === "ChannelsDeclared" ? event.groups.flatMap((group) => group.channels) : []
      )
      expect(channels.length).toBeLessThanOrEqual(512)
    }
  })
})
