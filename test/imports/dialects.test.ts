/** Dialects of known tables, made here as their programs write them: the names, units and separators that differ. */
import { describe, expect, it } from "@effect/vitest"
import { CROSSINGS, lapTimes, RADIUS_M, rows } from "./circle.ts"
import { timesOf, valuesOf } from "./readFile.ts"
import { MODIFIED, readLines } from "./readLines.ts"

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

const heads = (kind: string) => [quoted(["Format", kind]), ""]

const exported = (time: string) => [
  ...heads("AiM CSV File"),
  quoted(["Segment", `Lap 4 - ${time}`]),
  quoted(["Beacon Markers", "59.95"]),
  quoted(["Time", "GPS Speed", "RPM"]),
  quoted(["ms", "km/h", "rpm"]),
  ...rows.map(({ t, v }) => quoted([t * 1000, v * 3.6, 6000]))
]

describe("a lap that AiM exports alone", () => {
  it("has its number and its time", async () => {
    const file = await readLines(exported("0:59.952"))
    expect(
      file.sessions[0]!.laps.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])
    ).toEqual([[4, 59.952, undefined]])
    expect(timesOf(file.sessions[0]!, "speed").at(-1)).toBeCloseTo(MODIFIED + 59.9, 6)
  })

  it("has no time where the rows are of another length", async () => {
    const file = await readLines(exported("1:29.688"))
    expect(lapTimes(file)).toEqual([null])
    expect(file.warnings.join()).toMatch(/Lap 4: its reported time of 89.688 s is not that of the rows, 59.9/)
  })
})

describe("signs", () => {
  it("of rates of yaw and angles of steering are those that rows show, whatever the names", async () => {
    const file = await readLines([
      ...heads("AiM CSV File"),
      quoted(["Date", "12/15/2024"]),
      quoted(["Time", "10:00:00"]),
      quoted(["Time", "GPS Speed", "GPS Heading", "YawRate", "Steered Angle", "Clutch", "Gear"]),
      quoted(["s", "mph", "deg", "deg/s", "deg", " ", "gear"]),
      ...rows.map(({ heading, t, v }, i) =>
        quoted([t, v, heading, ((v / RADIUS_M) * 180) / Math.PI, i % 3, 1, 4])
      )
    ])
    const session = file.sessions[0]!
    expect(valuesOf(session, "yaw_rate")).toEqual(rows.map(({ v }) => -((v / RADIUS_M) * 180) / Math.PI))
    expect(valuesOf(session, "aim_steered_angle")[1]).toBe(1)
    expect(session.started.datetime).toBe(Date.parse("2024-12-15T10:00:00Z") / 1000)
    expect(valuesOf(session, "aim_clutch")[0]).toBe(1)
    expect(valuesOf(session, "gear")[0]).toBe(4)
  })

  it("of MoTeC's tables without positions are the usual ones, and their channels say so", async () => {
    const file = await readLines([
      ...heads("MoTeC CSV File"),
      quoted(["Time", "Ground Speed", "Steered Angle", "G Force Lat", "Time"]),
      quoted(["s", "km/h", "deg", "G", "min"]),
      "",
      ...rows.map(({ g, t, v }) => quoted([t, v * 3.6, 10, g, t / 60]))
    ])
    const session = file.sessions[0]!
    expect(valuesOf(session, "steering_angle")[0]).toBe(10)
    expect(valuesOf(session, "g_lateral")).toEqual(rows.map(({ g }) => g))
    expect(valuesOf(session, "motec_time")[6]).toBe(0.6 / 60)
    const lateral = file.groups.flatMap(({ channels }) => channels).find(({ name }) => name === "g_lateral")
    expect(lateral?.description).toBe('"G Force Lat"; its sign was not checked')
  })
})

describe("any table", () => {
  it("may be short, with an empty last line, remarks, and times that stand still", async () => {
    const file = await readLines([
      "time_ms,Speed [km/h],lapNumber",
      "# a remark",
      "0,1,1",
      "0,2,1",
      "20,3,2",
      ""
    ])
    const session = file.sessions[0]!
    expect(timesOf(session, "speed")).toEqual([MODIFIED, MODIFIED + 0.02])
    expect(valuesOf(session, "speed")).toEqual([1, 3])
    expect(file.refused).toEqual({ out_of_order: 1 })
    expect(session.laps.length).toBe(1)
  })

  it("has the car's way and signs where it has coordinates, as in Tesla's", async () => {
    const file = await readLines([
      "Lap,Elapsed Time (ms),Speed (MPH),Latitude (decimal),Longitude (decimal),Lateral Acceleration (m/s^2),Steering Angle (deg),Throttle Position (%)",
      ...rows.map(({ g, lat, lon, t, v }) =>
        [1, t * 1000, v / 0.44704, lat, lon, -g * 9.80665, v / RADIUS_M, 50].join(",")
      )
    ])
    const session = file.sessions[0]!
    valuesOf(session, "speed").forEach((speed, i) => expect(speed).toBeCloseTo(rows[i]!.v * 3.6, 9))
    valuesOf(session, "g_lateral").forEach((g, i) => expect(g).toBeCloseTo(rows[i]!.g, 9))
    expect(valuesOf(session, "steering_angle")[0]).toBe(-rows[0]!.v / RADIUS_M)
    expect(valuesOf(session, "throttle")[0]).toBe(0.5)
    expect(Math.max(...valuesOf(session, "position_y"))).toBeCloseTo(2 * RADIUS_M, 0)
  })

  it("may have dates without a zone, which are local", async () => {
    const lines = ["timestamp;Speed (km/h)", "2026-07-11 21:49:38.720;1,5", "2026-07-11 21:49:38.740;2"]
    const { sessions, warnings } = await readLines(lines, "table.csv", "Europe/Berlin")
    const start = Date.parse("2026-07-11T19:49:38.720Z") / 1000
    expect(timesOf(sessions[0]!, "speed")).toEqual([start, start + 0.02])
    expect(warnings).toEqual([])
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

  it("may have local times", async () => {
    const lines = ["Record,Time,Latitude,Longitude,KPH", "1,2024-10-19T15:24:58.400,32.28,-106.93,3.17"]
    const { sessions } = await readLines(lines, "local.csv", "America/Denver")
    expect(timesOf(sessions[0]!, "speed")).toEqual([Date.parse("2024-10-19T21:24:58.400Z") / 1000])
  })

  it("may be without the column Record", async () => {
    const file = await readLines(written((v) => v * 3.6, ""))
    expect([file.format, timesOf(file.sessions[0]!, "speed").length]).toEqual(["racebox-csv", rows.length])
  })
})
