/** DiRT Rally 2.0: golden packets, and single cases of packets and stages. */
import { describe, expect, it } from "vitest"
import { protocol as dirtRally } from "../../../../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { rpmPerRate } from "../../../../src/simulators/drivers/dirt-rally-2/decode.ts"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { packet as layout } from "../../../../src/simulators/drivers/dirt-rally-2/layout.ts"
import { scene } from "../emulating.ts"
import { bytesOf, goldenVectors, haveGolden, interpret, linkOptions } from "../interpreting.ts"
import { discarded, eventsOf, pointAt, recorded } from "../suite/events.ts"
import { lastSamples } from "../samples.ts"
import { timedLaps } from "../stages.ts"
import { drive } from "../suite/drive.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"
import { stageOf2015 } from "./game.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())
/** A packet from a stage of 10 km, at 50 m/s. */
const packet = (more: Partial<Record<keyof typeof layout.read, number>>): Buffer => {
  const bytes = Buffer.alloc(264)
  const { lapTime = 0 } = more
  const values = { totalTime: lapTime, distance: lapTime * 50, trackLength: 10_000, maxRate: 800, ...more }
  layout.write(bytes, 0, { progress: values.distance / values.trackLength, ...values })
  return bytes
}

/** The packets of a run, ten a second. */
const run = (from: number, to: number, more: Parameters<typeof packet>[0] = {}, began = 0) =>
  Array.from({ length: Math.round((to - from) * 10) + 1 }, (_, i) => {
    const lapTime = from + i / 10
    return packet({ lapTime, totalTime: began + lapTime, ...more })
  })

const eventsOfPackets = (packets: ReadonlyArray<Buffer>) => interpret(newInterpreter(), packets, 0.1)
const lapsOf = (packets: ReadonlyArray<Buffer>) => recorded(eventsOfPackets(packets)).map(timedLaps)

describe("golden packets", needing(goldenHere), () => {
  it.each(haveGolden ? goldenVectors("dirt-rally2.json") : [])("$name", (vector) => {
    const bytes = bytesOf(vector)
    expect(protocol.recognises(bytes)).toBe(true)
    const { read } = layout
    // The names stand in the order of the floats.
    expect(Object.values(read).map((field) => field(bytes))).toEqual(vector.expect["floats"])
    const unit = rpmPerRate(read.maxRate(bytes))
    expect(read.engineRate(bytes) * unit).toBeCloseTo(Number(vector.expect["rpm"]), 3)
    expect(read.speed(bytes) * 3.6).toBeCloseTo(Number(vector.expect["speedKmh"]), 9)
  })

  it("become points in our units and axes", () => {
    const bytes = bytesOf(goldenVectors("dirt-rally2.json")[0]!)
    // Makes the golden packet one of a stage, before the finish and without laps.
    layout.write(bytes, 0, { lapsCompleted: 0, totalLaps: 0, lastLap: 0, progress: 0.5 })
    const { batch } = recorded(eventsOfPackets([bytes]))[0]!
    expect(pointAt(batch, 0)).toEqual({
      timestamp: 100,
      speed: expect.closeTo(120.6),
      rpm: expect.closeTo(6500, 3),
      gear: -1,
      throttle: 29.25,
      brake: 31.25,
      steering: 30.25,
      position_x: 4.25,
      position_y: -6.25,
      position_z: 5.25
    })
  })
})

it("has the car's directions by the signs that real packets have, and no distance before the line", () => {
  const radians = Math.PI / 180
  // Heading north-east of ours, which is x and -z, nose up and the right side down.
  const [course, nose, side] = [45 * radians, 10 * radians, 5 * radians]
  const forwardX = Math.sin(course) * Math.cos(nose)
  const driving = packet({
    lapTime: 10,
    forwardX,
    forwardY: Math.sin(nose),
    forwardZ: -forwardX,
    rightX: 0.5,
    rightY: -Math.sin(side),
    rightZ: 0.25,
    velocityX: 10,
    velocityY: 1,
    velocityZ: -20,
    clutch: 0.5
  })
  expect(lastSamples(eventsOfPackets([driving]))).toMatchObject({
    yaw: expect.closeTo(45, 4),
    pitch: expect.closeTo(10, 4),
    roll: expect.closeTo(5, 4),
    velocity_x: 10,
    velocity_y: 20,
    velocity_z: 1,
    velocity_forward: expect.closeTo(30 * forwardX + Math.sin(nose), 4),
    velocity_right: expect.closeTo(-Math.sin(side), 4),
    clutch: 0.5,
    lap_distance: 500,
    distance: 500
  })
  expect(lastSamples(eventsOfPackets([packet({ distance: -150 })]))).toMatchObject({
    lap_distance: Number.NaN,
    distance: Number.NaN,
    lap_fraction: 0
  })
})

