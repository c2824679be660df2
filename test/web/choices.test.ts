/** Choices that the pages keep in addresses: channels, and arranged overlays. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { choicesOf, chosenOf, inPanels, MAX_SHOWN, usualNames } from "../../web/src/live/channels.ts"
import { overlays } from "../../web/src/overlays/catalog.ts"
import { MAX_ITEMS, MIN_SIZE, readItems, writeItems } from "../../web/src/overlays/layoutItems.ts"
import type { Channel } from "../../web/src/types.ts"
import { root } from "../tools/sources.ts"

const channel = (name: string, group: string, unit = ""): Channel => ({
  name,
  unit,
  kind: "continuous",
  group,
  description: "",
  labels: {},
  derived: false,
  samples: 1,
  rate: 1,
  first: 0,
  last: 1
})

const ofWheels = (name: string, group: string) =>
  ["fl", "fr", "rl", "rr"].map((wheel) => channel(`${name}_${wheel}`, group))

const usual = (...channels: ReadonlyArray<Channel>) => usualNames(choicesOf(channels))

describe("channels to choose from", () => {
  const dictionary = [
    channel("speed", "points"),
    { ...channel("lap_distance", "lap"), derived: true },
    channel("g_lateral", "motion", "g"),
    ...ofWheels("tyre_temperature", "tyres"),
    ...ofWheels("tyre_pressure", "tyres"),
    channel("fuel", "fuel", "l"),
    ...Array.from({ length: 7 }, (_, k) => ofWheels(`own_${k}`, "own")).flat()
  ]
  const choices = choicesOf(dictionary)

  it("are those that are not a point's own, with the four wheels as one", () => {
    expect(choices.slice(0, 4).map(({ channels, name }) => [name, channels.length])).toEqual([
      ["g_lateral", 1],
      ["tyre_temperature_*", 4],
      ["tyre_pressure_*", 4],
      ["fuel", 1]
    ])
    expect(usualNames(choices)).toEqual(["tyre_temperature_*", "tyre_pressure_*", "fuel"])
  })

  it("are tyres and fuel at first: of several temperatures the panel's one, and all fuel channels", () => {
    const tyres = [
      ...ofWheels("tyre_inner_edge_temperature", "tyres"),
      ...ofWheels("tyre_surface_temperature", "tyres"),
      channel("tyre_age", "tyres")
    ]
    const fuel = [channel("fuel_mass", "fuel"), channel("fuel_laps_surplus", "fuel")]
    expect(usual(...tyres, ...fuel)).toEqual([
      "tyre_surface_temperature_*",
      "tyre_age",
      "fuel_mass",
      "fuel_laps_surplus"
    ])
    expect(usual(...ofWheels("tyre_air_temperature", "tyres"))).toEqual(["tyre_air_temperature_*"])
  })

  it("are at first another set without tyres and fuel, and none without any set", () => {
    const forces = channel("g_lateral", "motion", "g")
    expect(usual(channel("clutch", "controls"), forces)).toEqual(["g_lateral"])
    expect(usual(channel("clutch", "controls"))).toEqual(["clutch"])
    expect(usual(channel("tyre_age", "tyres"), forces)).toEqual(["g_lateral"])
    expect(usual(channel("race_position", "lap"))).toEqual([])
    // Tyres have a panel only with a channel of each wheel; a compound alone is drawn as a strip.
    expect(inPanels(["tyre_age", "g_lateral"])).toEqual([])
    expect(inPanels(["tyre_temperature_*", "tyre_surface_temperature_*", "tyre_age", "clutch"])).toEqual([
      "tyre_temperature_*",
      "tyre_age"
    ])
  })

  it("are shown up to the limit, and the others are counted", () => {
    const all = chosenOf(
      choices,
      choices.map(({ name }) => name)
    )
    expect(all.channels).toBeLessThanOrEqual(MAX_SHOWN)
    expect(all.shown.length + all.leftOut).toBe(choices.length)
    expect(all.leftOut).toBeGreaterThan(0)
    // Channels that the session lacks are not shown, and do not count.
    expect(chosenOf(choices, ["fuel", "nothing"])).toMatchObject({ channels: 1, leftOut: 0 })
  })
})

describe("overlays", () => {
  it("are each drawn by the file of their name", () => {
    const files = readdirSync(join(root, "web/src/overlays")).filter((name) => name.endsWith(".tsx"))
    expect(files.map((name) => name.replace(".tsx", "").toLowerCase()).toSorted()).toEqual(
      overlays.map(({ name }) => name).toSorted()
    )
  })

  it("have their rows in docs/overlays.md, with their sizes", () => {
    const docs = readFileSync(join(root, "docs/overlays.md"), "utf8")
    const rows = [
      ...docs.matchAll(/^\| `\/overlay\/(\w+)` \| .* \| (\d+) × (\d+) \| (\d+) × (\d+) \|$/gm)
    ].map(([, name, ...sizes]) => [name, ...sizes.map(Number)])
    expect(rows).toEqual([
      ...overlays.map(({ name, tall, wide }) => [name, ...wide, ...tall]),
      ["layout", 1920, 1080, 1080, 1920]
    ])
  })

  it("are read from the valid parts of an address", () => {
    expect(readItems("timer,2,3,24,17;none,1,1,10,10;map,1,2,3;delta,x,0,10,10;revs,95,99,20,0")).toEqual([
      { name: "timer", x: 2, y: 3, width: 24, height: 17 },
      // Moved into the picture, and made large enough to be grabbed.
      { name: "revs", x: 80, y: 97, width: 20, height: MIN_SIZE }
    ])
    expect(readItems(null)).toEqual([])
    expect(readItems("timer,0,0,9,9;".repeat(100)).length).toBe(MAX_ITEMS)
  })

  it.prop(
    "are the same after a round trip through an address",
    {
      items: FastCheck.array(
        FastCheck.tuple(
          FastCheck.constantFrom(...overlays.map(({ name }) => name)),
          FastCheck.double({ min: -50, max: 150, noNaN: true }),
          FastCheck.double({ min: -50, max: 150, noNaN: true }),
          FastCheck.double({ min: 0, max: 200, noNaN: true }),
          FastCheck.double({ min: 0, max: 200, noNaN: true })
        ),
        { maxLength: 5 }
      )
    },
    ({ items }) => {
      const read = readItems(items.map((item) => item.join(",")).join(";"))
      expect(read.length).toBe(items.length)
      expect(readItems(writeItems(read))).toEqual(read)
    }
  )
})
