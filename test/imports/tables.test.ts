/** Tables whose layouts are known, made here as their programs write them, and a track of GPX. */
import { describe, expect, it } from "@effect/vitest"
import { UnreadableFile } from "../../src/imports/FileReader.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, timesOf, valuesOf } from "./readFile.ts"
import { MODIFIED, readLines as read } from "./readLines.ts"

const lapsOf = ({ sessions }: Awaited<ReturnType<typeof read>>) =>
  sessions[0]!.laps.map(({ lapNumber, lapTime, sectors, valid }) => [lapNumber, lapTime, sectors, valid])

const none = [null, null, null]
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const raceBoxRows = async () => {
  const { sessions } = await readFile(`${sharedFolder("data/formats")}/racebox-across.vbo`)
  const session = sessions[0]!
  const [time, ...values] = ["speed", "latitude", "longitude", "altitude", "vbo_longacc", "g_lateral"].map(
    (name, n) => (n === 0 ? timesOf(session, name) : valuesOf(session, name))
  )
  const speed = valuesOf(session, "speed")
  return time!.map((at, i) => ({ at, speed: speed[i]!, values: values.map((column) => column[i]!) }))
}

describe("RaceBox's CSV", needing(formatsHere), () => {
  it("has the times that its head reports, and signs by the way that the positions show", async () => {
    const all = (await raceBoxRows()).slice(0, 5000)
    const start = all[0]!.at
    const lapAt = (at: number) => (at < start + 10 ? 0 : at < start + 79 ? 1 : at < start + 150.5 ? 2 : 3)
    const text = [
      "Format,RaceBox CSV",
      "Track,Lignano",
      "Laps,2",
      "Lap 1, 69.012, sectors, 23.000,23.000,23.012,0,0",
      "Lap 2, 90.000, sectors, 30.000,25.000,20.000,0,15.000",
      "",
      "Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ",
      ...all.map(({ at, speed, values: [latitude, longitude, altitude, x, y] }, i) =>
        [i + 1, iso(at), latitude, longitude, altitude, speed, x, -y!, 1, lapAt(at), 0, 0, 0].join(",")
      )
    ]
    const file = await read(text)
    const session = file.sessions[0]!
    expect([file.format, file.partial, session.started.circuit]).toEqual([
      "racebox-csv",
      undefined,
      "Lignano"
    ])
    expect(timesOf(session, "speed")[0]).toBeCloseTo(start, 3)
    expect(valuesOf(session, "speed").slice(0, 100)).toEqual(all.slice(0, 100).map(({ speed }) => speed))
    // It was written with the other sign, and the head is wrong about lap 2.
    expect(valuesOf(session, "g_lateral").slice(0, 100)).toEqual(
      all.slice(0, 100).map(({ values }) => values[4])
    )
    expect(() => valuesOf(session, "g_longitudinal")).toThrow(/no channel/)
    expect(lapsOf(file)[0]).toEqual([0, null, none, false])
    expect(lapsOf(file)[1]).toEqual([1, 69.012, [23, 23, 23.012], undefined])
    const [, second] = lapsOf(file)[2]!
    expect(second).toBeGreaterThan(71)
    expect(second).toBeLessThan(72)
    expect(file.warnings.join()).toMatch(/^Lap 2: its reported time of 90 s is not that of its rows/)
  })

  it("with times in seconds and other units begins at the time of the file", async () => {
    const file = await read([
      "Record,Time,Latitude,Longitude,Altitude,MPH,Lap",
      "1,10.000,34.4889022,-80.5974243,147.8,5.5,1",
      "2,10.040,34.4889018,-80.5974241,147.9,7.2,1"
    ])
    const session = file.sessions[0]!
    expect(timesOf(session, "speed")).toEqual([MODIFIED, MODIFIED + 10.04 - 10])
    expect(valuesOf(session, "speed")).toEqual([5.5 * 1.609344, 7.2 * 1.609344])
    expect(file.warnings).toEqual(["The table has no date: it begins at the time of the file"])
  })
})

