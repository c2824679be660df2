/** Real lap times for predictions: whole races, car by car, and the recordings' official laps. Read from beside the checkout. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { readOfficial } from "../support/processes.ts"
import { sharedFolder } from "../support/sharedData.ts"

/** One car's laps of one session. */
export interface Series {
  /** The name of the race or recording. */
  readonly event: string
  readonly driver: string
  readonly laps: ReadonlyArray<RecordedLap>
}

type Row = Readonly<Record<string, unknown>>

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null)

/** Laps without times of their own follow each other; a lap without a lap time takes no time. */
const lapsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<RecordedLap> => {
  let clock = 0
  return rows.map((row, index) => {
    const lapTime = numberOf(row["gate_lap_time"] ?? row["lap_time"])
    const startTime = numberOf(row["start_t"]) ?? clock
    clock = numberOf(row["end_t"]) ?? startTime + (lapTime ?? 0)
    return {
      id: index + 1,
      sessionId: 1,
      lapNumber: Number(row["lap_number"]),
      lapTime,
      sector1Time: numberOf(row["sector1_time"]),
      sector2Time: numberOf(row["sector2_time"]),
      sector3Time: numberOf(row["sector3_time"]),
      valid: row["valid"] !== false,
      startTime,
      endTime: clock
    }
  })
}

const race = (name: string, event: string) => (): ReadonlyArray<Series> => {
  const text = readFileSync(join(sharedFolder("data/timing"), `${name}.json`), "utf8")
  const { drivers } = JSON.parse(text) as {
    readonly drivers: Readonly<Record<string, { readonly laps: ReadonlyArray<Row> }>>
  }
  return Object.entries(drivers).map(([driver, { laps }]) => ({ event, driver, laps: lapsOf(laps) }))
}

const recording = (name: string, event: string) => (): ReadonlyArray<Series> => [
  { event, driver: event, laps: lapsOf(readOfficial(name).laps) }
]

export const races = [
  race("baku-2018-race", "Baku 2018"),
  race("baku-2023-sprint", "Baku 2023 sprint")
] as const

export const readSeries = (): ReadonlyArray<Series> =>
  [
    ...races,
    recording("f1-bahrain-2026-ant", "Bahrain"),
    recording("ams2-road-america", "Road America"),
    recording("ac-lime-rock", "Lime Rock"),
    recording("portland-gps", "Portland")
  ].flatMap((read) => read())
