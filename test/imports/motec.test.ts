/** MoTeC's logs, against the values that ldparser found in them. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { beaconsOfAdl, beaconsOfLdx } from "../../src/imports/readers/motec/ldLaps.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, timesOf, valuesOf } from "./readFile.ts"

const FORMATS = "data/formats"
const file = (name: string) => `${sharedFolder(FORMATS)}/${name}`

interface Expected {
  readonly driver: string
  readonly vehicle: string
  readonly venue: string
  readonly datetime_local: string
  readonly channels: ReadonlyArray<{
    readonly name: string
    readonly rate: number
    readonly samples: number
    readonly first: number | null
    readonly last: number | null
    readonly min: number
    readonly max: number
    readonly nan: number
    readonly sum: number
  }>
}
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(file(`${name}.expected.json`), "utf8")) as Expected

/** Relative: ldparser multiplies by powers of ten where a division is exact, and numpy adds sums in pairs. */
const close = (value: number, wanted: number, tolerance: number) =>
  Math.abs(value - wanted) <= tolerance * Math.abs(wanted)

describe("MoTeC", needing(formatsHere), () => {
  it.each(["motec-m1", "motec-nan"])("%s has the samples that another reader found", async (name) => {
    const expected = expectedOf(name)
    const { format, groups, partial, sessions } = await readFile(file(`${name}.ld`))
    expect([format, partial, sessions.length]).toEqual(["motec-ld", undefined, 1])
    const [session] = sessions
    expect(session!.started).toMatchObject({
      circuit: expected.venue,
      vehicle: expected.vehicle,
      driver: expected.driver,
      datetime: Date.parse(`${expected.datetime_local}Z`) / 1000
    })
    const own = groups
      .flatMap(({ channels }) => channels)
      .flatMap(({ description = "", name }) => {
        const [, original] = /^"([^"]+)", [\d.]+ Hz/.exec(description) ?? []
        return original === undefined ? [] : [[original, name] as const]
      })
    expect(own.length).toBeGreaterThan(20)
    for (const [original, channel] of own) {
      const wanted = expected.channels.find((one) => one.name === original)!
      const all = valuesOf(session!, channel)
      const times = timesOf(session!, channel)
      // A group has a row for each sample of its own rate, absent ones where all of its channels are.
      const values = all.filter((value) => !Number.isNaN(value))
      expect([original, values.length]).toEqual([original, wanted.samples - wanted.nan])
      const ends = [Math.min(...values), Math.max(...values), ...(wanted.first === null ? [] : [all[0]!])]
      const others = [wanted.min, wanted.max, wanted.first]
      ends.forEach((end, n) => expect([original, close(end, others[n]!, 4e-16)]).toEqual([original, true]))
      const sum = values.reduce((total, value) => total + value, 0)
      expect([original, close(sum, wanted.sum, 1e-9)]).toEqual([original, true])
      const start = session!.started.datetime!
      const off = times
        .map((time) => (time - start) * wanted.rate)
        .map((row) => Math.abs(row - Math.round(row)))
      // Epoch doubles resolve 0.24 us.
      expect([original, Math.max(...off) < 1e-4]).toEqual([original, true])
    }
  })

  it("reads channels of the vocabulary in its units, at their own times", async () => {
    const { sessions } = await readFile(file("motec-m1.ld"))
    const wanted = expectedOf("motec-m1").channels.find(({ name }) => name === "Engine Speed")!
    // A slower clock than that of the gear ends 0.03 s before it.
    const rpm = valuesOf(sessions[0]!, "rpm").filter((value) => !Number.isNaN(value))
    expect([rpm[0], Math.max(...rpm)]).toEqual([wanted.first, wanted.max])
    const gear = expectedOf("motec-m1").channels.find(({ name }) => name === "Gear")!
    expect(Math.max(...valuesOf(sessions[0]!, "gear").filter((value) => !Number.isNaN(value)))).toBe(gear.max)
  })

  it("has the laps of the beacons beside the log, whatever their order and notation", async () => {
    const { facts, sessions } = await readFile(file("motec-m1.ld"))
    expect(sessions[0]!.laps.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual([
      [0, null, false],
      [1, 112.47525, undefined],
      [2, 111.50375, undefined],
      [3, null, false]
    ])
    expect(facts[0]!["laps_from"]).toBe("beacons of the .ldx file")
  })
})

describe("beacons", () => {
  it("of an .ldx file with a DTD are not read", () => {
    const marker = '<MarkerGroup Name="Beacons"><Marker Time="1000000"/></MarkerGroup>'
    expect(beaconsOfLdx(`<LDXFile>${marker}</LDXFile>`)).toEqual([1])
    expect(beaconsOfLdx(`<!DOCTYPE LDXFile [<!ENTITY a "b">]><LDXFile>${marker}</LDXFile>`)).toBeUndefined()
    expect(beaconsOfLdx(marker)).toBeUndefined()
  })

  it("of an ADL's channel are those of the line, to the millisecond", () => {
    // At 2 s a sequence: the offset of 250 ms, then code 100; at 6 s a split (56); at 9 s code 2 with -100 ms.
    const values = Float64Array.from([
      0,
      0,
      -1,
      16_384 + 250,
      100,
      0,
      -1,
      16_384 + 10,
      56,
      -1,
      32_768 - 100,
      2
    ])
    expect(beaconsOfAdl(values, 1)).toEqual([1.25, 7.9])
  })
})
