/** Richard Burns Rally: single cases of stages by the sheet. */
import { describe, expect, it } from "vitest"
import { speedUnits } from "../../../../simulator/emulators/richard-burns-rally/emulator.ts"
import { packet } from "../../../../src/simulators/drivers/richard-burns-rally/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { discarded, eventsOf, recorded, type RecordedSession } from "../suite/events.ts"
import { countsIn, eventsAfter, lapsIn, timedLaps } from "../stages.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())

/** Packets a second, and the steps between two of them, at 720 steps a second. */
const RATE = 48
const STEPS = 15
const LENGTH = 2000
const SPEED = 40

interface Run {
  /** s at the line before the start. */
  readonly countdown?: number
  /** s of driving at 40 m/s, beyond the finish. */
  readonly seconds?: number
  /** A penalty of `seconds` at the time `at`, s. */
  readonly penalty?: readonly [at: number, seconds: number]
  /** The factor from m/s to the speed's unit. */
  readonly unit?: number
  /** The steps that the game had counted before. */
  readonly steps?: number
  readonly more?: Readonly<Record<string, number>>
  /** Steps a second. */
  readonly physics?: number
  /** Where the finish is, m before the stage's own end. */
  readonly early?: number
}

/** A run of a stage of 2 km: the countdown, 50 s to the finish, and on with a time that stands still. */
const run = ({
  countdown = 7,
  early = 0,
  more,
  penalty,
  physics = 720,
  seconds = 55,
  steps = 0,
  unit = 3.6
}: Run = {}) =>
  Array.from({ length: Math.round((countdown + seconds) * RATE) + 1 }, (_, i) => {
    const t = i / RATE - countdown
    const distance = Math.max(0, t) * SPEED
    const raced = Math.min(Math.max(0, t), (LENGTH - early) / SPEED)
    const bytes = Buffer.alloc(packet.size)
    packet.write(bytes, 0, {
      totalSteps: steps + Math.round((i / RATE) * physics),
      stageIndex: 71,
      raceTime: raced + (penalty !== undefined && t >= penalty[0] ? penalty[1] : 0),
      distanceToEnd: LENGTH - distance,
      gear: t > 0 ? 4 : 1,
      carIndex: 5,
      speed: t > 0 ? SPEED * unit : 0,
      positionX: distance,
      velocitySurge: t > 0 ? SPEED : 0,
      ...more
    })
    return bytes
  })

const eventsOfPackets = (packets: ReadonlyArray<Buffer>) => interpret(newInterpreter(), packets, 1 / RATE)
const lapsOf = (packets: ReadonlyArray<Buffer>) => lapsIn(eventsOfPackets(packets))
/** To the millisecond, of the first lap. */
const sectorsOf = ({ laps: [lap] }: RecordedSession) => [
  [lap!.sector1Time, lap!.sector2Time, lap!.sector3Time].map((time) => Math.round(time! * 1000) / 1000),
  lap!.sectorSource
]
const driven = (unit: number) => speedsOf(run({ unit })).at(-1)
const speedsOf = (packets: ReadonlyArray<Buffer>) =>
  recorded(eventsOfPackets(packets))[0]!.batch.column("speed")

