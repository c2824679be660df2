/** Project Motor Racing: single cases of sessions and laps. */
import { describe, expect, it } from "vitest"
import { PmrEmulator } from "../../../../simulator/emulators/project-motor-racing/emulator.ts"
import { Frames } from "../../../../simulator/emulators/frames.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { raceInfo, state } from "../../../../src/simulators/drivers/project-motor-racing/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import { framesOptions, GAME_RATE, scene } from "../emulating.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { drive } from "../suite/drive.ts"
import { discarded, eventsOf, recorded } from "../suite/events.ts"
import { overUdp } from "../suite/kind.ts"
import { timedLaps } from "../stages.ts"
import { kinds } from "./game.ts"

const [pmr] = kinds

const newInterpreter = () => protocol.interpreter(linkOptions())

const TYPE = { race: 0, state: 1, telemetry: 2 } as const
const isOf = (type: number, bytes: Buffer) => bytes[0] === type

/** The game's datagrams of `seconds`, at 60 Hz. */
const sent = (seconds: number) => {
  const frames = new Frames(framesOptions({ rate: GAME_RATE }))
  const emulator = new PmrEmulator(scene)
  return Array.from({ length: seconds * 60 }, () => {
    const datagrams: Array<Buffer> = []
    emulator.frame(frames.next(), (bytes) => datagrams.push(Buffer.from(bytes)))
    return datagrams
  })
}

/** s between two datagrams of a frame of six. */
const APART = 1 / 360
const eventsOfDatagrams = (frames: ReadonlyArray<ReadonlyArray<Buffer>>) =>
  interpret(newInterpreter(), frames.flat(), APART)

/** The same state with other values. */
const changed = (bytes: Buffer, more: Partial<NonNullable<ReturnType<typeof state.read>>>) =>
  state.encode({ ...state.read(bytes)!, ...more })

const withStates = (
  frames: ReadonlyArray<ReadonlyArray<Buffer>>,
  more: (frame: number) => Parameters<typeof changed>[1]
) =>
  frames.map((datagrams, n) =>
    datagrams.map((bytes) => (isOf(TYPE.state, bytes) && bytes[7] === 1 ? changed(bytes, more(n)) : bytes))
  )

it("measures laps of version 1 to a frame", () => {
  const { events, laps: driven } = drive({ ...pmr!, game: () => overUdp(new PmrEmulator(scene, 1)) })
  const sessions = recorded(events)
  expect(sessions).toHaveLength(1)
  const timed = sessions[0]!.laps.filter(({ lapTime }) => lapTime !== null)
  // The last lap has no time: the game reports that it is over, and not when it ended.
  expect(timed).toHaveLength(driven.length - 1)
  timed.forEach(({ lapTime, valid }, n) => {
    expect(Math.abs(lapTime! - driven[n]!.lapTime)).toBeLessThan(0.02)
    // Version 1 does not report which laps are invalid.
    expect(valid).toBe(true)
  })
})

