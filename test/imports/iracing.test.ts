/** iRacing's files, against the values that pyirsdk found in them. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, type ReadSession, valuesOf } from "./readFile.ts"

const FORMATS = "data/formats"
const file = (name: string) => `${sharedFolder(FORMATS)}/${name}`

interface Expected {
  readonly channels: Readonly<
    Record<
      string,
      { readonly at: Readonly<Record<string, number>>; readonly min: number; readonly sum: number }
    >
  >
  readonly laps?: ReadonlyArray<{
    readonly session: number
    readonly lap: number
    readonly lap_time: number
    readonly start: number
    readonly end: number
    readonly valid: boolean
    readonly sectors: ReadonlyArray<number>
  }>
}
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(file(`${name}.expected.json`), "utf8")) as Expected

const joined = (sessions: ReadonlyArray<ReadSession>, channel: string) =>
  sessions.flatMap((session) => valuesOf(session, channel))

/** Channels that are a variable's values, perhaps in another unit. */
const same: ReadonlyArray<readonly [variable: string, channel: string, convert: (value: number) => number]> =
  [
    ["SessionTime", "session_time", (v) => v],
    ["SessionTick", "iracing_sessiontick", (v) => v],
    ["Speed", "speed", (v) => Math.fround(v * 3.6)],
    ["RPM", "rpm", (v) => v],
    ["Gear", "gear", (v) => v],
    ["Throttle", "throttle", (v) => v],
    ["Brake", "brake", (v) => v],
    ["Clutch", "clutch", (v) => Math.fround(1 - v)],
    ["Lat", "latitude", (v) => v],
    ["Lon", "longitude", (v) => v],
    ["Alt", "altitude", (v) => v],
    ["Lap", "current_lap", (v) => v],
    ["LapDist", "lap_distance", (v) => v],
    ["LapDistPct", "lap_fraction", (v) => v],
    ["FuelLevel", "fuel", (v) => v],
    ["OnPitRoad", "in_pit", (v) => v],
    ["EngineWarnings", "iracing_enginewarnings", (v) => v],
    ["LFpressure", "tyre_pressure_fl", (v) => v],
    ["YawRate", "yaw_rate", (v) => Math.fround(-v * (180 / Math.PI))]
  ]

describe("iRacing", needing(formatsHere), () => {
  it.each(["iracing-made", "iracing-pits"])("%s has the values that another reader found", async (name) => {
    const { format, partial, sessions } = await readFile(file(`${name}.ibt`))
    expect([format, partial]).toEqual(["iracing-ibt", undefined])
    const { channels } = expectedOf(name)
    for (const [variable, channel, convert] of same) {
      const values = joined(sessions, channel)
      for (const [row, value] of Object.entries(channels[variable]!.at)) {
        expect([variable, row, values[Number(row)]]).toEqual([variable, row, convert(value)])
      }
    }
  })

  it("keeps every other variable under a name of its own, all values to the bit", async () => {
    const { groups, sessions } = await readFile(file("iracing-pits.ibt"))
    const { channels } = expectedOf("iracing-pits")
    const own = groups.find(({ name }) => name === "iracing")!.channels
    expect(own.length).toBeGreaterThan(150)
    for (const { description, name } of own) {
      const [, variable] = /^"([^"]+)"/.exec(description!)!
      const values = joined(sessions, name)
      const expected = channels[variable!]!
      expect([variable, Object.keys(expected.at).map((row) => values[Number(row)])]).toEqual([
        variable,
        Object.values(expected.at)
      ])
    }
  })

  it("has the laps as iRacing timed them, with their sectors", async () => {
    const { facts, sessions } = await readFile(file("iracing-made.ibt"))
    const { laps } = expectedOf("iracing-made")
    expect(sessions.map(({ started }) => [started.circuit, started.vehicle, started.driver])).toEqual([
      ["Made Ring: the long one - Grand Prix", "Kestrel GT-R3", "*José: the Quick"],
      ["Made Ring: the long one - Grand Prix", "Kestrel GT-R3", "*José: the Quick"]
    ])
    const timed = sessions.map(({ laps }) => laps.filter(({ lapTime }) => lapTime !== null))
    for (const [n, session] of timed.entries()) {
      const wanted = laps!.filter((lap) => lap.session === n)
      expect(session.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual(
        wanted.map(({ lap, lap_time, valid }) => [lap, lap_time, valid])
      )
      const zero = sessions[n]!.started.datetime! - valuesOf(sessions[n]!, "session_time")[0]!
      session.forEach(({ end, sectors, start }, k) => {
        expect(Math.abs(start! - zero - wanted[k]!.start)).toBeLessThan(0.001)
        expect(Math.abs(end! - zero - wanted[k]!.end)).toBeLessThan(0.001)
        sectors.forEach((sector, s) => expect(Math.abs(sector! - wanted[k]!.sectors[s]!)).toBeLessThan(0.002))
      })
    }
    // The ways to the line and after it are laps of their own, without a time.
    expect(sessions.map(({ laps }) => laps.length)).toEqual([5, 3])
    expect(facts.map(({ session_type }) => session_type)).toEqual(["Practice", "Lone Qualify"])
  })

  it("takes gravity out of accelerations, and has sideways values positive to the right", async () => {
    const { sessions } = await readFile(file("iracing-pits.ibt"))
    for (const channel of ["g_longitudinal", "g_lateral", "g_vertical"]) {
      const atRest = joined(sessions, channel).slice(-30)
      expect(Math.abs(atRest.reduce((sum, value) => sum + value, 0) / 30)).toBeLessThan(0.001)
    }
    const made = await readFile(file("iracing-made.ibt"))
    for (const channel of ["g_lateral", "yaw_rate", "steering"]) {
      expect(joined(made.sessions, channel)[0]).toBeGreaterThan(0)
    }
    expect(joined(made.sessions, "g_lateral")[0]).toBeCloseTo(0.07689045456330415, 5)
  })

  it("places the car by its coordinates: the way driven is that of its speed", async () => {
    const { sessions } = await readFile(file("iracing-made.ibt"))
    const [x, y, speed, time] = ["position_x", "position_y", "speed", "timestamp"].map((one) =>
      valuesOf(sessions[0]!, one)
    )
    let [driven, integrated] = [0, 0]
    for (let i = 1; i < x!.length; i++) {
      const step = time![i]! - time![i - 1]!
      if (step > 0.02) continue
      driven += Math.hypot(x![i]! - x![i - 1]!, y![i]! - y![i - 1]!)
      integrated += (speed![i]! / 3.6) * step
    }
    expect(driven / integrated).toBeGreaterThan(0.99)
    expect(driven / integrated).toBeLessThan(1.01)
  })

  it.each(["iracing-not-a-file.ibt", "iracing-memory-copy-head.ibt"])(
    "%s is refused with a reason",
    async (name) => {
      await expect(readFile(file(name))).rejects.toThrow(
        name.includes("memory") ? "It is a copy of iRacing's shared memory" : "The file is of no known format"
      )
    }
  )
})
