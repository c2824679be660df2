import { describe, expect, it } from "vitest"
import { emptyDictionary, MAX_CHANNELS } from "../../src/domain/Dictionary.ts"
import { vocabulary } from "../../src/domain/vocabulary.ts"

/** A channel of slightly more than this many KiB. */
const channel = (name: string, size: number) => ({
  name,
  labels: Object.fromEntries(Array.from({ length: size }, (_, n) => [n, "x".repeat(1024)]))
})

describe("a session's dictionary of channels", () => {
  it("has at most 256 KiB: a channel beyond that is refused, a smaller one is not", () => {
    const first = emptyDictionary.withGroups([
      { name: "x_g", channels: [channel("x_a", 100), channel("x_b", 100)] }
    ])
    expect(first.refused).toEqual([])
    const more = [
      { name: "x_g", channels: [channel("x_c", 60), channel("x_a", 100), channel("x_d", 40)] },
      { name: "x_h", channels: [channel("x_e", 20)] }
    ]
    const { dictionary, refused } = first.dictionary.withDeclared(1).withGroups(more)
    const reason = "the declarations of a session's channels are limited to 256 KiB"
    expect(refused).toEqual([
      { group: "x_g", channel: "x_c", reason },
      { group: "x_h", channel: "x_e", reason }
    ])
    expect(dictionary.groups.map(({ columns }) => columns)).toEqual([["timestamp", "x_a", "x_b", "x_d"]])
    expect(dictionary.bytes).toBeGreaterThan(240 * 1024)
    expect(dictionary.bytes).toBeLessThanOrEqual(256 * 1024)
  })

  it("is measured as it is stored, in UTF-8", () => {
    const { dictionary } = emptyDictionary.withGroups([
      { name: "x_g", channels: [{ name: "x_a", unit: "°C" }] }
    ])
    const [definition] = dictionary.groups[0]!.channels
    expect(dictionary.bytes).toBe(Buffer.byteLength(JSON.stringify(definition)))
  })

  it("has room for the largest number of channels, and for the whole vocabulary", () => {
    const names = Array.from({ length: MAX_CHANNELS }, (_, n) => ({
      name: `x_${n}`.padEnd(63, "_"),
      unit: "x".repeat(32),
      description: "x".repeat(256)
    }))
    expect(emptyDictionary.withGroups([{ name: "x_g", channels: names }]).refused).toEqual([])
    const known = emptyDictionary.withGroups(vocabulary)
    expect(known.refused).toEqual([])
    expect(known.dictionary.bytes).toBeLessThan(64 * 1024)
  })
})
