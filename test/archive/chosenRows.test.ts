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

describe("what of a session's rows is asked for", () => {
  it.effect("the points alone, where nothing is said", () =>
    Effect.map(choose({ channels: [] }), (chosen) => expect(chosen).toEqual(pointsAlone))
  )

  it.effect("channels beside the points, each once, in the dictionary's order", () =>
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

  it.effect("a group's own samples, whole or some of its channels", () =>
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

  it.effect("flags, codes and counts are whole numbers, and quantities that hold for a while are not", () =>
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

  it.effect("refuses what the session lacks, and says what there is", () =>
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
      // A group's own samples have none of the ten.
      expect((yield* refused({ group: "fuel", channels: ["speed"] }))[1]).toBe("speed")
    })
  )

  it.effect("a pattern finds what a regular expression does", () =>
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
