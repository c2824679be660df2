/** What the tests of DiRT Rally and WRC share: stages that were driven, and what is recorded of them. */
import { expect } from "vitest"
import type { Channel } from "../../../src/domain/PointBatch.ts"
import type { Frame } from "../../../src/simulate/emulators/Emulator.ts"
import { type Emulated, scene } from "./emulating.ts"
import { recorded, type RecordedSession, signedArea } from "./recorded.ts"

const ms = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000))

/** Every stage of every session is a lap, timed to the millisecond. Gives the sessions. */
export const expectStages = ({ driven, events }: Emulated): ReadonlyArray<RecordedSession> => {
  const sessions = recorded(events)
  expect(sessions).toHaveLength(driven.length)
  for (const [s, { laps }] of sessions.entries()) {
    expect(
      laps
        .slice(0, driven[s]!.length)
        .map(({ lap_number, lap_time, valid }) => [lap_number, ms(lap_time), valid])
    ).toEqual(
      // Neither game tells whether a stage counts.
      driven[s]!.map(({ lapNumber, lapTime }) => [lapNumber, ms(lapTime), true])
    )
  }
  return sessions
}

/** Every point is a frame's, which is found by its place, in order. */
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

/** The way of one lap encloses what the circuit does, the same way round. */
export const expectUnmirrored = ({ batch, lapNumber }: RecordedSession): void => {
  const path = batch.pick(lapNumber.flatMap((number, i) => (number === 2 ? [i] : [])))
  const area = signedArea(path.column("position_x"), path.column("position_y"))
  expect(area / signedArea(scene.circuit.x, scene.circuit.y)).toBeCloseTo(1, 1)
}
