/** BeamNG.drive: points of two protocols without a clock. */
import { describe, expect, it } from "vitest"
import { channelSet } from "../../../../src/domain/ChannelSet.ts"
import { type Channel, channels } from "../../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { beamNgEmulator } from "../../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { Frames, type FramesOptions } from "../../../../simulator/emulators/frames.ts"
import { protocol } from "../../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { framesOptions, GAME_RATE, scene } from "../emulating.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { discarded, eventsOf, recorded } from "../suite/events.ts"
import { drive } from "../suite/drive.ts"
import { kinds } from "./game.ts"

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

it("distinguishes MotionSim from OutGauge, and both from other bytes", () => {
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

/** All points have these channels and the time, and no others. */
const expectDeclared = (events: ReadonlyArray<SimulatorEvent>, ...declared: ReadonlyArray<Channel>) => {
  for (const points of pointsOf(events)) {
    expect(points.declared).toBe(channelSet(...declared))
    const undeclared = channels.filter((channel) => channel !== "timestamp" && !declared.includes(channel))
    for (const channel of undeclared) expect(points.batch.column(channel).every(Number.isNaN)).toBe(true)
  }
}

describe("one protocol alone", () => {
  it("of OutGauge gives every point, without a position, once MotionSim is not to be expected", () => {
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

  it("of OutGauge, a moment before MotionSim, takes its position from there", () => {
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

  it("of MotionSim gives positions and speed", () => {
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

  it("of MotionSim, a moment before OutGauge, gives no points of its own", () => {
    const [one, two, three] = pairs(3).map(({ motion }) => motion)
    const events = interpret(newInterpreter(), [one!, two!, pairs(3)[2]!.gauge, three!])
    expect(column(events, "speed")).toHaveLength(1)
  })
})

describe("without a clock", () => {
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

  it("a pause gives no points, and only its first moments count as repetitions", () => {
    const events = interpret(newInterpreter(), stream({ pauses: [{ at: 2, seconds: 5 }] }), 1 / 120)
    const times = column(events, "timestamp")
    expect(times).toHaveLength(300)
    expect(discarded(events)).toBeLessThanOrEqual(15)
    const longest = Math.max(...times.slice(1).map((time, n) => time - times[n]!))
    expect(longest).toBeCloseTo(5 + 1 / 60, 5)
  })

  it("a car that stands still goes on giving points", () => {
    const { gauge, motion } = pairs(1)[0]!
    gauge.writeFloatLE(0, 12)
    const events = interpret(newInterpreter(), [motion, ...Array.from({ length: 100 }, () => gauge)])
    expect(column(events, "speed")).toHaveLength(100)
    expect(discarded(events)).toBe(0)
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
})

it("spoils the lap of a pause, and begins another session with a restart", () => {
  const { events, laps } = drive(kinds[0]!, { laps: 4, pauses: [{ at: 130, seconds: 8 }], restarts: [70] })
  const sessions = recorded(events)
  expect(sessions.map((session) => session.laps.map(({ valid }) => valid))).toEqual([
    [false],
    [false, true, true, false]
  ])
  const timed = sessions[1]!.laps.filter(({ valid }) => valid)
  expect(timed.map(({ lapTime }) => lapTime)).toEqual(
    laps.slice(-2).map(({ lapTime }) => expect.closeTo(lapTime, 3))
  )
})
