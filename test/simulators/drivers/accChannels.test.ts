/** Assetto Corsa Competizione: its channels beyond those of points. */
import { describe, expect, it } from "vitest"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import { accEmulator } from "../../../simulator/emulators/acc/AccEmulator.ts"
import type { UpdateFields } from "../../../simulator/emulators/acc/encode.ts"
import type { CarFields } from "../../../src/simulators/drivers/acc/layout.ts"
import { AccInterpreter } from "../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { accepted, answers, drive, entry, CAR, lap, link, timed } from "./accLink.ts"
import { emulate, RATE, scene } from "./emulating.ts"
import { linkOptions, opened } from "./interpreting.ts"
import { channelsIn, type Expected, expectDeclared, valuesOf } from "./telling.ts"

describe("a drive of three laps", () => {
  const emulated = emulate({
    emulator: accEmulator(scene),
    interpreter: (send) => opened(new AccInterpreter(linkOptions({ options: { password: "asd" } })), send)
  })
  const reported = channelsIn(emulated.events)
  const { length } = scene.circuit

  /** Absent until the driven path has shown how the game counts it. */
  const once = (channel: string, expected: Exclude<Expected, "absent">): Expected => {
    const { times, values } = reported.get(channel)!
    const known = times[values.findIndex((value) => !Number.isNaN(value))]! - 100
    return (frame) => (frame.upTime < known - 0.001 ? ABSENT : expected(frame))
  }

  it("tells each of its 32 channels as it was driven", () => {
    expect(reported.size).toBe(32)
    expectDeclared(
      emulated,
      RATE,
      {
        yaw: once("yaw", (frame) => frame.carValue("yaw")),
        current_lap: (frame) => frame.lap.lapNumber,
        lap_distance: ({ lapDistance }) => (lapDistance / length) * Math.round(length),
        lap_fraction: ({ lapDistance }) => lapDistance / length,
        lap_time_so_far: ({ lapTime }) => lapTime,
        delta_to_best: ({ bestLap, lapDistance, lapTime }) =>
          bestLap === undefined ? ABSENT : lapTime - (bestLap * lapDistance) / length,
        race_position: () => 1,
        pit_status: () => 0,
        lap_invalid: () => 0,
        session_time: ({ sessionTime }) => sessionTime,
        session_time_left: once("session_time_left", ({ sessionTime }) => 3600 - sessionTime),
        time_of_day: ({ sessionTime }) => 43_200 + sessionTime,
        air_temperature: (frame) => Math.round(frame.carValue("air_temperature")),
        track_temperature: (frame) => Math.round(frame.carValue("track_temperature")),
        acc_clouds: () => 0.3,
        acc_cup_position: () => 1,
        acc_track_position: () => 1,
        acc_driver: () => 1,
        acc_out_lap: () => 0,
        acc_in_lap: () => 0,
        acc_valid_for_best: () => 1,
        acc_session_best_lap_time: ({ bestLap }) => bestLap ?? ABSENT,
        acc_session_type: () => 10,
        acc_phase: ({ finished }) => (finished ? 6 : 5)
      },
      {
        lap_time_so_far: 0.0011,
        delta_to_best: 0.0011,
        last_lap_time: 0.0006,
        best_lap_time: 0.0006,
        acc_session_best_lap_time: 0.0006,
        sector1_time: 0.0006,
        sector2_time: 0.0006,
        session_time: 0.0006,
        session_time_left: 0.002,
        time_of_day: 0.005
      }
    )
  })

  it("shows the sense of its yaw, and that its end falls, before half of it is driven", () => {
    for (const name of ["yaw", "session_time_left"]) {
      const values = valuesOf(reported, name)
      const absent = values.filter(Number.isNaN).length
      expect([name, absent > 0, absent < values.length / 2]).toEqual([name, true, true])
    }
  })
})

