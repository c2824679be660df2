import { describe, expect, it } from "vitest"
import { channelSet } from "../../../src/domain/ChannelSet.ts"
import { type Channel, channels } from "../../../src/domain/pointChannels.ts"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { beamNgEmulator } from "../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { Frames, type FramesOptions } from "../../../simulator/emulators/frames.ts"
import { protocol } from "../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { decodeMotion } from "../../../src/simulators/drivers/beamng/decodeMotion.ts"
import { framesOptions, GAME_RATE, scene } from "./emulating.ts"
import { fuzz, interpret, linkOptions } from "./interpreting.ts"
import { discarded as late, eventsOf } from "./recorded.ts"
import { lapNumbersOf } from "../lapsSaid.ts"

const { startLine } = scene.circuit
const newInterpreter = () => protocol.interpreter(linkOptions({ options: { startLine: startLine } }))

const pointsOf = (events: ReadonlyArray<SimulatorEvent>) => eventsOf(events, "Points")
const column = (
  events: ReadonlyArray<SimulatorEvent>,
  channel: "timestamp" | "speed" | "position_x" | "rpm"
) => pointsOf(events).flatMap(({ batch }) => Array.from(batch.column(channel)))
const tags = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap(({ _tag }) => (["Rows", "ChannelsDeclared"].includes(_tag) ? [] : [_tag]))
/** The two datagrams of each of some frames. */
const pairs = (count: number, more: Partial<FramesOptions> = {}) => {
  const frames = new Frames(framesOptions({ rate: GAME_RATE, ...more }))
  return Array.from({ length: count }, () => {
    const sent: Array<Buffer> = []
    const frame = frames.next()
    beamNgEmulator().frame(frame, (bytes) => sent.push(Buffer.from(bytes)))
    const [motion, gauge] = sent as [Buffer, Buffer]
    return { frame, motion, gauge }
  })
}

const stream = (more: Partial<FramesOptions> = {}) =>
  pairs(600, more).flatMap(({ gauge, motion }) => [motion, gauge])

const moved = (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy.writeFloatLE(bytes.readFloatLE(4) + 4000, 4)
  return copy
}

describe("MotionSim", () => {
  it("reads position and velocity, and refuses other lengths", () => {
    const bytes = Buffer.alloc(88)
    bytes.write("BNG1")
    ;[1.5, -2.5, 3.5, 10, -20, 0.5].forEach((value, n) => bytes.writeFloatLE(value, 4 + 4 * n))
    const read = { x: 1.5, y: -2.5, z: 3.5, velocityX: 10, velocityY: -20, velocityZ: 0.5 }
    expect(decodeMotion(bytes)).toEqual(read)
    expect(decodeMotion(bytes.subarray(0, 87))).toBe("a MotionSim packet of 87 bytes, where 88 are expected")
    expect(decodeMotion(Buffer.alloc(88))).toBe("a datagram of 88 bytes that does not begin with BNG1")
  })

  it("is distinguished from OutGauge, and both from other bytes", () => {
    const [{ gauge, motion }] = pairs(1) as [ReturnType<typeof pairs>[number]]
    const longer = Buffer.concat([gauge, Buffer.alloc(8)])
    for (const bytes of [gauge, motion, longer]) expect(protocol.recognises(bytes)).toBe(true)
    const other = Buffer.from(gauge)
    other.write("XFG\0", 4)
    for (const bytes of [
      other,
      motion.subarray(0, 64),
      gauge.subarray(0, 91),
      Buffer.alloc(0),
      Buffer.alloc(96)
    ]) {
      expect(protocol.recognises(bytes)).toBe(false)
    }
  })
})

