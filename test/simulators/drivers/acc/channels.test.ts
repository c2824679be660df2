/** Assetto Corsa Competizione: its channels beyond those of points. */
import { describe, expect, it } from "vitest"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { UpdateFields } from "../../../../simulator/emulators/acc/encode.ts"
import type { CarFields } from "../../../../src/simulators/drivers/acc/layout.ts"
import { accepted, answers, drive, entry, CAR, lap, link, timed } from "./link.ts"
import { lastSamples } from "../samples.ts"
import { channelsIn } from "../suite/channels.ts"

/** Two seconds of a lap: the channels at their end. */
const after = (
  fields: Partial<CarFields> = {},
  session: Partial<UpdateFields> = {},
  begin: ReadonlyArray<Buffer> = answers
): Readonly<Record<string, number>> =>
  lastSamples(link().receive([...begin, ...drive(1, 20, 2000, 4000, fields, session)]))

const valuesOf = (events: ReadonlyArray<SimulatorEvent>, name: string) => channelsIn(events).get(name)!.values

describe("channels", () => {
  it("are absent if nothing is reported, never 0", () => {
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

  it("have no distance if the track is not known", () => {
    const { receive, wait } = link()
    const begin = [accepted, entry(CAR), ...drive(1, 20, 1000, 4000)]
    expect(receive(begin)).toEqual([])
    wait(10)
    const events = receive(drive(1, 1000, 1100, 4000))
    expect(valuesOf(events, "lap_distance").every(Number.isNaN)).toBe(true)
    expect(new Set(valuesOf(events, "lap_fraction"))).toEqual(new Set([0.5]))
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

  it("have a delta if the car or the session has a best lap", () => {
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
  it("is up to the session's end, if that is fixed", () => {
    // The last update was at 5.98 s.
    expect(after({}, { sessionEndTime: 60_000 })["session_time_left"]).toBeCloseTo(54.02, 4)
    expect(after({}, { sessionEndTime: 5000 })["session_time_left"]).toBe(ABSENT)
  })

  it("is absent in the first second in either case", () => {
    const events = link().receive([...answers, ...drive(1, 20, 2000, 4000)])
    const left = valuesOf(events, "session_time_left")
    expect(left.slice(0, 50).every(Number.isNaN)).toBe(true)
    expect(left.slice(50).some(Number.isNaN)).toBe(false)
  })
})
