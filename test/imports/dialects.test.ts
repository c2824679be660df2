/** Dialects of known formats, made here as their programs write them: the names, units and separators that differ. */
import { describe, expect, it } from "@effect/vitest"
import { timesOf, valuesOf } from "./readFile.ts"
import { readLines } from "./readLines.ts"

const RADIUS_M = 100
const DEGREES_PER_METRE = 180 / Math.PI / 6_371_000

/** A car that turns left on a circle at 45 N 9 E, whose speed rises and falls: ten rows a second. */
const rows = (() => {
  const all: Array<{
    readonly t: number
    readonly lat: number
    readonly lon: number
    readonly v: number
    readonly heading: number
    readonly g: number
  }> = []
  let driven = 0
  for (let i = 0; i < 600; i++) {
    const angle = driven / RADIUS_M
    const v = 25 + 8 * Math.sin(2 * angle)
    all.push({
      t: i / 10,
      lat: 45 - RADIUS_M * Math.cos(angle) * DEGREES_PER_METRE,
      lon: 9 + (RADIUS_M * Math.sin(angle) * DEGREES_PER_METRE) / Math.cos(Math.PI / 4),
      v,
      heading: (450 - (angle * 180) / Math.PI) % 360,
      g: -(v * v) / RADIUS_M / 9.80665
    })
    driven += v / 10
  }
  return all.map((row) => ({ ...row, heading: (row.heading + 3600) % 360 }))
})()
/** On the same circle the car comes by its first place after these times, s. */
const CROSSINGS = [26.527, 53.055]

const lapTimes = ({ sessions }: Awaited<ReturnType<typeof readLines>>) =>
  sessions[0]!.laps.map(({ lapTime }) => lapTime)

const quoted = (cells: ReadonlyArray<string | number>) => cells.map((cell) => `"${cell}"`).join(",")

const comma = (value: number) => `${value}`.replace(".", ",")

describe("AiM's CSV", () => {
  it("of RaceStudio 2 has its names twice, a row of numbers, and a comma behind the names only", async () => {
    const names = `${quoted(["Time", "GPS_Speed", "GPS_LatAcc", "GPS_Latitude", "GPS_Longitude", "GPS_Nsat"])},`
    const file = await readLines([
      quoted(["Format", "AIM CSV File"]),
      quoted(["Venue", "Castelletto"]),
      quoted(["User", "Rossi"]),
      '"Comment","two',
      'lines"',
      quoted(["Date", "06/03/2019"]),
      quoted(["Time", "10:00:00"]),
      `"Beacon Markers","${CROSSINGS.join(" ")}"`,
      "",
      names,
      names,
      `${quoted(["sec", "km/h", "g", "deg", "deg", "#"])},`,
      `${quoted(["", "1", "2", "3", "4", "5"])},`,
      "",
      ...rows.map(({ g, lat, lon, t, v }) => quoted([t, v * 3.6, g, lat, lon, 9])),
      ""
    ])
    const session = file.sessions[0]!
    expect([file.format, file.partial, session.started.driver]).toEqual(["aim-csv", undefined, "Rossi"])
    expect(timesOf(session, "speed")[0]).toBe(Date.parse("2019-03-06T10:00:00Z") / 1000)
    expect(valuesOf(session, "speed")).toEqual(rows.map(({ v }) => v * 3.6))
    expect(valuesOf(session, "g_lateral")).toEqual(rows.map(({ g }) => g))
    expect(valuesOf(session, "satellites")[0]).toBe(9)
    expect(lapTimes(file)).toEqual([26.527, 26.528, null])
  })

  it("of a European machine has semicolons, decimal commas and the day before the month", async () => {
    const file = await readLines([
      "\uFEFFFormat;AiM CSV File",
      "Session;Adria",
      "Date;Sunday, 15 December 2024",
      "Time;13:34",
      `Beacon Markers;${CROSSINGS.map(comma).join(";")}`,
      "",
      "Time;GPS Speed;GPS LateralAcc;GPS Heading;GPS PosAccuracy",
      "s;km/h;g;deg;mm",
      "",
      ...rows.map(({ g, heading, t, v }) => [t, v * 3.6, g, heading, 600.5].map(comma).join(";"))
    ])
    const session = file.sessions[0]!
    expect([file.format, file.partial, file.warnings]).toEqual(["aim-csv", undefined, []])
    expect(timesOf(session, "speed").slice(0, 2)).toEqual(
      [0, 0.1].map((t) => Date.parse("2024-12-15T13:34:00Z") / 1000 + t)
    )
    expect(valuesOf(session, "speed")).toEqual(rows.map(({ v }) => v * 3.6))
    expect(valuesOf(session, "g_lateral")).toEqual(rows.map(({ g }) => g))
    expect(valuesOf(session, "gps_accuracy")[0]).toBe(0.6005)
    expect(lapTimes(file)).toEqual([26.527, 26.528, null])
  })
})

describe("RaceChrono's CSV, format 2", () => {
  it("may have times since 1970", async () => {
    const file = await readLines([
      "This file is created using RaceChrono Pro v10.2.4 ( http://racechrono.com/ ).",
      "Format,2",
      "Created,22/07/2026,16:49",
      "",
      "Time (s),Session fragment #,Lap #,Speed (m/s)",
      "1784748579.000,0,1,10",
      "1784748579.040,0,1,11"
    ])
    expect(timesOf(file.sessions[0]!, "speed")).toEqual([1_784_748_579, 1_784_748_579.04])
  })
})

const written = (speed: (v: number) => number, first = "Record,") => [
  "Format,RaceBox CSV",
  "",
  `${first}Time,Latitude,Longitude,Altitude,Speed,Lap`,
  ...rows.map(({ lat, lon, t, v }, i) => `${first === "" ? "" : `${i},`}${t},${lat},${lon},100,${speed(v)},1`)
]

describe("RaceBox's CSV", () => {
  it.each([
    ["km/h", 3.6],
    ["m/s", 1],
    ["mph", 3.6 / 1.609344]
  ])("has speeds in %s, as the way between its fixes shows", async (_, one) => {
    const file = await readLines(written((v) => v * one))
    valuesOf(file.sessions[0]!, "speed").forEach((speed, i) => expect(speed).toBeCloseTo(rows[i]!.v * 3.6, 9))
  })

  it("keeps a speed that fits no unit under its own name", async () => {
    const file = await readLines(written((v) => v * 7))
    expect(valuesOf(file.sessions[0]!, "racebox_speed")[0]).toBe(175)
  })

  it("may be without the column Record", async () => {
    const file = await readLines(written((v) => v * 3.6, ""))
    expect([file.format, timesOf(file.sessions[0]!, "speed").length]).toEqual(["racebox-csv", rows.length])
  })
})

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
        "bar",
        "C",
        "[column names]",
        "sats time lat long velocity heading Tsample solution_type avifileindex avitime Oil_Pressure Oil_Temp",
        "[data]",
        "009 100000.00 2700 -540 100 0 0.05 02 0001 000000280 +4.5E+00 +9.0E+01"
      ],
      "camera.vbo"
    )
    const units = file.groups.flatMap(({ channels }) => channels.map(({ name, unit }) => [name, unit]))
    expect(units).toContainEqual(["vbo_oil_pressure", "bar"])
    expect(units).toContainEqual(["vbo_oil_temp", "C"])
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
