/** Shared by the tests of DiRT Rally and WRC: compares recorded stages with the driven ones. */
import { expect } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import { lowerBound } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { type Emulated, scene } from "./emulating.ts"
import { recorded, type RecordedSession, signedArea } from "./recorded.ts"

const ms = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000))

/** Expects a lap for every stage of every session, timed to the millisecond. Returns the sessions. */
export const expectStages = ({ driven, events }: Emulated): ReadonlyArray<RecordedSession> => {
  const sessions = recorded(events)
  expect(sessions).toHaveLength(driven.length)
  for (const [s, { laps }] of sessions.entries()) {
    expect(
      laps.slice(0, driven[s]!.length).map(({ lapNumber, lapTime, valid }) => [lapNumber, ms(lapTime), valid])
    ).toEqual(
      // Neither game tells whether a stage counts.
      driven[s]!.map(({ lapNumber, lapTime }) => [lapNumber, ms(lapTime), true])
    )
  }
  return sessions
}

/** Expects each point to be a frame's, in order. The frame is found by the place. */
export const expectPoints = (
  { batch, lapDistance }: RecordedSession,
  frames: ReadonlyArray<Frame>,
  exact: Partial<Record<Channel, number>>
): void => {
  const of: Record<Exclude<Channel, "timestamp">, (frame: Frame) => number> = {
    speed: ({ speed }) => speed,
    rpm: ({ rpm }) => rpm,
    gear: ({ gear }) => gear,
    throttle: ({ throttle }) => throttle,
    brake: ({ brake }) => brake,
    steering: ({ steering }) => steering,
    position_x: ({ x }) => x,
    position_y: ({ y }) => y,
    position_z: ({ z }) => z
  }
  const [x, y] = [batch.column("position_x"), batch.column("position_y")]
  let next = 0
  const paired = Array.from(x, (_, i) => {
    while (Math.hypot(frames[next]!.x - x[i]!, frames[next]!.y - y[i]!) > 0.001) next++
    return frames[next++]!
  })
  // At most what is not driven: the time that is shown after each finish.
  expect(x.length).toBeGreaterThan(frames.filter(({ finished }) => !finished).length - 3 * 15 - 3)
  for (const channel of Object.keys(of) as Array<keyof typeof of>) {
    const column = batch.column(channel)
    paired.forEach((frame, i) => {
      if (Math.abs(column[i]! - of[channel](frame)) > (exact[channel] ?? 0.001)) {
        expect([channel, i, column[i]]).toEqual([channel, i, of[channel](frame)])
      }
      if (Math.abs(lapDistance[i]! - frame.lapDistance) > 0.01) expect(lapDistance[i]).toBe(frame.lapDistance)
    })
  }
}

/** The laps that have a time: number, time and whether they count. */
export const timedLaps = ({ laps }: RecordedSession) =>
  laps.flatMap(({ lapNumber, lapTime, valid }) => (lapTime === null ? [] : [[lapNumber, lapTime, valid]]))

/** A link that gets packets, or silence; `interval`: between two packets, s. */
export const stageLink = (interpreter: Interpreter, interval = 1 / 60) => {
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  let arrival = 1000
  const self = {
    events,
    receives: (...datagrams: ReadonlyArray<Buffer>) => {
      for (const bytes of datagrams) {
        interpreter.datagram(bytes, arrival, buffer)
        events.push(...buffer.take())
        arrival += interval
      }
      return self
    },
    waits: (seconds: number) => {
      for (let second = 1; second <= seconds; second++) {
        interpreter.silence?.(second, buffer)
        events.push(...buffer.take())
        arrival++
      }
      return self
    },
    ends: () => {
      interpreter.end?.(buffer)
      events.push(...buffer.take())
      return self
    },
    /** By session; those without a time are left out. */
    get laps() {
      return recorded(events).map(timedLaps)
    },
    /** By session, with those that have no time. */
    get counts() {
      return recorded(events).map(({ laps }) => laps.length)
    }
  }
  return self
}

/** Expects the path of a lap to enclose the circuit's area, in its direction. */
export const expectUnmirrored = ({ batch, laps }: RecordedSession): void => {
  const { endTime, startTime } = laps[1]!
  const times = batch.timestamps
  const path = batch.slice(lowerBound(times, startTime), lowerBound(times, endTime))
  const area = signedArea(path.column("position_x"), path.column("position_y"))
  expect(area / signedArea(scene.circuit.x, scene.circuit.y)).toBeCloseTo(1, 1)
}