it("makes one point of each OutGauge, with the newest motion, in our units", () => {
  const driven = pairs(200)
  const events = interpret(
    newInterpreter(),
    driven.flatMap(({ gauge, motion }) => [motion, gauge]),
    1 / 120
  )
  expect(tags(events)).toEqual(["SessionStarted"])
  expect(events[0]).toMatchObject({ circuit: "", vehicle: "", driver: "", startLine, clockZero: undefined })
  const all = pointsOf(events).map(({ batch }) => batch)
  expect(all).toHaveLength(200)
  all.forEach((batch, n) => {
    const [time, speed, rpm, gear, throttle, brake, steering, x, y, z] = batch.data
    const { frame } = driven[n]!
    expect(time).toBeCloseTo(100 + (2 * n + 1) / 120, 9)
    expect(speed).toBeCloseTo(frame.speed, 3)
    expect(rpm).toBeCloseTo(frame.rpm, 2)
    expect([gear, steering]).toEqual([frame.gear, ABSENT])
    expect(throttle).toBeCloseTo(frame.throttle, 6)
    expect(brake).toBeCloseTo(frame.brake, 6)
    expect(x).toBeCloseTo(frame.x, 3)
    expect(y).toBeCloseTo(frame.y, 3)
    expect(z).toBeCloseTo(frame.z, 3)
  })
  expect(lapNumbersOf(pointsOf(events)[0]!)[0]).toBeNaN()
})

it("reads reverse and neutral, and keeps pedals within 0 and 1", () => {
  const gauges = [0, 1, 2, 7].map((gear) => {
    const bytes = Buffer.from(pairs(1)[0]!.gauge)
    bytes[10] = gear
    bytes.writeFloatLE(1.0001, 48)
    bytes.writeFloatLE(-0.0001, 52)
    return bytes
  })
  const events = interpret(newInterpreter(), [pairs(1)[0]!.motion, ...gauges])
  const batches = pointsOf(events).map(({ batch }) => [batch.data[3], batch.data[4], batch.data[5]])
  expect(batches).toEqual([-1, 0, 1, 6].map((gear) => [gear, 1, 0]))
})

/** All points tell these channels and the time, and no others. */
const expectDeclared = (events: ReadonlyArray<SimulatorEvent>, ...declared: ReadonlyArray<Channel>) => {
  for (const points of pointsOf(events)) {
    expect(points.declared).toBe(channelSet(...declared))
    const undeclared = channels.filter((channel) => channel !== "timestamp" && !declared.includes(channel))
    for (const channel of undeclared) expect(points.batch.column(channel).every(Number.isNaN)).toBe(true)
  }
}

describe("one protocol alone", () => {
  it("OutGauge alone gives every point, without a position, once MotionSim is not to be expected", () => {
    const driven = pairs(150)
    const events = interpret(
      newInterpreter(),
      driven.map(({ gauge }) => gauge)
    )
    expect(column(events, "speed")).toHaveLength(150)
    expectDeclared(events, "speed", "rpm", "gear", "throttle", "brake")
    expect(events[0]).toMatchObject({ _tag: "SessionStarted" })
    expect(
      interpret(
        newInterpreter(),
        driven.slice(0, 59).map(({ gauge }) => gauge)
      )
    ).toEqual([])
  })

  it("OutGauge first by a moment is where the MotionSim after it says", () => {
    const driven = pairs(20)
    const events = interpret(
      newInterpreter(),
      driven.flatMap(({ gauge, motion }) => [gauge, motion])
    )
    const x = column(events, "position_x")
    expect(x).toHaveLength(20)
    expect(x[0]).toBeCloseTo(driven[0]!.frame.x, 3)
    expect(x[1]).toBeCloseTo(driven[0]!.frame.x, 3)
    expect(x[2]).toBeCloseTo(driven[1]!.frame.x, 3)
    expectDeclared(events, ...channels.filter((channel) => channel !== "steering"))
  })

  it("MotionSim alone gives positions and speed", () => {
    const driven = pairs(150)
    const events = interpret(
      newInterpreter(),
      driven.map(({ motion }) => motion)
    )
    const speed = column(events, "speed")
    expect(speed).toHaveLength(150)
    expectDeclared(events, "speed", "position_x", "position_y", "position_z")
    driven.forEach(({ frame }, n) => expect(speed[n]).toBeCloseTo(frame.speed, 3))
  })

  it("MotionSim first by a moment gives no points of its own", () => {
    const [one, two, three] = pairs(3).map(({ motion }) => motion)
    const events = interpret(newInterpreter(), [one!, two!, pairs(3)[2]!.gauge, three!])
    expect(column(events, "speed")).toHaveLength(1)
  })
})