describe("Garage61's CSV", () => {
  const names =
    "Speed,LapDistPct,Lat,Lon,Brake,Throttle,RPM,SteeringWheelAngle,Gear,Clutch,ABSActive,DRSActive,LatAccel,LongAccel,VertAccel,Yaw,YawRate,PositionType"

  it("is one lap of 60 rows a second, from line to line", async () => {
    // The line is half a row before the first row, and a quarter of a row behind the last.
    const file = await read([
      names,
      ...Array.from(
        { length: 600 },
        (_, i) =>
          `50,${(i + 0.5) / 599.75},52.4,${0.9 + i * 1e-5},0,1,6000,0.5,3,1,${i > 9},false,-0.4,1,8.8,3.1,-0.1,3`
      )
    ])
    const session = file.sessions[0]!
    expect(file.format).toBe("garage61")
    expect(timesOf(session, "speed").at(-1)).toBe(MODIFIED + 599 / 60)
    expect(lapsOf(file)).toEqual([[1, Math.round((599.75 / 60) * 1e6) / 1e6, none, undefined]])
    expect(valuesOf(session, "speed")[0]).toBe(180)
    expect(valuesOf(session, "clutch")[0]).toBe(0)
    expect(valuesOf(session, "abs_active").slice(8, 12)).toEqual([0, 0, 1, 1])
    expect(valuesOf(session, "steering_angle")[0]).toBe((-0.5 * 180) / Math.PI)
    expect(valuesOf(session, "yaw_rate")[0]).toBe((0.1 * 180) / Math.PI)
    // Gravity is in it.
    expect(valuesOf(session, "garage61_lataccel")[0]).toBe(-0.4)
    expect(file.warnings[0]).toBe("The table has no times: its rows are taken as 60 a second")
  })

  it("of Le Mans Ultimate has an angle without a unit, and a cut lap has no time", async () => {
    const file = await read([
      "Speed,LapDistPct,Lat,Lon,Brake,Throttle,RPM,SteeringWheelAngle,Gear,OffAsphalt",
      ...Array.from({ length: 300 }, (_, i) => `50,${i / 600},52.4,${0.9 + i * 1e-5},0,1,6000,0.1,3,0`)
    ])
    expect(valuesOf(file.sessions[0]!, "garage61_steeringwheelangle")[0]).toBe(0.1)
    expect(lapsOf(file)).toEqual([[1, null, none, false]])
  })
})

describe("RaceCapture's log", () => {
  it("counts back from the first time of day, and leaves what was not measured empty", async () => {
    const file = await read([
      '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"Latitude"|"Degrees"|-180.0|180.0|10,"Longitude"|"Degrees"|-180.0|180.0|10,"Speed"|"MPH"|0.0|150.0|10,"RPM"|"rpm"|0|10000|25,"LapCount"|""|0|0|1,"Battery"|"Volts"|0.0|20.0|1',
      "402,0,,,,4000,0,13.1",
      "442,0,,,,4100,,",
      "482,1700000100482,47.1,8.5,60,,1,",
      "522,1700000100522,,,,4200,,",
      "562,1700000100562,47.2,8.6,61,,2,13.2"
    ])
    const session = file.sessions[0]!
    expect([file.format, file.partial]).toEqual(["racecapture", undefined])
    expect(timesOf(session, "rpm")).toEqual(
      [402, 442, 482, 522, 562].map((ms) => (1_700_000_100_000 + ms) / 1000)
    )
    expect(valuesOf(session, "rpm")).toEqual([4000, 4100, Number.NaN, 4200, Number.NaN])
    expect(valuesOf(session, "speed")[2]).toBeCloseTo(60 * 1.609344, 9)
    expect(valuesOf(session, "racecapture_battery")).toEqual([13.1, 13.2])
    expect(lapsOf(file)).toEqual([
      [0, null, none, false],
      [1, 0.08, none, undefined]
    ])
  })
})

const addictRow = (i: number) =>
  `${(i / 10).toFixed(3)},${(MODIFIED + i / 10).toFixed(3)},${i < 300 ? 0 : i < 600 ? 1 : 2},${i % 10 === 0 ? 1 : 0},47.${1000 + Math.floor(i / 10)},8.5,400,30,0.1`

describe("TrackAddict's CSV", () => {
  it("has a position only where the receiver had a new one, and the laps of its remarks", async () => {
    const file = await read([
      "# RaceRender Data: TrackAddict 4.8.0 on iOS 15.5 [iPhone12,1] (Mode: 0)",
      "# Vehicle: Onewheel GT",
      "# End Point: 50.857952, -0.752617  @ -1.00 deg",
      '"Time","UTC Time","Lap","GPS_Update","Latitude","Longitude","Altitude (m)","Speed (MPH)","Accel X"',
      ...Array.from({ length: 300 }, (_, i) => addictRow(i)),
      "# Lap 0: 00:00:30.020",
      ...Array.from({ length: 300 }, (_, i) => addictRow(300 + i)),
      "# Lap 1: 00:00:29.955",
      ...Array.from({ length: 20 }, (_, i) => addictRow(600 + i)),
      "# Session End"
    ])
    const session = file.sessions[0]!
    expect([file.format, file.partial, session.started.vehicle]).toEqual([
      "trackaddict",
      undefined,
      "Onewheel GT"
    ])
    expect(timesOf(session, "speed")[0]).toBe(MODIFIED)
    expect(valuesOf(session, "position_x").filter((x) => !Number.isNaN(x)).length).toBe(62)
    expect(valuesOf(session, "speed").every((speed) => Math.abs(speed - 30 * 1.609344) < 1e-9)).toBe(true)
    expect(lapsOf(file)).toEqual([
      [0, null, none, false],
      [1, 29.955, none, undefined],
      [2, null, none, false]
    ])
  })
})

