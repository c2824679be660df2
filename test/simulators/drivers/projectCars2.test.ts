/** Project CARS 2 and Automobilista 2: what is recognised, and drives of the emulator. */
import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { emulators } from "../../../simulator/emulators/index.ts"
import {
  type Pc2Options,
  ProjectCars2Emulator
} from "../../../simulator/emulators/project-cars-2/emulator.ts"
import { protocol } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { Game } from "./projectCars2Packets.ts"
import { emulate, type Emulated, GAME_RATE, pausedAndRestarted, RATE, scene } from "./emulating.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden, interpret, linkOptions } from "./interpreting.ts"
import { discarded, eventsOf, recorded, signedArea } from "./recorded.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())
type Options = Omit<Parameters<typeof emulate>[0], "emulator" | "interpreter">
const play = (options: Options = {}, game: Pc2Options = {}): Emulated =>
  emulate({ ...options, emulator: new ProjectCars2Emulator(scene, game), interpreter: newInterpreter })

const ms = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000))

/** Compares every recorded lap with the driven one, to the millisecond. */
const expectLaps = ({ driven, events }: Emulated) => {
  const sessions = recorded(events)
  expect(sessions).toHaveLength(driven.length)
  for (const [s, { laps }] of sessions.entries()) {
    expect(
      laps.slice(0, driven[s]!.length).map(({ lapNumber, lapTime, valid }) => [lapNumber, ms(lapTime), valid])
    ).toEqual(driven[s]!.map(({ lapNumber, lapTime, valid }) => [lapNumber, ms(lapTime), valid]))
    for (const [n, { sectors }] of driven[s]!.entries()) {
      const { sector1Time, sector2Time, sector3Time } = laps[n]!
      const known = [sector1Time, sector2Time, sector3Time]
      expect(known.map(ms)).toEqual(sectors.map(ms))
    }
    for (const rest of laps.slice(driven[s]!.length)) {
      expect(rest).toMatchObject({ lapTime: null, valid: false })
    }
  }
  return sessions
}

const isOurs = (type: number, length: number) => {
  const bytes = Buffer.alloc(length)
  bytes[10] = type
  bytes[11] = 1
  return protocol.recognises(bytes)
}

const refusals = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => (event._tag === "Refused" ? [event.reason] : []))

describe("what cannot be recorded", () => {
  it("is named: packets of the game's first release", () => {
    const lengths: ReadonlyArray<readonly [type: number, length: number]> = [
      [2, 1040],
      [3, 993],
      [7, 784]
    ]
    for (const [type, length] of lengths) {
      const bytes = Buffer.alloc(length)
      bytes[10] = type
      const game = new Game()
      game.hear(bytes)
      expect(refusals(game.events)).toEqual([
        `a packet of ${length} bytes is of the game's first release, which reported less: update the game`
      ])
    }
  })

  it("is named: a car beyond those that the game tells", () => {
    const game = new Game()
    game.state(2)
    game.names()
    game.drive(1, { local: 40, viewed: 40, participants: 41 })
    expect(refusals(game.events)).toContain(
      "the car is participant 41, and the game reports only the first 32"
    )
  })
})

describe("what is the game's", () => {
  it("is reported by type, version and least length", () => {
    expect([isOurs(0, 538), isOurs(0, 700), isOurs(3, 1059), isOurs(4, 24), isOurs(8, 1164)]).toEqual(
      Array(5).fill(true)
    )
    expect([isOurs(0, 537), isOurs(3, 1058), isOurs(4, 23), isOurs(5, 1000), isOurs(255, 1400)]).toEqual(
      Array(5).fill(false)
    )
    expect(protocol.recognises(Buffer.alloc(5))).toBe(false)
  })
})