describe("without a clock", () => {
  it("a repeated packet is one point, and is counted", () => {
    const events = interpret(
      newInterpreter(),
      stream().flatMap((bytes) => [bytes, bytes]),
      1 / 240
    )
    expect(column(events, "speed")).toHaveLength(600)
    expect(late(events)).toBe(600)
  })

  it("a motion that was overtaken does not move the car back", () => {
    const driven = pairs(600)
    const swapped = [...driven]
    for (let n = 10; n + 1 < swapped.length; n += 10)
      [swapped[n], swapped[n + 1]] = [swapped[n + 1]!, swapped[n]!]
    const events = interpret(
      newInterpreter(),
      swapped.flatMap(({ gauge, motion }) => [motion, gauge])
    )
    const places = driven.map(({ motion }) => motion.readFloatLE(4))
    const order = column(events, "position_x").map((x) => places.indexOf(x))
    expect(order).toHaveLength(600)
    order.forEach((place, n) => expect(place).toBeGreaterThanOrEqual(n === 0 ? 0 : order[n - 1]!))
    expect(new Set(order).size).toBe(600 - 59)
    expect(tags(events)).toEqual(["SessionStarted"])
  })

  it("a game that is paused gives no points, and the session goes on", () => {
    const events = interpret(newInterpreter(), stream({ pauses: [{ at: 2, seconds: 5 }] }), 1 / 120)
    expect(column(events, "speed")).toHaveLength(300)
    expect(late(events)).toBeLessThanOrEqual(15)
    const times = column(events, "timestamp")
    expect(Math.max(...times.map((time, n) => (n === 0 ? 0 : time - times[n - 1]!)))).toBeCloseTo(
      5 + 1 / 60,
      5
    )
    expect(tags(events).filter((tag) => tag === "SessionStarted")).toHaveLength(1)
  })

  it("a car that stands still goes on giving points", () => {
    const { gauge, motion } = pairs(1)[0]!
    gauge.writeFloatLE(0, 12)
    const events = interpret(newInterpreter(), [motion, ...Array.from({ length: 100 }, () => gauge)])
    expect(column(events, "speed")).toHaveLength(100)
    expect(late(events)).toBe(0)
  })

  it("points that arrive together do not have the same time", () => {
    const events = interpret(newInterpreter(), stream(), 0)
    const times = column(events, "timestamp")
    expect(times.length).toBe(600)
    expect(times.every((time, n) => n === 0 || time > times[n - 1]!)).toBe(true)
  })

  it("a car put somewhere else begins a session, a single broken position does not", () => {
    const driven = pairs(60)
    const datagrams = driven.flatMap(({ gauge, motion }, n) => [
      n === 20 || n >= 40 ? moved(motion) : motion,
      gauge
    ])
    const events = interpret(newInterpreter(), datagrams)
    expect(tags(events)).toEqual(["SessionStarted", "SessionStarted"])
    const x = column(events, "position_x")
    expect(x).toHaveLength(60)
    expect(x.findIndex((value) => value > 3000)).toBe(41)
  })

  it("refuses packets with values that are no numbers", () => {
    const { gauge, motion } = pairs(1)[0]!
    const broken = Buffer.from(motion)
    broken.writeFloatLE(Number.NaN, 8)
    const events = interpret(newInterpreter(), [motion, broken, gauge])
    expect(tags(events)).toEqual(["Refused", "SessionStarted"])
    expect(column(events, "speed")).toHaveLength(1)
  })
})

it("never throws, and gives only finite points", () => {
  const seeds = pairs(400).flatMap(({ gauge, motion }) => [motion, gauge])
  expect(() => fuzz(newInterpreter, seeds, 14_000)).not.toThrow()
})
