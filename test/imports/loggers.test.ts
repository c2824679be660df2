/** Files of GPS loggers, against what independent readers found in them. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, timesOf, valuesOf } from "./readFile.ts"

const file = (name: string) => `${sharedFolder("data/formats")}/${name}`

interface Expected {
  readonly rows: number
  readonly first: ReadonlyArray<number>
  readonly last: ReadonlyArray<number>
  readonly date: string
  readonly time_first: number
  readonly time_last: number
  readonly crossings: ReadonlyArray<number>
  readonly lap_times: ReadonlyArray<number>
  readonly latitude_first: number
  readonly longitude_first: number
}
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(file(`${name}.expected.json`), "utf8")) as Expected

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const correlation = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const [ma, mb] = [mean(a), mean(b)]
  const sum = (of: (i: number) => number) => a.reduce((total, _, i) => total + of(i), 0)
  const ab = sum((i) => (a[i]! - ma) * (b[i]! - mb))
  return ab / Math.sqrt(sum((i) => (a[i]! - ma) ** 2) * sum((i) => (b[i]! - mb) ** 2))
}

describe("loggers", needing(formatsHere), () => {
  it.each(["racechrono-along", "racebox-across"])(
    "%s has its rows, its times and its laps to 2 ms",
    async (name) => {
      const expected = expectedOf(name)
      const { duplicates, format, refused, sessions } = await readFile(file(`${name}.vbo`))
      expect([format, duplicates, refused, sessions.length]).toEqual(["vbo", 0, {}, 1])
      const session = sessions[0]!
      const midnight = Date.parse(`${expected.date}T00:00:00Z`) / 1000
      const times = timesOf(session, "speed")
      expect([times.length, times[0], times.at(-1)]).toEqual([
        expected.rows,
        midnight + expected.time_first,
        midnight + expected.time_last
      ])
      expect(valuesOf(session, "latitude")[0]).toBe(expected.latitude_first)
      expect(valuesOf(session, "longitude")[0]).toBe(expected.longitude_first)
      const timed = session.laps.filter(({ lapTime }) => lapTime !== null)
      expect(timed.length).toBe(expected.lap_times.length)
      timed.forEach(({ lapTime, start }, n) => {
        expect(Math.abs(lapTime! - expected.lap_times[n]!)).toBeLessThan(0.002)
        expect(Math.abs(start! - midnight - expected.crossings[n]!)).toBeLessThan(0.002)
      })
      // Before the first crossing and after the last one the car is on laps without a time.
      expect(session.laps.length).toBe(timed.length + 2)
    }
  )

  it("the splits of a .vbo give its laps' sectors, as an independent reader finds them", async () => {
    const { sessions } = await readFile(file("racechrono-along.vbo"))
    const timed = sessions[0]!.laps.filter(({ lapTime }) => lapTime !== null)
    // Interpolated between rows by numpy, along the way from the second point of each split to its first.
    const expected = [
      [13.7565, 14.7048, 16.5222],
      [13.801, 14.4846, 16.5287],
      [14.0051, 14.6991, 16.4739],
      [13.7622, 14.7557, 16.4507],
      [13.7917, 14.775, 16.3614]
    ]
    expect(timed.map(({ sectors }) => sectors.map((time) => Number(time!.toFixed(4))))).toEqual(expected)
    for (const { lapTime, sectors } of timed) {
      expect(sectors.reduce<number>((sum, time) => sum + time!, 0)).toBeCloseTo(lapTime!, 5)
    }
  })

  it("keeps every other column under a name of its own, and masks the receiver's bits", async () => {
    const { groups, sessions } = await readFile(file("racechrono-along.vbo"))
    const expected = expectedOf("racechrono-along")
    const session = sessions[0]!
    expect(valuesOf(session, "satellites")[0]).toBe(16)
    expect(valuesOf(session, "altitude").at(-1)).toBe(expected.last[6])
    expect(valuesOf(session, "gps_heading")[0]).toBe(expected.first[5])
    expect(valuesOf(session, "speed")[0]).toBe(expected.first[4])
    const own = groups.find(({ name }) => name === "vbo")!.channels.map(({ name }) => name)
    expect(own).toContain("vbo_x_acc_acc")
    expect(valuesOf(session, "vbo_x_acc_acc")[0]).toBe(expected.first[19])
    // The plain columns are 0 throughout: those that RaceChrono computed serve.
    expect(own).not.toContain("vbo_latacc")
  })

  it.each([
    ["racechrono-along.vbo", "g_lateral"],
    ["racebox-across.vbo", "g_lateral"],
    ["racechrono-v3.csv", "g_lateral"],
    ["racechrono-v3.csv", "g_longitudinal"]
  ])("%s: %s is positive to the right, or under power, by the car's own way", async (name, channel) => {
    const { sessions } = await readFile(file(name))
    const [values, times, speed, heading] = [channel, "timestamp", "speed", "gps_heading"].map((one) =>
      valuesOf(sessions[0]!, one)
    ) as [Array<number>, Array<number>, Array<number>, Array<number>]
    const [found, wanted]: [Array<number>, Array<number>] = [[], []]
    for (let i = 20; i < values.length; i += 20) {
      const seconds = times[i]! - times[i - 20]!
      if (!(speed[i]! > 30) || !(seconds < 3)) continue
      const turned = ((heading[i]! - heading[i - 20]! + 540) % 360) - 180
      found.push(values.slice(i - 20, i).reduce((sum, value) => sum + value, 0) / 20)
      wanted.push(
        channel === "g_lateral" ? (turned / seconds) * speed[i]! : (speed[i]! - speed[i - 20]!) / seconds
      )
    }
    expect(correlation(found, wanted)).toBeGreaterThan(0.8)
  })

  it("a turned device's lengthwise acceleration is not taken for the car's", async () => {
    const { groups } = await readFile(file("racebox-across.vbo"))
    const names = groups.flatMap(({ channels }) => channels.map(({ name }) => name))
    expect(names).not.toContain("g_longitudinal")
    expect(names).toContain("vbo_longacc")
  })

  it("RaceChrono's CSV has its rows without the doubled ones, and its lap", async () => {
    const { duplicates, format, refused, sessions } = await readFile(file("racechrono-v3.csv"))
    expect([format, duplicates, refused]).toEqual(["racechrono-csv", 89, {}])
    const session = sessions[0]!
    expect(session.started.circuit).toBe("Tianma")
    expect(timesOf(session, "speed").length).toBe(3761)
    expect(
      session.laps.map(({ end, lapNumber, lapTime, start }) => [lapNumber, lapTime, start, end])
    ).toEqual([
      [8, null, 1767150797.44, 1767150801.425],
      [9, 76.329, 1767150801.425, 1767150877.754],
      [10, null, 1767150877.754, 1767150881.72]
    ])
    expect(valuesOf(session, "speed")[0]).toBe(33.453 * 3.6)
    expect(valuesOf(session, "rpm")[0]).toBe(3544.02065)
    expect(valuesOf(session, "throttle")[0]).toBe(64.99739 / 100)
    expect(valuesOf(session, "racechrono_speed_calc").at(-1)).toBe(18.8476)
    expect(valuesOf(session, "racechrono_speed_obd").at(-1)).toBe(16.94644)
  })
})

const table = async (name: string) => {
  const expected = JSON.parse(readFileSync(file(`${name}.expected.json`), "utf8")) as {
    readonly rows: number
    readonly first: ReadonlyArray<number | string>
    readonly start_local?: string
  }
  return { expected, ...(await readFile(file(`${name}.csv`))) }
}

describe("tables", needing(formatsHere), () => {
  it("AiM's has its rows, its date and no lap that ends behind them", async () => {
    const { expected, format, partial, sessions } = await table("aim-racestudio3")
    const session = sessions[0]!
    const times = timesOf(session, "speed")
    const start = Date.parse(`${expected.start_local!}Z`) / 1000
    expect([format, partial, times.length, times[0], times.at(-1)]).toEqual([
      "aim-csv",
      undefined,
      503,
      start,
      start + 25.1
    ])
    expect(session.started).toMatchObject({
      circuit: "F.Corta Var6",
      vehicle: "Kosmic Rotax Junior",
      driver: "Robin Vale"
    })
    expect(session.laps.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual([
      [1, null, false]
    ])
    expect(valuesOf(session, "speed")[0]).toBe(expected.first[1])
    expect(valuesOf(session, "rpm").at(-1)).toBe(8142.1499)
    expect(valuesOf(session, "gps_accuracy")[0]).toBe(1.63)
    expect(valuesOf(session, "latitude")[0]).toBe(expected.first[12])
  })

  it("Traqmate's has its laps by their numbers, and miles as kilometres", async () => {
    const { expected, format, sessions } = await table("traqmate")
    const session = sessions[0]!
    const start = Date.parse(`${expected.start_local!}Z`) / 1000
    expect([format, timesOf(session, "speed").length]).toEqual(["traqmate", expected.rows])
    expect(session.laps.map(({ lapNumber, lapTime, start: from }) => [lapNumber, lapTime, from])).toEqual([
      [1, null, start],
      [2, 76.6, start + 71.7],
      [3, null, start + 148.3]
    ])
    expect(valuesOf(session, "speed")[0]).toBeCloseTo(4.6975662133142455 * 1.609344, 9)
  })

  it("one without units keeps its columns' own names, and begins at the time of the file", async () => {
    const { expected, format, sessions, warnings } = await table("generic-time")
    const session = sessions[0]!
    expect([format, timesOf(session, "csv_rpm").length]).toEqual(["csv", expected.rows])
    expect(valuesOf(session, "csv_rpm").at(-1)).toBe(3161)
    expect(timesOf(session, "csv_rpm").at(-1)! - timesOf(session, "csv_rpm")[0]!).toBeCloseTo(149.896, 6)
    expect(warnings).toContain("The table has no date: it begins at the time of the file")
  })
})
