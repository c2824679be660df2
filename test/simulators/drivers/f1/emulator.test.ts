/** The driver records from the emulator's games what was driven. */
import { describe, expect, it } from "vitest"
import type { Emulator, Frame } from "../../../../simulator/emulators/Emulator.ts"
import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import type { F1Format } from "../../../../src/simulators/drivers/f1/layout.ts"
import { sectorsMs } from "../../../../simulator/emulators/f1/values.ts"
import { kinds } from "../../../../simulator/emulators/f1/index.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { vehicleNamed } from "../../../../simulator/model/vehicles.ts"
import { circuitNamed } from "../../../../simulator/model/Circuit.ts"
import { F1Interpreter } from "../../../../src/simulators/drivers/f1/F1Interpreter.ts"
import { emulate, type Emulated, scene } from "../emulating.ts"
import { recorded, signedArea } from "../recorded.ts"
import { only } from "../said.ts"
import { some } from "../../../runner/runs.ts"

type Options = Omit<Parameters<typeof emulate>[0], "emulator" | "interpreter">

const play = (format: F1Format, options: Options = {}, emulator: Emulator = new F1Emulator(scene, format)) =>
  emulate({ ...options, emulator, interpreter: () => new F1Interpreter() })

const ms = (seconds: number) => Math.round(seconds * 1000)

/** Compares a recorded lap with the driven one. The final lap's third sector is the rest of its time. */
const expectLap = (lap: ReturnType<typeof recorded>[number]["laps"][number], driven: DrivenLap) => {
  expect(lap.lapNumber).toBe(driven.lapNumber)
  expect(ms(lap.lapTime!)).toBe(ms(driven.lapTime))
  expect(lap.lapTime).toBe(ms(driven.lapTime) / 1000)
  expect(lap.valid).toBe(driven.valid)
  const sectors = [lap.sector1Time, lap.sector2Time, lap.sector3Time].map((sector) => ms(sector!))
  const [one, two, three] = sectorsMs(driven)
  expect(sectors.slice(0, 2)).toEqual([one, two])
  expect([three, three + 1, three + 2]).toContain(sectors[2])
  for (const [n, sector] of sectors.entries()) {
    expect(Math.abs(sector - driven.sectors[n]! * 1000)).toBeLessThan(2.5)
  }
  expect(lap.startTime).toBeCloseTo(driven.start, 2)
  expect(lap.endTime).toBeCloseTo(driven.end, 2)
}

const expectLaps = ({ driven, events }: Emulated) => {
  const sessions = recorded(events)
  expect(sessions).toHaveLength(driven.length)
  sessions.forEach(({ laps }, n) => {
    driven[n]!.forEach((lap, l) => expectLap(laps[l]!, lap))
    // The last line: what was rolled after the flag, or cut by a restart.
    for (const rest of laps.slice(driven[n]!.length)) {
      expect(rest).toMatchObject({ lapTime: null, valid: false })
    }
    expect(laps.length - driven[n]!.length).toBeLessThanOrEqual(1)
  })
  return sessions
}

/** The driver's names of these. */
const names = (circuit: string, vehicle: string) => {
  const where = { circuit: circuitNamed(circuit)!, vehicle: vehicleNamed(vehicle)! }
  const emulator = new F1Emulator({ ...scene, ...where }, 2025)
  const events = play(2025, { frames: { ...where, laps: 1, rate: 10 } }, emulator).events
  const { circuit: track, vehicle: car } = only(events, "SessionStarted")[0]!
  return [track, car]
}

