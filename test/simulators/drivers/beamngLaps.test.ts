/** BeamNG.drive: the recorded laps of the emulator's drives. */
import { expect, it } from "vitest"
import { beamNgEmulator } from "../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import type { Faults } from "../../../simulator/emulators/faults.ts"
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { protocol } from "../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { emulate, scene } from "./emulating.ts"
import { linkOptions } from "./interpreting.ts"
import { recorded, signedArea } from "./recorded.ts"

const options = linkOptions({ options: { startLine: scene.circuit.startLine } })

const drive = (frames: Partial<FramesOptions>, faults: Partial<Faults> = {}) => {
  const emulated = emulate({
    emulator: beamNgEmulator(),
    interpreter: () => protocol.interpreter(options),
    frames: { laps: 4, ...frames },
    faults
  })
  return { ...emulated, sessions: recorded(emulated.events) }
}

it.each([
  ["nothing going wrong", {}, 0.001],
  ["2 % loss, reordering and duplicates", { loss: 0.02, reorder: 0.02, duplicate: 0.02 }, 0.03]
] as const)("three laps from line to line, with %s", (_, faults, precision) => {
  const { driven, frames, sessions } = drive({}, faults)
  expect(sessions).toHaveLength(1)
  const { batch, laps } = sessions[0]!
  const timed = laps.filter((lap) => lap.valid)
  // The drive begins on the line, and the recording with it: its first lap is not from line to line.
  expect(timed.map((lap) => lap.lapNumber)).toEqual([1, 2, 3])
  timed.forEach((lap, n) => {
    const { lapTime } = driven[0]![n + 1]!
    expect(Math.abs(lap.lapTime! - lapTime)).toBeLessThan(precision)
    expect(lap.sector1Time! + lap.sector2Time! + lap.sector3Time!).toBeCloseTo(lap.lapTime!, 5)
  })
  const { endTime: to, startTime: from } = timed[0]!
  const inLap = (_: number, n: number) => batch.timestamps[n]! >= from && batch.timestamps[n]! < to
  const map = signedArea(batch.column("position_x").filter(inLap), batch.column("position_y").filter(inLap))
  const lap = frames.filter((frame) => frame.lap.lapNumber === 2)
  const reported = signedArea(
    lap.map(({ x }) => x),
    lap.map(({ y }) => y)
  )
  expect(map / reported).toBeCloseTo(1, 2)
})

it("a pause spoils its lap, a restart begins another session", () => {
  const { driven, sessions } = drive({ pauses: [{ at: 130, seconds: 8 }], restarts: [70] })
  expect(sessions.map(({ laps }) => laps.map((lap) => lap.valid))).toEqual([
    [false],
    [false, true, true, false]
  ])
  const timed = sessions[1]!.laps.filter((lap) => lap.valid)
  timed.forEach((lap, n) => expect(lap.lapTime).toBeCloseTo(driven[1]![n + 2]!.lapTime, 3))
})