/** Two seconds of a lap: the channels at their end. */
const after = (
  fields: Partial<CarFields> = {},
  session: Partial<UpdateFields> = {},
  begin: ReadonlyArray<Buffer> = answers
): Readonly<Record<string, number>> => {
  const reported = channelsIn(link().hears([...begin, ...drive(1, 20, 2000, 4000, fields, session)]))
  return Object.fromEntries([...reported].map(([name, { values }]) => [name, values.at(-1)!]))
}

describe("channels", () => {
  it("are absent where nothing is reported, never 0", () => {
    const reported = after({
      position: 0,
      cupPosition: 0,
      trackPosition: 0,
      carLocation: 0,
      delta: 0,
      currentLap: lap({ splits: [0] })
    })
    const absent = Object.entries(reported).flatMap(([name, value]) => (Number.isNaN(value) ? [name] : []))
    expect(absent.toSorted()).toEqual([
      "acc_cup_position",
      "acc_session_best_lap_time",
      "acc_track_position",
      "best_lap_time",
      "delta_to_best",
      "in_pit",
      "lap_time_so_far",
      "last_lap_time",
      "pit_status",
      "race_position",
      "sector1_time",
      "sector2_time",
      "yaw"
    ])
  })

  it("have no distance where the track is not known", () => {
    const { hears, wait } = link()
    const begin = [accepted, entry(CAR), ...drive(1, 20, 1000, 4000)]
    expect(hears(begin)).toEqual([])
    wait(10)
    const reported = channelsIn(hears(drive(1, 1000, 1100, 4000)))
    expect(valuesOf(reported, "lap_distance").every(Number.isNaN)).toBe(true)
    expect(new Set(valuesOf(reported, "lap_fraction"))).toEqual(new Set([0.5]))
  })

  it.each([
    [1, 0, 0],
    [2, 2, 1],
    [3, 1, 0],
    [4, 3, 0]
  ])("of the place %d are the pit status %d, in the pits %d", (carLocation, status, inPit) => {
    expect(after({ carLocation })).toMatchObject({ pit_status: status, in_pit: inPit })
  })

  it.each([
    [{ isInvalid: true }, "lap_invalid"],
    [{ isOutlap: true }, "acc_out_lap"],
    [{ isInlap: true }, "acc_in_lap"],
    [{ isValidForBest: true }, "acc_valid_for_best"]
  ])("have the flags of the lap under way: %j", (flags, name) => {
    expect(after({ currentLap: lap({ laptimeMs: 100, ...flags }) })).toMatchObject({ [name]: 1 })
    expect(after({ currentLap: lap({ laptimeMs: 100, isValidForBest: false }) })).toMatchObject({ [name]: 0 })
  })

  it("have a delta where the car or the session has a best lap", () => {
    const delta = -250
    expect(after({ delta, bestSessionLap: timed(4000) })).toMatchObject({ delta_to_best: -0.25 })
    expect(after({ delta }, { bestSessionLap: timed(3900) })).toMatchObject({
      delta_to_best: -0.25,
      best_lap_time: ABSENT,
      acc_session_best_lap_time: 3.9
    })
  })

  it("have the weather", () => {
    expect(after({}, { ambientTemp: 17, trackTemp: 19, clouds: 10, rainLevel: 4, wetness: 7 })).toMatchObject(
      { air_temperature: 17, track_temperature: 19, acc_clouds: 1, rain: 0.4, wetness: 0.7 }
    )
  })
})

describe("the time that is left", () => {
  it("is up to the end, where that stands", () => {
    // The last update was at 5.98 s.
    expect(after({}, { sessionEndTime: 60_000 })["session_time_left"]).toBeCloseTo(54.02, 4)
    expect(after({}, { sessionEndTime: 5000 })["session_time_left"]).toBe(ABSENT)
  })

  it("is absent in the first second in either case", () => {
    const said = link().hears([...answers, ...drive(1, 20, 2000, 4000)])
    const left = valuesOf(channelsIn(said), "session_time_left")
    expect(left.slice(0, 50).every(Number.isNaN)).toBe(true)
    expect(left.slice(50).some(Number.isNaN)).toBe(false)
  })
})
