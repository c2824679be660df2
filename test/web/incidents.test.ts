/** Findings that the session's page combines into one row. */
import { describe, expect, it } from "vitest"
import { incidentsOf } from "../../web/src/pages/session/incidents.ts"
import type { Anomaly } from "../../web/src/types.ts"

const LAP_S = 90

/** A finding `at` seconds into a lap that began at `lap` times 90 s. */
const anomaly = (
  type: Anomaly["type"],
  lap: number,
  at: number,
  duration: number,
  cost: number | null
): Anomaly => ({
  lap_id: lap,
  lap_number: lap,
  type,
  timestamp: lap * LAP_S + at,
  distance: type === "slow_lap" || type === "off_pace_sector" ? null : at * 50,
  value: null,
  expected: null,
  severity: "high",
  description: `${type} ${lap} ${at}`,
  channel: "speed",
  z: null,
  laps_in_baseline: 10,
  duration,
  cost,
  cost_uncertainty: null,
  count: 1,
  occurrences: []
})

const reported = (anomalies: ReadonlyArray<Anomaly>) =>
  incidentsOf(anomalies).map(({ main, signs }) => [main.description, signs.length])

describe("incidents of a session", () => {
  it("combine a stop, its sector and its lap into one, at its place", () => {
    const stop = anomaly("speed_loss", 9, 20, 35, 39)
    const sector = anomaly("off_pace_sector", 9, 0, 67, 37)
    expect(reported([anomaly("slow_lap", 9, 0, LAP_S, 49), stop, sector])).toEqual([["speed_loss 9 20", 2]])
    // A spin at the beginning of the stop is not a second incident.
    expect(reported([stop, sector, anomaly("lock_up_or_spin", 9, 17, 2, 1)])).toEqual([
      ["speed_loss 9 20", 2]
    ])
  })

  it("are two for two stops in a lap, and the lap belongs to the costlier one", () => {
    const found = [
      anomaly("slow_lap", 3, 0, LAP_S, 20),
      anomaly("speed_loss", 3, 60, 5, 12),
      anomaly("speed_loss", 3, 10, 5, 6)
    ]
    expect(reported(found)).toEqual([
      ["speed_loss 3 60", 1],
      ["speed_loss 3 10", 0]
    ])
  })

  it("keep laps and errors of the data apart", () => {
    const found = [
      anomaly("slow_lap", 1, 0, LAP_S, 20),
      anomaly("slow_lap", 2, 0, LAP_S, 10),
      anomaly("data_gap", 1, 30, 2, null),
      anomaly("pause", 1, 31, 2, null)
    ]
    expect(reported(found)).toEqual([
      ["slow_lap 1 0", 0],
      ["slow_lap 2 0", 0],
      ["data_gap 1 30", 0],
      ["pause 1 31", 0]
    ])
  })
})
