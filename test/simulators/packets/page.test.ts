/** The tables of channels in docs/simulators, and the maps from which they are made. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { pages } from "../../../tools/docs/writeSimulatorChannels.ts"
import { emptyDictionary } from "../../../src/domain/Dictionary.ts"
import { namedChannel } from "../../../src/domain/vocabulary.ts"
import { channels as acc } from "../../../src/simulators/drivers/acc/channels.ts"
import { channels as f1 } from "../../../src/simulators/drivers/f1/channels.ts"
import { channels as forza } from "../../../src/simulators/drivers/forza/channels.ts"

const simulators = { acc: { all: acc }, f1, forza }

it.each(pages)("docs/simulators/$name.md has the simulator's channels", ({ expected, text }) => {
  expect(text).toBe(expected)
})

it("each page is linked from docs/simulators.md", () => {
  const folder = new URL("../../../docs/simulators/", import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"))
  expect(names.toSorted()).toEqual(
    [...pages.map(({ name }) => name), "native"].map((name) => `${name}.md`).toSorted()
  )
  const index = readFileSync(new URL("../simulators.md", folder), "utf8")
  for (const name of names) expect(index).toContain(`](simulators/${name})`)
})

const maps = Object.entries(simulators).flatMap(([simulator, versions]) =>
  Object.entries(versions).map(([version, map]) => ({ simulator, version, map }))
)

describe.each(maps)("channels of $simulator $version", ({ map, simulator }) => {
  it("go into one session, each declared", () => {
    const { dictionary, refused } = emptyDictionary.withGroups(map.declarations)
    expect(refused).toEqual([])
    expect(dictionary.groups.map(({ columns }) => columns)).toEqual(map.groups.map(({ columns }) => columns))
  })

  it("are in the vocabulary, or begin with the simulator's name and have a unit", () => {
    for (const { channels, name: group } of map.declarations) {
      for (const { name, unit } of channels) {
        const isOwn = namedChannel(name) === undefined
        const begins = [name, group].map((text) => text.startsWith(`${simulator}_`))
        expect([name, ...begins]).toEqual([name, isOwn, isOwn])
        expect([name, typeof unit]).toEqual([name, isOwn ? "string" : "undefined"])
      }
    }
  })
})
