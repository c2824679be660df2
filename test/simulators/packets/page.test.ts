/** The tables of channels in docs/simulators.md, and the maps from which they are made. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { withChannels } from "../../../tools/docs/writeSimulatorChannels.ts"
import { emptyDictionary } from "../../../src/domain/Dictionary.ts"
import { namedChannel } from "../../../src/domain/vocabulary.ts"
import { channels as acc } from "../../../src/simulators/drivers/acc/channels.ts"
import { channels as f1 } from "../../../src/simulators/drivers/f1/channels.ts"
import { channels as forza } from "../../../src/simulators/drivers/forza/channels.ts"

const simulators = { acc: { all: acc }, f1, forza }

it("docs/simulators.md has the channels of each simulator", () => {
  const page = readFileSync(new URL("../../../docs/simulators.md", import.meta.url), "utf8")
  expect(withChannels(page)).toBe(page)
  expect(page).toContain("`forza_slip_ratio_*`")
})

const maps = Object.entries(simulators).flatMap(([simulator, versions]) =>
  Object.entries(versions).map(([version, map]) => ({ simulator, version, map }))
)

describe.each(maps)("channels of $simulator $version", ({ map, simulator }) => {
  it("go into one session, each reported", () => {
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