it("is recognised by its length, and has advice if the game sends less", () => {
  expect([263, 264, 265].map((length) => protocol.recognises(Buffer.alloc(length)))).toEqual([
    false,
    true,
    false
  ])
  const moving = packet({ speed: 5, velocityX: 3, velocityZ: 4 }).subarray(0, 152)
  expect(protocol.hint?.(moving)).toContain('extradata="3"')
  expect(protocol.hint?.(moving.subarray(0, 151))).toBeUndefined()
  expect(protocol.hint?.(Buffer.alloc(152))).toBeUndefined()
  expect(protocol.hint?.(Buffer.alloc(10, 1))).toBeUndefined()
})

it("reads the reverse gear of older titles, too", () => {
  const gears = [0, 1, 6, 10, -1, 11, -2]
  const events = eventsOfPackets(gears.map((gear, i) => packet({ lapTime: i / 10, gear })))
  expect(Array.from(recorded(events)[0]!.batch.column("gear"))).toEqual([0, 1, 6, -1, -1])
  // A number that is no gear gives no point.
  expect(discarded(events)).toBe(2)
})

const rpm = (engineRate: number, maxRate: number) =>
  recorded(eventsOfPackets([packet({ engineRate, maxRate })]))[0]!.batch.column("rpm")[0]

it("reads engine rates in rad/s, and in another unit only if that makes the greatest a round number", () => {
  const RADIAN = 60 / (2 * Math.PI)
  expect(rpm(400, 837.758_056_6)).toBeCloseTo(400 * RADIAN, 3)
  expect(rpm(4000, 7500)).toBe(4000)
  expect(rpm(400, 750)).toBe(4000)
  // A few cars of DiRT Rally 2.0 have no round number at all.
  expect(rpm(400, 801.3)).toBeCloseTo(400 * RADIAN, 3)
})

describe("stages", () => {
  it("end at the finish, with the sectors that are reported", () => {
    const sectors = { sector1: 52.595, sector2: 53.014 }
    const [session] = recorded(
      eventsOfPackets([...run(0, 199.9, sectors), packet({ ...sectors, lapTime: 200.123 })])
    )
    expect(session!.reported).toMatchObject([
      { lapNumber: undefined, lapTime: 200.123, sectors: [52.595, 53.014, 94.514], valid: true }
    ])
    expect(session!.laps).toHaveLength(1)
  })

  it("are the session's next lap if a finished one is driven again, also if the game's clock begins again", () => {
    for (const began of [300, 0])
      expect(lapsOf([...run(0, 200.1), ...run(0, 200.2, {}, began)])).toEqual([
        [
          [1, 200, true],
          [2, 200, true]
        ]
      ])
  })

  it("are another session after one that was broken off, and if stage or car are others", () => {
    expect(lapsOf([...run(0, 100), ...run(0, 200, {}, 300)])).toEqual([[], [[1, 200, true]]])
    expect(lapsOf([...run(0, 200), ...run(0, 5, { trackLength: 5000 }, 300)])).toEqual([[[1, 200, true]], []])
    expect(lapsOf([...run(0, 200), ...run(0, 5, { maxRate: 900 }, 300)])).toEqual([[[1, 200, true]], []])
  })

  it("do not count when joined, or with a gap", () => {
    expect(lapsOf(run(20, 200))).toEqual([[[1, 200, false]]])
    expect(lapsOf([...run(0, 100), ...run(102, 200)])).toEqual([[[1, 200, false]]])
  })

  it("leave out late and repeated packets, and ignore a single stray packet", () => {
    const packets = run(0, 50)
    const shuffled = [
      ...packets.slice(0, 20),
      packets[18]!,
      packets[19]!,
      packet({ lapTime: 5000 }),
      ...packets.slice(20)
    ]
    const events = eventsOfPackets(shuffled)
    expect(discarded(events)).toBe(3)
    expect(recorded(events)).toHaveLength(1)
    expect(recorded(events)[0]!.batch.length).toBe(packets.length)
  })
})

it("have the length of their stage, and the sectors of DiRT Rally are cut at thirds of it", () => {
  const { events } = drive(stageOf2015(dirtRally))
  expect(eventsOf(events, "SessionStarted").map(({ circuitLength }) => circuitLength)).toEqual([
    Math.fround(scene.circuit.length)
  ])
  for (const { sectorSource } of eventsOf(events, "LapCompleted")) expect(sectorSource).toBe("derived")
})
