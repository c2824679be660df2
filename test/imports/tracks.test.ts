/** Dialects of `.vbo` and GPX files, made here as their programs write them. */
import { describe, expect, it } from "@effect/vitest"
import { DEGREES_PER_METRE, lapTimes, rows } from "./circle.ts"
import { timesOf, valuesOf } from "./readFile.ts"
import { readLines } from "./readLines.ts"

const minutes = (degrees: number) => (degrees * 60).toFixed(8)

const clock = (t: number) => `1000${t.toFixed(2).padStart(5, "0")}`

describe("a .vbo", () => {
  const titles = ["[header]", "satellites", "time", "latitude", "longitude", "velocity kmh", "heading"]
  const names = ["[column names]", "sats time lat long velocity heading"]
  const data = [
    "[data]",
    ...rows.map(
      ({ heading, lat, lon, t, v }) =>
        `009 ${clock(t)} ${minutes(lat)} ${minutes(-lon)} ${v * 3.6} ${heading}`
    )
  ]
  /** From 90 m to 110 m south of the circle's middle. */
  const timing = [
    "[laptiming]",
    `Start ${[90, 110].map((m) => `${minutes(-9)} ${minutes(45 - m * DEGREES_PER_METRE)}`).join(" ")} ¬ Line`
  ]
  const created = "File created on 31/07/2006 at 09:55:20"

  it.each([
    [
      "sections behind the rows",
      [created, ...titles, ...names, ...data, "", ...timing, "[circuit details]", "circuit Adria"]
    ],
    [
      "no column names but its titles",
      [created, "[session data]", "name Adria", ...titles, ...timing, ...data]
    ],
    [
      "decimal commas",
      [created, "[session data]", "name Adria", ...titles, ...names, ...timing, ...data].map((line) =>
        line.replaceAll(/(\d)\.(\d)/g, "$1,$2")
      )
    ]
  ])("may have %s", async (_, lines) => {
    const file = await readLines(lines, "session.vbo")
    const session = file.sessions[0]!
    expect([file.format, file.partial, session.started.circuit]).toEqual(["vbo", undefined, "Adria"])
    expect(valuesOf(session, "speed")).toEqual(rows.map(({ v }) => v * 3.6))
    expect(timesOf(session, "speed").at(-1)).toBe(Date.parse("2006-07-31T10:00:59.900Z") / 1000)
    expect(lapTimes(file).map((time) => time?.toFixed(2))).toEqual([undefined, "26.53", undefined])
  })

  it("has units of modules' channels, and none for the camera's columns", async () => {
    const file = await readLines(
      [
        created,
        "[channel units]",
        "(null)",
        "bar",
        "C",
        "[column names]",
        "sats time lat long velocity heading Tsample solution_type avifileindex avitime lap Oil_Pressure Oil_Temp",
        "[data]",
        "009 100000.00 2700 -540 100 0 0.05 02 0001 000000280 1 +4.5E+00 +9.0E+01"
      ],
      "camera.vbo"
    )
    const units = file.groups.flatMap(({ channels }) => channels.map(({ name, unit }) => [name, unit]))
    expect(units).toContainEqual(["vbo_oil_pressure", "bar"])
    expect(units).toContainEqual(["vbo_oil_temp", "C"])
    expect(units).toContainEqual(["vbo_lap", ""])
    expect(units).toContainEqual(["vbo_avitime", ""])
  })
})

const points = (speed: (v: number) => number) => [
  '<gpx version="1.1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><trk><trkseg>',
  ...rows.map(
    ({ heading, lat, lon, t, v }) =>
      `<trkpt lat="${lat}" lon="${lon}"><time>${new Date(t * 1000 + 1.7e12).toISOString()}</time><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${speed(v)}</gpxtpx:speed><gpxtpx:course>${heading}</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>`
  ),
  "</trkseg></trk></gpx>"
]

describe("GPX", () => {
  it("has the speeds and courses of its points, in the unit that the way between them shows", async () => {
    for (const one of [1, 3.6]) {
      const file = await readLines(
        points((v) => v * one),
        "speeds.gpx"
      )
      const session = file.sessions[0]!
      valuesOf(session, "speed").forEach((speed, i) => expect(speed).toBeCloseTo(rows[i]!.v * 3.6, 9))
      expect(valuesOf(session, "gps_heading")).toEqual(rows.map(({ heading }) => heading))
    }
  })

  it("leaves speeds out that fit no unit, and points before 1970", async () => {
    const [first = "", ...others] = points((v) => v * 7)
    const old = '<trkpt lat="45" lon="9"><time>1901-12-13T20:45:52Z</time></trkpt>'
    const file = await readLines([first, old, ...others], "odd.gpx")
    expect(valuesOf(file.sessions[0]!, "speed").every(Number.isNaN)).toBe(true)
    expect(file.sessions[0]!.started.datetime).toBe(1.7e9)
    expect(file.warnings).toEqual([
      "Its speeds are left out: they do not fit the way between its points in any unit",
      "1 points without a time are left out"
    ])
  })
})
