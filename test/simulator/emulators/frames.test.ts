import { describe, expect, it } from "vitest"
import { Frames, type FramesOptions } from "../../../simulator/emulators/frames.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../../simulator/model/SimulatedDrive.ts"
import { vehicleNamed } from "../../../simulator/model/vehicles.ts"

const circuit = circuitNamed("Larkspur Park")!
const vehicle = vehicleNamed("Merlin F-08")!
const options: FramesOptions = {
  circuit,
  vehicle,
  laps: 0,
  seed: 5,
  rate: 60,
  pauses: [],
  restarts: []
}
const drive = new SimulatedDrive({ circuit, vehicle, seed: 5 })

const take = (count: number, more: Partial<FramesOptions> = {}) => {
  const frames = new Frames({ ...options, ...more })
  return Array.from({ length: count }, () => frames.next())
}

/** Frames until so long after the last lap. */
const whole = (laps: number, after: number, more: Partial<FramesOptions> = {}) =>
  take(Math.ceil((drive.lap(laps).end + after) * 60), { laps, ...more })

describe("frames", () => {
  it("are the points of the drive, one after another", () => {
    const frames = take(1000)
    const { batch, lapDistance, lapNumber } = drive.points(0, 1000, 60)
    frames.forEach((frame, n) => {
      expect(frame).toMatchObject({
        index: n,
        upTime: n / 60,
        sessionTime: batch.column("timestamp")[n],
        speed: batch.column("speed")[n],
        rpm: batch.column("rpm")[n],
        gear: batch.column("gear")[n],
        throttle: batch.column("throttle")[n],
        brake: batch.column("brake")[n],
        steering: batch.column("steering")[n],
        x: batch.column("position_x")[n],
        y: batch.column("position_y")[n],
        z: batch.column("position_z")[n],
        lapDistance: lapDistance[n],
        session: 0,
        paused: false,
        finished: false
      })
      expect(frame.lap.lapNumber).toBe(lapNumber[n])
    })
  })

  it("are the same for the same seed, and differ for another", () => {
    // Values of the car are computed when they are read.
    const reported = (frames: ReturnType<typeof take>) =>
      frames.map(({ carValue, ...frame }) => ({
        ...frame,
        values: [carValue("fuel"), carValue("g_lateral"), carValue("tyre_temperature_fl")]
      }))
    expect(reported(take(300))).toEqual(reported(take(300)))
    expect(take(300, { seed: 6 }).at(-1)!.x).not.toBe(take(300).at(-1)!.x)
  })

  it("head in the direction of the car's way, at any rate", () => {
    for (const rate of [60, 1000]) {
      const frames = take(20 * rate, { rate })
      let most = 0
      for (let n = 1; n + 1 < frames.length; n++) {
        const [before, here, after] = [frames[n - 1]!, frames[n]!, frames[n + 1]!]
        const way = Math.atan2(after.y - before.y, after.x - before.x)
        const off = here.heading - way
        most = Math.max(most, Math.abs(Math.atan2(Math.sin(off), Math.cos(off))))
      }
      expect(most).toBeLessThan(0.01)
    }
  })

  it("report a lap and its sectors when they are driven", () => {
    const frames = whole(3, -1, { laps: 0 })
    const ends = frames.filter(({ lapEnded }) => lapEnded)
    expect(ends.map(({ lastLap }) => lastLap)).toEqual([drive.lap(1), drive.lap(2)])
    expect(ends.map(({ lap }) => lap.lapNumber)).toEqual([2, 3])
    for (const { lap, lapTime, sessionTime } of ends) {
      expect(lapTime).toBeCloseTo(sessionTime - lap.start, 9)
      expect(lapTime).toBeLessThan(1 / 60)
    }
    const first = frames.filter(({ lap }) => lap.lapNumber === 1)
    expect(first.every(({ bestLap, lastLap }) => bestLap === undefined && lastLap === undefined)).toBe(true)
    const [one, two] = drive.lap(1).sectors
    for (const { lapTime, sector } of first) {
      expect(sector).toBe(lapTime < one ? 0 : lapTime < one + two ? 1 : 2)
    }
    const valid = [drive.lap(1), drive.lap(2)].filter((lap) => lap.valid)
    expect(frames.at(-1)!.bestLap).toBe(Math.min(...valid.map(({ lapTime }) => lapTime)))
  })

  it("go on in a pause while the session stands still, and continue from there", () => {
    const frames = take(600, { pauses: [{ at: 4, seconds: 3 }] })
    const paused = frames.filter((frame) => frame.paused)
    expect(paused.map(({ index }) => index)).toEqual(Array.from({ length: 180 }, (_, n) => 240 + n))
    const before = frames[239]!
    for (const frame of paused) {
      const { index, upTime } = frame
      expect(frame).toEqual({ ...before, paused: true, index, upTime, lapEnded: false })
    }
    const driven = frames.filter((frame) => !frame.paused).map(({ sessionTime, x }) => ({ sessionTime, x }))
    expect(driven).toEqual(take(420).map(({ sessionTime, x }) => ({ sessionTime, x })))
    expect(frames.at(-1)!.upTime).toBe(599 / 60)
  })

  it("report a lap's end once, even if a pause begins with it", () => {
    const at = Math.ceil(drive.lap(1).end * 60) / 60
    for (const pause of [at, at + 1 / 60]) {
      const frames = whole(1, 10, { laps: 0, pauses: [{ at: pause, seconds: 2 }] })
      expect(frames.filter(({ lapEnded }) => lapEnded)).toHaveLength(1)
    }
  })

  it("begin another session with another drive at a restart", () => {
    const at = Math.ceil(drive.lap(1).end) + 2
    const frames = take((at + 5) * 60, { restarts: [at] })
    const next = frames[at * 60]!
    expect(frames[at * 60 - 1]).toMatchObject({ session: 0, lap: { lapNumber: 2 } })
    expect(next).toMatchObject({ session: 1, sessionTime: 0, upTime: at, lapDistance: 0, lapEnded: false })
    expect(next.lap).toEqual(new SimulatedDrive({ circuit, vehicle, seed: 6 }).lap(1))
    expect(next).toMatchObject({ lastLap: undefined, bestLap: undefined })
    expect(frames.at(-1)!.sessionTime).toBe(5 - 1 / 60)
  })

  it("wait at the start after a restart in a pause", () => {
    const frames = take(300, { pauses: [{ at: 1, seconds: 2 }], restarts: [2] })
    expect(frames[119]).toMatchObject({ session: 0, paused: true })
    expect(frames[120]).toMatchObject({ session: 1, paused: true, sessionTime: 0 })
    expect(frames[179]).toMatchObject({ session: 1, paused: true, sessionTime: 0 })
    expect(frames[180]).toMatchObject({ session: 1, paused: false, sessionTime: 0 })
    expect(frames[181]).toMatchObject({ session: 1, paused: false, sessionTime: 1 / 60 })
  })

  it("roll out after the last lap, on the track, until the car stands", () => {
    const frames = whole(2, 12)
    const after = frames.findIndex(({ finished }) => finished)
    expect(frames[after]).toMatchObject({ lapEnded: true, lastLap: drive.lap(2), lap: { lapNumber: 3 } })
    expect(frames[after - 1]).toMatchObject({ finished: false, lap: { lapNumber: 2 } })
    expect(frames.filter(({ lapEnded }) => lapEnded)).toHaveLength(2)
    for (let n = after; n < frames.length; n++) {
      const [before, here] = [frames[n - 1]!, frames[n]!]
      const way = Math.hypot(here.x - before.x, here.y - before.y, here.z - before.z)
      const mean = (here.speed + before.speed) / 2 / 3.6
      expect(Math.abs(way * 60 - mean)).toBeLessThan(0.5)
      expect(here.lastLap).toEqual(drive.lap(2))
      expect(here.lapDistance).toBeGreaterThanOrEqual(n === after ? 0 : before.lapDistance)
    }
    expect(frames.at(-1)).toMatchObject({ speed: 0, gear: 0, throttle: 0, finished: true })
    expect(frames.at(-1)!.lapDistance).toBeLessThan(circuit.length / 2)
  })
})
