import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { channelsPage } from "../../tools/docs/writeChannels.ts"
import { emptyDictionary, MAX_CHANNELS, MAX_GROUPS } from "../../src/domain/Dictionary.ts"
import { vocabulary } from "../../src/domain/vocabulary.ts"

const names = vocabulary.flatMap(({ channels }) => channels.map(({ name }) => name))

/** The specification, which lies beside the checkout, if at all. */
const spec = new URL("../../../shared/spec/channels.md", import.meta.url)

describe("the vocabulary", () => {
  it("has each name once, and goes into one session whole", () => {
    expect(new Set(names).size).toBe(names.length)
    const { dictionary, refused } = emptyDictionary.withGroups(vocabulary)
    expect(refused).toEqual([])
    expect(dictionary.groups).toHaveLength(vocabulary.length)
    expect(vocabulary.length).toBeLessThanOrEqual(MAX_GROUPS)
    expect(names.length).toBeLessThanOrEqual(MAX_CHANNELS)
  })

  it("equals the table in docs/channels.md", () => {
    expect(readFileSync(new URL("../../docs/channels.md", import.meta.url), "utf8")).toBe(channelsPage)
  })

  it.skipIf(!existsSync(spec))("has the names of the specification, in its groups", () => {
    const rows = readFileSync(spec, "utf8")
      .split("## 6. Names")[1]!
      .matchAll(/^\| ([a-z_]+) \| (.*) \|$/gm)
    const wanted = [...rows].filter(([, group]) => group !== "group" && group !== "kind")
    // The group of receivers came with the imports of files (formats.md, section 2).
    const others = vocabulary.filter(({ name }) => name !== "gps")
    expect(wanted.map(([, group]) => group)).toEqual(others.map(({ name }) => name))
    for (const [, group, text] of wanted) {
      const own = new Set(vocabulary.find(({ name }) => name === group)!.channels.map(({ name }) => name))
      const words = text!.replaceAll(/\([^)]*\)|\.{3}/g, "").split(/[,;:]/)
      const known = words
        .map((name) => name.trim())
        .filter((name) => /^[a-z][a-z0-9_]*$/.test(name) && name !== "each")
      const missing = known.filter((name) => !own.has(name) && !own.has(`${name}_fl`))
      expect([group, missing]).toEqual([group, []])
      // And no others: a wheel's name stands for four channels.
      const covered = [...own].filter(
        (name) => !known.includes(name) && !known.includes(name.replace(/_(fl|fr|rl|rr)$/, ""))
      )
      expect([group, covered]).toEqual([group, []])
    }
  })
})