describe("any table", () => {
  it("has decimal commas where semicolons separate, truths, and times in milliseconds", async () => {
    const file = await read([
      "Time (ms);Speed (km/h);Throttle (%);Pit;Corner",
      "0;10,5;50;false;Ascari",
      "40;11;n/a;true;",
      "80;11,25;75,5;true;Parabolica"
    ])
    const session = file.sessions[0]!
    expect(timesOf(session, "csv_pit")).toEqual([0, 0.04, 0.08].map((s) => MODIFIED + s))
    expect(valuesOf(session, "speed")).toEqual([10.5, 11, 11.25])
    expect(valuesOf(session, "csv_pit")).toEqual([0, 1, 1])
    expect(() => valuesOf(session, "csv_corner")).toThrow(/no channel/)
    expect(file.warnings).toContain("Left out, because they are text: Corner")
  })

  it("may have dates with a zone as times, and rows that are too short", async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `${iso(MODIFIED + i)},${i},${2 * i}`)
    const file = await read([
      "timestamp,rpm,boost",
      ...rows,
      iso(MODIFIED + 300),
      `${iso(MODIFIED + 301)},1,2`
    ])
    const session = file.sessions[0]!
    expect(file.partial).toBeUndefined()
    expect(timesOf(session, "rpm").at(-1)).toBe(MODIFIED + 301)
    expect(valuesOf(session, "rpm").slice(-3)).toEqual([299, Number.NaN, 1])
    const short = Array.from({ length: 9 }, (_, i) => iso(MODIFIED + 300 + i))
    const broken = await read(["timestamp,rpm,boost", ...rows, ...short, `${iso(MODIFIED + 400)},1,2`])
    expect(broken.partial).toBe("9 of 310 rows have too few cells")
    const cut = await read(["timestamp,rpm,boost", ...rows, `${iso(MODIFIED + 300)},1`])
    expect([cut.partial, timesOf(cut.sessions[0]!, "rpm").length]).toEqual([
      "The file ends within its last row: what is before it was read",
      300
    ])
  })
})

const point = (i: number) =>
  `<trkpt lat="${47 + i * 1e-5}" lon='8.5'><ele>${400 + i}</ele><time>${iso(MODIFIED + i)}</time></trkpt>`
const track = (points: string, head = "") =>
  [
    `<?xml version="1.0"?><!-- a -->${head}<gpx version="1.1"><trk><trkseg>${points}</trkseg></trk></gpx>`
  ] as const
const points = Array.from({ length: 5000 }, (_, i) => point(i)).join("")

describe("GPX", () => {
  it("has positions and heights, and no speed", async () => {
    const file = await read(track(points), "track.gpx")
    const session = file.sessions[0]!
    expect([file.format, file.partial, file.warnings]).toEqual(["gpx", undefined, []])
    expect(timesOf(session, "latitude")).toEqual(Array.from({ length: 5000 }, (_, i) => MODIFIED + i))
    expect(valuesOf(session, "altitude").at(-1)).toBe(5399)
    expect(valuesOf(session, "position_y")[1]).toBeCloseTo(6_371_000 * 1e-5 * (Math.PI / 180), 3)
    expect(session.started.tellsLaps).toBe(false)
  })

  it("is read up to where it is cut, and refused with a DTD or without times", async () => {
    const cut = await read([track(points)[0].slice(0, 200_000)], "track.gpx")
    expect(cut.partial).toBe("The file ends within a point: what is before it was read")
    expect(timesOf(cut.sessions[0]!, "latitude").length).toBeGreaterThan(2000)
    const dtd = read(track(points, "<!DOCTYPE gpx>"), "track.gpx")
    await expect(dtd).rejects.toThrow(UnreadableFile)
    await expect(read(track('<trkpt lat="1" lon="2"/>'), "track.gpx")).rejects.toThrow(
      "Its points have no times"
    )
  })
})