describe("emulated", () => {
  it("three laps", () => {
    const played = play({ frames: { rate: GAME_RATE } })
    const { events, frames } = played
    expect(eventsOf(events, "Refused")).toEqual([])
    expect(discarded(events)).toBe(0)
    expect(eventsOf(events, "SessionStarted")).toEqual([
      expect.objectContaining({
        circuit: "Larkspur Park GP",
        vehicle: "Merlin F-08",
        driver: "Robin Vale",
        circuitLength: Math.fround(scene.circuit.length)
      })
    ])
    const { batch, lapDistance, lapNumber, missing } = expectLaps(played)[0]!
    expect(missing).toBe(0)
    // The first telemetry comes before the timings, which tell the player.
    expect(batch.length).toBe(frames.length - 1)
    const driven = frames.slice(1)
    const off = (of: (frame: Frame, i: number) => number) =>
      driven.reduce((most, frame, i) => Math.max(most, Math.abs(of(frame, i))), 0)
    const offBy = (channel: Channel, of: (frame: Frame) => number) => {
      const column = batch.column(channel)
      return off((frame, i) => column[i]! - of(frame))
    }
    const first = batch.timestamps[0]! - driven[0]!.sessionTime
    expect(offBy("timestamp", ({ sessionTime }) => first + sessionTime)).toBeLessThan(0.0011)
    expect(offBy("speed", ({ speed }) => speed)).toBeLessThan(0.0001)
    expect(offBy("rpm", ({ rpm }) => rpm)).toBeLessThanOrEqual(0.5)
    expect(offBy("gear", ({ gear }) => gear)).toBe(0)
    expect(offBy("throttle", ({ throttle }) => throttle)).toBeLessThan(0.002)
    expect(offBy("brake", ({ brake }) => brake)).toBeLessThan(0.002)
    expect(offBy("steering", ({ steering }) => steering)).toBeLessThan(0.004)
    expect(offBy("position_x", ({ x }) => x)).toBeLessThan(0.0001)
    expect(offBy("position_y", ({ y }) => y)).toBeLessThan(0.0001)
    expect(offBy("position_z", ({ z }) => z)).toBeLessThan(0.0001)
    const second = lapNumber.flatMap((number, i) => (number === 2 ? [i] : []))
    const path = batch.pick(second)
    const { x, y } = scene.circuit
    const area = signedArea(path.column("position_x"), path.column("position_y"))
    expect(area / signedArea(x, y)).toBeCloseTo(1, 1)
    // Timings come a tick after the telemetry, and say whole metres.
    const behind = driven.map(({ lapDistance: metres }, i) => metres - lapDistance[i]!)
    expect(behind.filter((metres) => metres < 0 || metres > 3).length).toBeLessThan(10)
  })

  it.each([538, 556] as const)("by a build of %i bytes, whose clock is the arrival's", (build) => {
    const played = play({ frames: { laps: 2, rate: GAME_RATE } }, { build })
    const { batch } = expectLaps(played)[0]!
    const { frames } = played
    const off = (column: ArrayLike<number>, of: (frame: Frame) => number) =>
      frames.slice(1).reduce((most, frame, i) => Math.max(most, Math.abs(column[i]! - of(frame))), 0)
    expect(off(batch.column("position_x"), ({ x }) => x)).toBeLessThan(build === 538 ? 2.5 : 0.0001)
    expect(off(batch.column("position_y"), ({ y }) => y)).toBeLessThan(build === 538 ? 2.5 : 0.0001)
    expect(off(batch.timestamps, ({ upTime }) => 100 + upTime)).toBeLessThan(1e-6)
  })

  it("loses, reorders and repeats datagrams: the laps stay right", () => {
    const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
    const played = play({ faults })
    const { batch, missing } = expectLaps(played)[0]!
    const { frames } = played
    expect(missing).toBeGreaterThan(frames.length * 0.01)
    expect(missing).toBeLessThan(frames.length * 0.06)
    expect(batch.length).toBeGreaterThan(frames.length * 0.94)
    expect(batch.timestamps.every((time, i, all) => i === 0 || time > all[i - 1]!)).toBe(true)
  })

  it("pauses without a gap, and restarts with another session", () => {
    const played = play({ frames: pausedAndRestarted })
    const sessions = expectLaps(played)
    expect(sessions).toHaveLength(2)
    for (const { batch } of sessions) {
      expect(batch.timestamps.every((time, i, all) => i === 0 || time - all[i - 1]! < 2.4 / RATE)).toBe(true)
    }
    expect(sessions[1]!.batch.timestamps[0]).toBeGreaterThan(sessions[0]!.batch.timestamps.at(-1)!)
  })

  it("pauses and restarts with 2 % of all lost, too", () => {
    const frames = pausedAndRestarted
    const played = play({ frames, faults: { loss: 0.02, reorder: 0.02 } })
    expect(expectLaps(played)).toHaveLength(2)
  })

  it("gives no points of a car that the player only views; the lap goes on", () => {
    const played = play({}, { looksAway: { at: 30, seconds: 12 } })
    const { batch } = expectLaps(played)[0]!
    expect(batch.length).toBe(played.frames.length - 1 - 12 * RATE)
  })
})

it("offers an emulator", () => {
  const ours = emulators.filter(({ simulator }) => simulator === "project-cars-2")
  expect(ours.map(({ port, protocol }) => [protocol, port])).toEqual([["project-cars-2", 5606]])
})

it("never throws, whatever the bytes", () => {
  const sent: Array<Buffer> = []
  for (const build of [538, 556, 559] as const) {
    const { arrived } = play({ frames: { laps: 1, rate: 10 } }, { build })
    sent.push(...arrived.slice(0, 80).map(({ bytes }) => bytes))
  }
  const golden = haveGolden ? goldenVectors("pc2-ams2.json").map(bytesOf) : []
  fuzz(newInterpreter, [...sent, ...golden], 14_000)
  expect(eventsOf(interpret(newInterpreter(), [Buffer.alloc(7)]), "Refused")).toHaveLength(1)
})