describe("a stage", () => {
  it("is a lap from the start to the finish, with the time that stands still there", () => {
    const events = eventsOfPackets(run())
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(timedLaps(session!)).toEqual([[1, 50, true]])
    const [lap] = session!.laps
    // The countdown is recorded, and is no part of the lap.
    expect(lap!.startTime).toBeCloseTo(107, 2)
    expect(lap!.endTime).toBeCloseTo(157, 1)
    expect(sectorsOf(session!)).toEqual([[16.667, 16.667, 16.667], "derived"])
    expect(session!.batch.timestamps[0]).toBe(100)
    // Points behind the finish are not recorded.
    expect(session!.batch.timestamps.at(-1)).toBeCloseTo(157, 1)
    expect(Math.max(...session!.lapDistance)).toBeCloseTo(LENGTH, -1)
    expect(eventsOf(events, "SessionStarted")[0]!.circuitLength).toBe(LENGTH)
    expect(discarded(events)).toBe(0)
  })

  it("has no sectors without the packets of the countdown, which show its length", () => {
    const [session] = recorded(eventsOfPackets(run().filter((bytes) => packet.read.raceTime(bytes) > 0)))
    expect(timedLaps(session!)).toEqual([[1, 50, true]])
    const [lap] = session!.laps
    expect([lap!.sector1Time, lap!.sector2Time, lap!.sector3Time]).toEqual([null, null, null])
  })

  it("has a time with its penalty, and points without", () => {
    const [session] = recorded(eventsOfPackets(run({ penalty: [20, 35] })))
    expect(timedLaps(session!)).toEqual([[1, 85, true]])
    expect(sectorsOf(session!)).toEqual([[16.667, 51.667, 16.667], "derived"])
    const times = session!.batch.timestamps
    const steps = times.slice(1).map((time, i) => time - times[i]!)
    expect(Math.max(...steps)).toBeCloseTo(STEPS / 720, 4)
  })

  it("is over if its time stands still before the end, from when it stopped", () => {
    const [session] = recorded(eventsOfPackets(run({ early: 30 })))
    expect(timedLaps(session!)).toEqual([[1, 49.25, true]])
    expect(session!.laps[0]!.endTime).toBeCloseTo(156.25, 1)
    // A clock that stands still far from the end, or in a car that stands, ends nothing.
    expect(lapsOf(run({ early: 200, seconds: 48.5 }))).toEqual([[]])
    expect(lapsOf(run({ early: 30, seconds: 49.9, more: { speed: 1 } }))).toEqual([[]])
  })

  it("was given up if the packets end before the finish, however near", () => {
    const events = eventsAfter(newInterpreter(), [run({ seconds: 49.98 }), 60, "end"])
    expect(lapsIn(events)).toEqual([[]])
    expect(countsIn(events)).toEqual([1])
  })

  it("is the session's next lap if it is driven again, and another session's after one that was given up", () => {
    const again = run({ steps: 50_000 })
    expect(lapsOf([...run(), ...again])).toEqual([
      [
        [1, 50, true],
        [2, 50, true]
      ]
    ])
    expect(lapsOf([...run({ seconds: 30 }), ...again])).toEqual([[], [[1, 50, true]]])
    expect(lapsOf([...run(), ...run({ steps: 50_000, more: { carIndex: 4 } })])).toHaveLength(2)
    expect(lapsOf([...run(), ...run({ steps: 50_000, more: { stageIndex: 10 } })])).toHaveLength(2)
    // Steps that are counted anew are a restart, too.
    expect(lapsOf([...run({ seconds: 30 }), ...run()])).toEqual([[], [[1, 50, true]]])
  })

  it("does not count when joined, and has no distance then", () => {
    const joined = run().slice(20 * RATE)
    const [session] = recorded(eventsOfPackets(joined))
    expect(timedLaps(session!)).toEqual([[1, 50, false]])
    expect(session!.lapDistance.every(Number.isNaN)).toBe(true)
  })
})

describe("the speed", () => {
  it("is reported in km/h whatever unit the player has", () => {
    for (const unit of [1, ...Object.values(speedUnits)]) expect(driven(unit)).toBeCloseTo(SPEED * 3.6, 3)
  })

  it("comes from the velocity before the unit is known, and if no unit fits", () => {
    const velocity = { velocitySurge: 39 }
    const speeds = speedsOf(run({ unit: speedUnits.mph, more: velocity }))
    const moving = speeds.filter((_, i) => i > 7 * RATE + 1)
    expect(moving[0]).toBeCloseTo(39 * 3.6, 3)
    expect(moving[47]).toBeCloseTo(39 * 3.6, 3)
    expect(moving[48]).toBeCloseTo(SPEED * 3.6, 3)
    expect(speedsOf(run({ unit: 2, more: velocity })).at(-1)).toBeCloseTo(39 * 3.6, 3)
  })

  it("has its unit checked again in each run", () => {
    const [session] = recorded(eventsOfPackets([...run(), ...run({ unit: speedUnits.mph, steps: 50_000 })]))
    expect(Math.max(...session!.batch.column("speed"))).toBeCloseTo(SPEED * 3.6, 3)
  })
})

describe("packets", () => {
  it("that are late or repeated are left out, and many repetitions are a pause", () => {
    const packets = run({ seconds: 30 })
    const paused = Array.from({ length: 20 * RATE }, () => packets[1000]!)
    const late = [packets[980]!, packets[985]!]
    const events = eventsOfPackets([...packets.slice(0, 1001), ...late, ...paused, ...packets.slice(1001)])
    expect(recorded(events)).toHaveLength(1)
    // Packets in the first moments of the pause count as repetitions.
    expect(discarded(events)).toBeGreaterThan(late.length)
    expect(discarded(events)).toBeLessThan(late.length + 0.3 * RATE)
    const times = recorded(events)[0]!.batch.timestamps
    expect(times).toHaveLength(packets.length)
    expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 0.03)).toBe(true)
  })

  it("are timed by a physics of another rate, if the stage's time shows it", () => {
    const [session, ...more] = recorded(eventsOfPackets(run({ physics: 1000 })))
    expect(more).toEqual([])
    const { timestamps } = session!.batch
    const [before, after] = [timestamps.at(-10 * RATE)!, timestamps.at(-1)!]
    expect(after - before).toBeCloseTo(10, 1)
    expect(timedLaps(session!)).toEqual([[1, 50, true]])
  })
})
