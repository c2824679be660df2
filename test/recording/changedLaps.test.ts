/** Changes to laps and names that a simulator sends after it reported them. */
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { ended, lap, points, range, started } from "./events.ts"
import { recording } from "./recording.ts"

const changed = (ref: number, change: Parameters<typeof SimulatorEvent.LapChanged>[0]["change"]) =>
  SimulatorEvent.LapChanged({ ref, change })

const driven = [
  started({ clockZero: 1000, tellsLaps: true }),
  points(range(0, 30)),
  lap(1, { lapTime: 10, valid: true, start: 0, end: 10, ref: 71 }),
  lap(2, { lapTime: 12, valid: true, start: 10, end: 22, ref: 72 })
]

describe("a lap that was reported", () => {
  recording("gets later changes by the simulator, and live clients get them too", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record(driven)
      yield* recorder.record([
        changed(72, { lapTime: 9.5, sectors: [3, 3.25, 3.25], driver: "Ben" }),
        changed(71, { withdrawn: true })
      ])
      yield* recorder.close
      // The last one is the lap under way.
      expect(store.lapsOf(1).slice(0, 2)).toMatchObject([
        { lapNumber: 1, lapTime: 10, valid: false, withdrawn: true },
        { lapNumber: 2, lapTime: 9.5, sector2Time: 3.25, valid: true, driver: "Ben" }
      ])
      const laps = store.announced
        .filter((event) => event.type === "lap")
        .filter(({ data }) => data.lapNumber < 3)
      expect(laps.map((event) => [event.data.lapNumber, event.changed])).toEqual([
        [1, undefined],
        [2, undefined],
        [2, ["lap_time", "sector1_time", "sector2_time", "sector3_time", "driver"]],
        [1, ["valid", "withdrawn"]]
      ])
      expect(laps[2]!.data.id).toBe(laps[1]!.data.id)
    })
  )

  recording("can be changed in the same group of events, and long after it was stored", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([...driven, changed(71, { valid: false })])
      for (let i = 30; i < 60; i++) yield* recorder.record([points([i])])
      yield* recorder.record([changed(71, { valid: true, lapTime: 9.9 })])
      yield* recorder.close
      expect(store.lapsOf(1)[0]).toMatchObject({ lapTime: 9.9, valid: true })
    })
  )

  recording(
    "keeps its values if the change is for another session or for a lap that was not reported",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([...driven, changed(73, { withdrawn: true }), ended])
        yield* recorder.record([started({ clockZero: 5000, tellsLaps: true }), points(range(0, 5))])
        yield* recorder.record([changed(71, { withdrawn: true })])
        yield* recorder.close
        expect(store.lapsOf(1).some(({ withdrawn }) => withdrawn)).toBe(false)
        expect(store.countOf("changeLap")).toBe(0)
      })
  )
})

describe("names that come late", () => {
  recording("become those of the session, and live clients get them", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started({ circuit: "", driver: "" }), points(range(0, 5))])
      yield* recorder.record([
        SimulatorEvent.SessionNamed({ names: { circuit: "Spa", driver: "Robin Vale" } })
      ])
      // The same name again is no change, and neither is an empty one.
      yield* recorder.record([SimulatorEvent.SessionNamed({ names: { circuit: "Spa" } })])
      yield* recorder.record([SimulatorEvent.SessionNamed({ names: { vehicle: "" } })])
      yield* recorder.close
      expect(store.sessions.get(1)!.session).toMatchObject({
        circuit: "Spa",
        vehicle: "GT3",
        driver: "Robin Vale"
      })
      expect(store.countOf("renameSession")).toBe(1)
      const sessions = store.announced.filter((event) => event.type === "session")
      expect(sessions.map(({ data }) => data.circuit)).toEqual(["Unknown", "Spa", "Spa"])
      const names = ["circuit", "vehicle", "driver"]
      expect(sessions.map(({ changed }) => changed)).toEqual([undefined, names, undefined])
    })
  )
})