describe("sessions", () => {
  it("wait for the circuit's name, and no longer than ten seconds", () => {
    const frames = sent(12)
    const without = frames.map((datagrams) => datagrams.filter((bytes) => !isOf(TYPE.race, bytes)))
    const interpreter = newInterpreter()
    const events = new EventBuffer()
    for (const [n, bytes] of without.slice(0, 300).flat().entries()) {
      interpreter.datagram(bytes, 100 + n * APART, events)
    }
    expect(events.take()).toEqual([])
    const named = eventsOfDatagrams([...without.slice(0, 300), ...frames.slice(300, 420)])
    expect(eventsOf(named, "SessionStarted")).toMatchObject([{ circuit: `${scene.circuit.name} GP` }])
    const nameless = eventsOfDatagrams(without)
    expect(eventsOf(nameless, "SessionStarted")).toMatchObject([{ circuit: "", vehicle: scene.vehicle.name }])
    expect(recorded(nameless)[0]!.batch.length).toBeGreaterThan(700)
  })

  it("are of the player's car, once a packet has reported it", () => {
    const frames = sent(2)
    const others = frames.map((datagrams) =>
      datagrams.filter((bytes) => !(isOf(TYPE.state, bytes) && bytes[7] === 1))
    )
    expect(eventsOfDatagrams(others)).toEqual([])
  })

  it("end where the game stops them, and late packets begin no other", () => {
    const frames = sent(3)
    const late = frames[170]!
    const events = eventsOfDatagrams([...frames, [Buffer.from([3])], late, late])
    expect(events.map(({ _tag }) => _tag).filter((tag) => tag.startsWith("Session"))).toEqual([
      "SessionStarted",
      "SessionEnded"
    ])
    expect(recorded(events)[0]!.batch.length).toBe(180)
  })

  it("are new ones if circuit, layout or kind changes, and if the lap starts again", () => {
    const frames = sent(20)
    const begins = (more: ReadonlyArray<ReadonlyArray<Buffer>>) =>
      eventsOf(eventsOfDatagrams([...frames, ...more]), "SessionStarted").length
    expect(begins(frames)).toBe(2)
    const elsewhere = frames
      .slice(0, 1)
      .map(([race]) => [raceInfo.encode({ ...raceInfo.read(race!)!, session: "Practice" })])
    expect(begins([...elsewhere, ...sent(21).slice(-60)])).toBe(2)
    expect(begins(sent(21).slice(-60))).toBe(1)
    // From the garage: the same session's lap, driven again.
    expect(begins(withStates(frames, (n) => (n < 120 ? { inPits: 1 } : {})))).toBe(1)
  })
})

it("counts no lap with the pits in it", () => {
  const emulator = new PmrEmulator(scene)
  const game = overUdp({
    frame: (frame, send) =>
      emulator.frame(frame, (datagram) => {
        const bytes = Buffer.from(datagram)
        const inPitLane = frame.lap.lapNumber === 2 && frame.lapDistance < 200 ? 1 : 0
        send(isOf(TYPE.state, bytes) && bytes[7] === 1 ? changed(bytes, { inPitLane }) : bytes)
      })
  })
  const { events, laps } = drive({ ...pmr!, game: () => game }, { laps: 3 })
  expect(laps.map(({ valid }) => valid)).toEqual([true, true, true])
  expect(timedLaps(recorded(events)[0]!).map(([, , valid]) => valid)).toEqual([true, false, true])
})

it("gives the time of a formation lap, in which no lap's time runs", () => {
  const frames = withStates(sent(10), () => ({ currentLapTime: 0, currentLap: 1 }))
  const { batch } = recorded(eventsOfDatagrams(frames))[0]!
  expect(batch.length).toBeGreaterThan(580)
  expect(batch.timestamps.at(-1)! - batch.timestamps[0]!).toBeCloseTo(10, 0)
})

/** The frames of a second come at its end, all at once; those from the eighth second on come a second late. */
const arrivalOf = (frame: number): number => {
  const at = frame / 60
  return 1000 + (at > 5 && at < 6 ? 6 : at >= 8 ? at + 1 : at)
}

it("keeps every point of a car that is received again after the service was held up, or the game paused", () => {
  // Telemetry comes before the state of its frame, so that it is the first packet after the hold-up.
  const frames = sent(10).map((datagrams) => datagrams.toSorted((one, other) => other[0]! - one[0]!))
  const interpreter = newInterpreter()
  const events = new EventBuffer()
  frames.forEach((datagrams, frame) => {
    for (const bytes of datagrams) interpreter.datagram(bytes, arrivalOf(frame), events)
  })
  interpreter.end?.(events)
  const taken = events.take()
  expect(discarded(taken)).toBe(0)
  const { batch } = recorded(taken)[0]!
  // The first frame's telemetry comes before a state has reported which car is the player's.
  expect(batch.length).toBe(frames.length - 1)
  expect(batch.timestamps.at(-1)! - batch.timestamps[0]!).toBeCloseTo(10, 0)
})
