import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { emulators } from "../../../simulator/emulators/index.ts"
import { DataOut, type Game } from "../../../simulator/emulators/forza/dataOut.ts"
import { protocol } from "../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { formatOf } from "../../../src/simulators/drivers/forza/formats.ts"
import { sledPacket } from "../../../src/simulators/drivers/forza/layout.ts"
import { tracks } from "../../../src/simulators/drivers/forza/tracks.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { emulate, pausedAndRestarted, RATE, scene } from "./emulating.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden, interpret, linkOptions } from "./interpreting.ts"
import { discarded, eventsOf, pointAt, recorded, signedArea } from "./recorded.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())
const dataOut = (game: Game) => {
  const out = new DataOut(game, scene)
  return {
    emulator: { frame: (frame, send) => send(out.encode(frame)) },
    interpreter: newInterpreter
  } satisfies Parameters<typeof emulate>[0]
}

const packetOf = (bytes: Buffer) => formatOf(bytes)?.packet ?? sledPacket

describe("golden packets of Data Out", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("forza.json") : []

  it.each(vectors)("$name: every field reads as the sheet says", (vector) => {
    const bytes = bytesOf(vector)
    const read: Readonly<Record<string, (bytes: Buffer) => number>> = packetOf(bytes).read
    const seen = Object.fromEntries(Object.keys(vector.expect).map((name) => [name, read[name]?.(bytes)]))
    expect(seen).toEqual(vector.expect)
  })

  it.each(vectors)("$name: the same bytes are written", (vector) => {
    const bytes = bytesOf(vector)
    const written = Buffer.alloc(bytes.length)
    packetOf(bytes).write(written, 0, vector.expect as FieldValues)
    expect(written).toEqual(bytes)
  })

  it("become points in our units and axes", () => {
    const points = goldenVectors("forza.json")
      .filter(({ name }) => name !== "sled")
      .map((vector) => recorded(interpret(newInterpreter(), [bytesOf(vector)]))[0]!)
    expect(points.map(({ circuit }) => circuit)).toEqual([
      "",
      "Silverstone Racing Circuit - Grand Prix Circuit",
      "Forza Horizon"
    ])
    for (const { batch, lapNumber, vehicle } of points) {
      expect(vehicle).toBe("Car #2345")
      expect(lapNumber).toEqual([3])
      expect(pointAt(batch, 0)).toEqual({
        timestamp: 100,
        speed: 44.5 * 3.6,
        rpm: 6543.25,
        gear: 4,
        throttle: 1,
        brake: 0.2,
        steering: -64 / 127,
        position_x: -1234.5,
        position_y: 987.75,
        position_z: 12.25
      })
    }
  })
})

describe("what is Forza's", () => {
  it("is recognised by the length and the first field", () => {
    for (const length of [311, 323, 324, 331]) expect(protocol.recognises(Buffer.alloc(length))).toBe(true)
    for (const length of [0, 232, 310, 312, 325, 332])
      expect(protocol.recognises(Buffer.alloc(length))).toBe(false)
    expect(protocol.recognises(Buffer.alloc(331, 0xff))).toBe(false)
  })

  it("has no use for the Sled format, and says what to change", () => {
    expect(protocol.hint?.(Buffer.alloc(232))).toContain("Data Out format to Dash")
    expect(protocol.hint?.(Buffer.alloc(232, 0xff))).toBeUndefined()
    expect(protocol.hint?.(Buffer.alloc(100))).toBeUndefined()
  })

  it("knows the 73 circuits of the sheet", () => {
    expect(tracks.size).toBe(73)
    expect(tracks.get(860)).toBe("Brand Hatch - Tor Grand Prix")
  })
})