describe("the emulators of F1", () => {
  it("are one for each format", () => {
    expect(kinds.map(({ port, protocol, simulator }) => [protocol, port, simulator])).toEqual([
      ["f1-2023", 20777, "f1"],
      ["f1-2024", 20777, "f1"],
      ["f1-2025", 20777, "f1"],
      ["f1-2026", 20777, "f1"]
    ])
  })

  it.each(some([2026, 2023, 2024, 2025] as const, 2))(
    "drive a session of three laps in format %i",
    (format) => {
      // Of these, the second does not count.
      const played = play(format, { frames: { seed: 2, rate: 30 } })
      const { driven, events, frames } = played
      expect(driven.map((laps) => laps.map(({ valid }) => valid))).toEqual([[true, false, true]])
      expect(only(events, "Refused")).toEqual([])
      expect(only(events, "Discarded")).toEqual([])
      expect(only(events, "SessionStarted")).toEqual([
        expect.objectContaining({
          circuit: "Zandvoort",
          vehicle: "McLaren",
          driver: "Robin Vale",
          circuitLength: Math.round(scene.circuit.length)
        })
      ])
      expect(only(events, "SessionEnded")).toHaveLength(1)
      const [{ batch, lapDistance, lapNumber, missing }] = expectLaps(played) as [
        ReturnType<typeof recorded>[number]
      ]
      expect(missing).toBe(0)
      // Every frame until the session is over, to the precision of its fields.
      const column = (channel: Parameters<typeof batch.column>[0]) => batch.column(channel)
      const shown = frames.slice(0, batch.length)
      const worst = (values: ArrayLike<number>, wanted: (frame: Frame) => number) =>
        shown.reduce((most, frame, n) => Math.max(most, Math.abs(values[n]! - wanted(frame))), 0)
      expect(worst(column("timestamp"), (frame) => frame.sessionTime)).toBeLessThan(1e-4)
      expect(worst(column("speed"), (frame) => frame.speed)).toBeLessThanOrEqual(0.5)
      expect(worst(column("rpm"), (frame) => frame.rpm)).toBeLessThanOrEqual(0.5)
      expect(worst(column("gear"), (frame) => frame.gear)).toBe(0)
      expect(worst(column("throttle"), (frame) => frame.throttle)).toBeLessThan(1e-6)
      expect(worst(column("brake"), (frame) => frame.brake)).toBeLessThan(1e-6)
      expect(worst(column("steering"), (frame) => frame.steering)).toBeLessThan(1e-6)
      expect(worst(column("position_x"), (frame) => frame.x)).toBeLessThan(1e-3)
      expect(worst(column("position_y"), (frame) => frame.y)).toBeLessThan(1e-3)
      expect(worst(column("position_z"), (frame) => frame.z)).toBeLessThan(1e-3)
      expect(worst(lapDistance, (frame) => frame.lapDistance)).toBeLessThan(1e-3)
      // The way behind the flag is in no lap.
      expect(lapNumber).toEqual(shown.map(({ finished, lap }) => (finished ? Number.NaN : lap.lapNumber)))
      // To the end of the third lap, and a tenth of a second.
      expect(batch.length).toBeGreaterThanOrEqual(Math.floor((driven[0]![2]!.end + 0.1) * 30))
      const end = driven[0]![0]!.end
      const first = Array.from(column("timestamp")).findIndex((time) => time >= end)
      const { x, y } = scene.circuit
      expect(
        Math.sign(signedArea(column("position_x").slice(0, first), column("position_y").slice(0, first)))
      ).toBe(Math.sign(signedArea(x, y)))
    }
  )

  const rates = [
    [10, 3],
    [60, 1],
    [20, 3]
  ] as const

  it.each(some(rates, 1))("drive it at %i Hz too", (rate, laps) => {
    const played = play(2024, { frames: { laps, rate } })
    const [{ missing }] = expectLaps(played) as [ReturnType<typeof recorded>[number]]
    expect(missing).toBe(0)
  })

  it.each(some([2026, 2023] as const, 1))(
    "give the same laps of format %i with losses, overtaking and worse",
    (format) => {
      const played = play(format, { faults: { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 } })
      const [{ batch, missing }] = expectLaps(played) as [ReturnType<typeof recorded>[number]]
      const sent = played.frames.filter(({ finished }) => !finished).length
      // Two packets of a frame, each lost or overtaken for good now and then.
      expect(batch.length / sent).toBeGreaterThan(0.92)
      expect(Math.abs(batch.length + missing - sent) / sent).toBeLessThan(0.01)
      expect(only(played.events, "Refused").length).toBeGreaterThan(100)
    }
  )

  it("pause without a trace, and start again as another session", () => {
    const played = play(2025, {
      frames: { laps: 2, pauses: [{ at: 20, seconds: 15 }], restarts: [90] },
      faults: { loss: 0.02, reorder: 0.02 }
    })
    const sessions = expectLaps(played)
    expect(sessions).toHaveLength(2)
    expect(played.driven.map(({ length }) => length)).toEqual([1, 2])
    const times = sessions[0]!.batch.column("timestamp")
    expect(Math.max(...times.slice(1).map((time, n) => time - times[n]!))).toBeLessThan(0.2)
    expect(sessions[0]!.batch.column("timestamp").at(-1)).toBeCloseTo(75, 0)
  })

  it("name each of our circuits and vehicles after one of the games'", () => {
    expect([
      names("Hollin Moor", "Kestrel GT-R3"),
      names("Port Averno", "Wren Cup"),
      names("Cinder Bowl", "Merlin F-08"),
      names("Sankt Arven", "Merlin F-08")
    ]).toEqual([
      ["Silverstone", "Ferrari"],
      ["Monaco", "Haas"],
      ["Austria (Red Bull Ring)", "McLaren"],
      ["Spa", "McLaren"]
    ])
  })

  it("send each packet at its own rhythm", () => {
    const { arrived, driven } = play(2025, { frames: { laps: 1, rate: 60 } })
    const seconds = driven[0]![0]!.end
    const perSecond = (id: number) => arrived.filter(({ bytes }) => bytes[6] === id).length / seconds
    for (const id of [0, 2, 6, 7]) expect(perSecond(id)).toBeCloseTo(60, -1)
    expect(perSecond(1)).toBeCloseTo(2, 0)
    expect(perSecond(4)).toBeCloseTo(0.2, 1)
    expect(perSecond(11)).toBeCloseTo(20, -1)
    const codes = arrived.flatMap(({ bytes }) => (bytes[6] === 3 ? [bytes.toString("latin1", 29, 33)] : []))
    expect([codes[0], codes.at(-1)]).toEqual(["SSTA", "SEND"])
    expect(codes.filter((code) => code === "BUTN").length).toBeGreaterThan(10)
    // After the end one history without a session's id, and silence.
    const [last, ...before] = arrived.map(({ bytes }) => bytes).reverse()
    expect([last![6], last!.readBigUInt64LE(7)]).toEqual([11, 0n])
    expect(before.every((bytes) => bytes.readBigUInt64LE(7) > 0n && bytes[27] === 19)).toBe(true)
  })
})
