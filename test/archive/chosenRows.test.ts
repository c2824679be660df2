import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { chooseRows, pointsAlone, type RowsWanted } from "../../src/archive/chosenRows.ts"
import { channelSet } from "../../src/domain/ChannelSet.ts"
import { emptyDictionary } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"

const { dictionary } = emptyDictionary.withDeclared(channelSet("speed", "rpm")).withGroups([
  { name: "tyres", channels: [{ name: "tyre_pressure_fl" }, { name: "tyre_temperature_fl" }] },
  { name: "fuel", channels: [{ name: "fuel" }, { name: "fuel_laps" }] }
])

const choose = (wanted: RowsWanted) => chooseRows(dictionary, wanted)
const refused = (wanted: RowsWanted) =>
  Effect.map(Effect.flip(choose(wanted)), ({ name, value, expected }) => [name, value, expected])

describe("the rows that a request chooses", () => {
  it.effect("are the points alone by default", () =>
    Effect.map(choose({ channels: [] }), (chosen) => expect(chosen).toEqual(pointsAlone))
  )

  it.effect("have channels beside the points, each once, in the dictionary's order", () =>
    Effect.gen(function* () {
      const chosen = yield* choose({ channels: ["fuel_laps", "tyre_*", "fuel_laps", "*_laps", "none_*"] })
      expect(chosen).toEqual({
        columns: [...channels, "tyre_pressure_fl", "tyre_temperature_fl", "fuel_laps"],
        whole: new Set(["gear"]),
        group: undefined,
        beside: [
          { group: "tyres", names: ["tyre_pressure_fl", "tyre_temperature_fl"] },
          { group: "fuel", names: ["fuel_laps"] }
        ],
        isPlaced: false
      })
      const all = yield* choose({ channels: ["*"] })
      expect([all.columns.length, all.columns.at(-1), all.isPlaced]).toEqual([15, "lap_distance", true])
    })
  )

  it.effect("are a group's own samples, with all or some of its channels", () =>
    Effect.gen(function* () {
      expect(yield* choose({ group: "fuel" })).toEqual({
        columns: ["timestamp", "fuel", "fuel_laps"],
        whole: new Set(["gear"]),
        group: "fuel",
        beside: [],
        isPlaced: false
      })
      expect((yield* choose({ group: "tyres", channels: ["tyre_t*"] })).columns).toEqual([
        "timestamp",
        "tyre_temperature_fl"
      ])
      expect((yield* choose({ group: "points" })).columns).toEqual(["timestamp", "speed", "rpm"])
    })
  )

  it.effect("have whole numbers for flags, codes and counts, not for quantities that hold a while", () =>
    Effect.gen(function* () {
      const { dictionary } = emptyDictionary.withGroups([
        {
          name: "timing",
          channels: [{ name: "race_position" }, { name: "best_lap_time" }, { name: "gap_ahead" }]
        },
        { name: "wheels", channels: [{ name: "on_kerb_fl" }, { name: "own_flag", kind: "flag" }] }
      ])
      const chosen = yield* chooseRows(dictionary, { channels: ["*"] })
      const whole = chosen.columns.filter((column) => chosen.whole.has(column))
      expect(whole).toEqual(["gear", "race_position", "on_kerb_fl", "own_flag"])
    })
  )

  it.effect("are refused if the session lacks them, with the list of existing ones", () =>
    Effect.gen(function* () {
      expect(yield* refused({ channels: ["fuel", "feul"] })).toEqual([
        "channels",
        "feul",
        "among tyre_pressure_fl, tyre_temperature_fl, fuel, fuel_laps, lap_distance"
      ])
      expect(yield* refused({ group: "tyre" })).toEqual(["group", "tyre", "one of points, tyres, fuel"])
      expect(yield* refused({ group: "fuel", channels: ["tyre_pressure_fl"] })).toEqual([
        "channels",
        "tyre_pressure_fl",
        "among fuel, fuel_laps"
      ])
      // A group's own samples do not include the ten channels.
      expect((yield* refused({ group: "fuel", channels: ["speed"] }))[1]).toBe("speed")
    })
  )

  it.effect("match a pattern as the equivalent regular expression does", () =>
    Effect.gen(function* () {
      const letters = fc.stringMatching(/^[ab]{1,6}$/)
      const cases = fc.sample(
        fc.tuple(fc.stringMatching(/^[ab*]{1,6}$/), fc.uniqueArray(letters, { minLength: 1, maxLength: 8 })),
        500
      )
      for (const [pattern, names] of cases) {
        if (!pattern.includes("*")) continue
        const own = emptyDictionary.withGroups([
          { name: "own", channels: names.map((name) => ({ name })) }
        ]).dictionary
        const { beside } = yield* chooseRows(own, { channels: [pattern] })
        const expected = names.filter((name) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name))
        expect(beside.flatMap((group) => group.names)).toEqual(expected)
      }
    })
  )
})