describe("emulated", () => {
  const games: ReadonlyArray<readonly [Game, string]> = [
    ["motorsport7", ""],
    ["motorsport", "Maple Valley - Full Circuit"],
    ["horizon", "Forza Horizon"]
  ]

  it.each(games)("%s: three laps", (game, circuit) => {
    const { driven, events, frames } = emulate(dataOut(game))
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(session).toMatchObject({ circuit, vehicle: "Car #9002", missing: 0 })
    const { batch, laps, lapDistance, lapNumber } = session!
    expect(laps.slice(0, 3).map((lap) => [lap.lapNumber, lap.valid])).toEqual([
      [1, true],
      [2, true],
      [3, true]
    ])
    for (const [n, lap] of driven[0]!.entries()) {
      expect(laps[n]!.lapTime).toBeCloseTo(lap.lapTime, 3)
      expect(laps[n]!.endTime - laps[n]!.startTime).toBeCloseTo(lap.lapTime, 2)
    }
    expect(batch.length).toBe(frames.length)
    const first = batch.timestamps[0]!
    const off = (of: (frame: Frame, i: number) => number) =>
      frames.reduce((most, frame, i) => Math.max(most, Math.abs(of(frame, i))), 0)
    const offBy = (channel: Channel, of: (frame: Frame) => number) => {
      const column = batch.column(channel)
      return off((frame, i) => column[i]! - of(frame))
    }
    expect(offBy("timestamp", ({ sessionTime }) => first + sessionTime)).toBeLessThan(0.001)
    expect(offBy("speed", ({ speed }) => speed)).toBeLessThan(0.0001)
    expect(offBy("rpm", ({ rpm }) => rpm)).toBeLessThan(0.01)
    expect(offBy("throttle", ({ throttle }) => throttle)).toBeLessThan(0.002)
    expect(offBy("brake", ({ brake }) => brake)).toBeLessThan(0.002)
    expect(offBy("steering", ({ steering }) => steering)).toBeLessThan(0.004)
    expect(offBy("position_x", ({ x }) => x)).toBeLessThan(0.0001)
    expect(offBy("position_y", ({ y }) => y)).toBeLessThan(0.0001)
    expect(offBy("position_z", ({ z }) => z)).toBeLessThan(0.0001)
    // While it shifts, once or several times, the gear before.
    const gears = batch.column("gear")
    expect(
      frames.every((_, i) => frames.slice(Math.max(0, i - 15), i + 1).some(({ gear }) => gear === gears[i]))
    ).toBe(true)
    expect(lapNumber[0]).toBeNaN()
    expect(off((frame, i) => (i === 0 ? 0 : lapNumber[i]! - frame.lap.lapNumber))).toBe(0)
    expect(off((frame, i) => lapDistance[i]! - frame.lapDistance)).toBeLessThan(0.1)
    const of = (lap: number) => lapNumber.flatMap((number, i) => (number === lap ? [i] : []))
    const path = batch.pick(of(2))
    const area = signedArea(path.column("position_x"), path.column("position_y"))
    const { x, y } = scene.circuit
    expect(area / signedArea(x, y)).toBeCloseTo(1, 1)
  })

  it("loses, reorders and repeats datagrams: the laps stay right", () => {
    const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
    const { driven, events, frames } = emulate({ ...dataOut("motorsport"), faults })
    const sessions = recorded(events)
    expect(sessions).toHaveLength(1)
    const { batch, laps } = sessions[0]!
    for (const [n, lap] of driven[0]!.entries()) {
      expect(laps[n]).toMatchObject({ lapNumber: n + 1, valid: true })
      expect(laps[n]!.lapTime).toBeCloseTo(lap.lapTime, 3)
    }
    expect(discarded(events)).toBeGreaterThan(frames.length * 0.025)
    expect(batch.length).toBeGreaterThan(frames.length * 0.94)
    const times = batch.timestamps
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
  })

  it("pauses without a gap, and restarts with another session", () => {
    const frames = pausedAndRestarted
    const { driven, events } = emulate({ ...dataOut("horizon"), frames })
    const sessions = recorded(events)
    expect(sessions).toHaveLength(2)
    expect(driven[0]!.length).toBeGreaterThan(0)
    for (const [s, session] of sessions.entries()) {
      expect(session.laps).toHaveLength(driven[s]!.length + 1)
      for (const [n, lap] of driven[s]!.entries()) {
        expect(session.laps[n]).toMatchObject({ lapNumber: n + 1, valid: true })
        expect(session.laps[n]!.lapTime).toBeCloseTo(lap.lapTime, 3)
      }
      expect(session.laps.at(-1)).toMatchObject({ valid: false, lapTime: null })
      const times = session.batch.timestamps
      expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 1.2 / RATE)).toBe(true)
    }
    expect(sessions[1]!.batch.timestamps[0]).toBeGreaterThan(sessions[0]!.batch.timestamps.at(-1)!)
  })
})

it("offers an emulator of each game", () => {
  const ours = emulators.filter(({ simulator }) => simulator === "forza")
  expect(ours.map((kind) => [kind.protocol, kind.port])).toEqual([
    ["forza-motorsport-7", 5607],
    ["forza-motorsport", 5607],
    ["forza-horizon", 5607]
  ])
})

it("never throws, whatever the bytes", () => {
  const sent: Array<Buffer> = []
  for (const game of ["motorsport7", "motorsport", "horizon"] as const) {
    const { arrived } = emulate({ ...dataOut(game), frames: { laps: 1, rate: 10 } })
    sent.push(...arrived.slice(0, 100).map(({ bytes }) => bytes))
  }
  const golden = haveGolden ? goldenVectors("forza.json").map(bytesOf) : []
  fuzz(newInterpreter, [...sent, ...golden], 14_000)
  expect(eventsOf(interpret(newInterpreter(), [Buffer.alloc(7)]), "Refused")).toHaveLength(1)
})
