/** Lap times of many races and sessions, car by car, with what their source knows of each lap. Read from beside the checkout. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { Compound, LapFacts } from "../../src/analysis/predictions/PaceModel.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { sharedFolder } from "../support/sharedData.ts"

export interface RaceSeries {
  /** The kind of session: `Formula 1 race`, `endurance`, `Practice_2`. */
  readonly group: string
  /** `2019`; empty where the source's name does not begin with it. */
  readonly year: string
  readonly event: string
  readonly car: string
  readonly laps: ReadonlyArray<RecordedLap>
  /** What is known of each lap; `running`: neither out nor in lap, nor behind a safety car. */
  readonly facts: ReadonlyArray<LapFacts & { readonly running: boolean; readonly stint?: number }>
}

type Row = Readonly<Record<string, unknown>>

const folder = () => sharedFolder("data/timing/races")

const unzipped = (...path: ReadonlyArray<string>): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(folder(), ...path))).toString())

const lapOf = (row: Row, id: number, before: number): RecordedLap => {
  const lapTime = typeof row["lap_time"] === "number" ? row["lap_time"] : null
  const endTime = typeof row["end_time"] === "number" ? row["end_time"] : before + (lapTime ?? 0)
  return {
    id,
    sessionId: 1,
    lapNumber: Number(row["lap_number"]),
    lapTime,
    sector1Time: null,
    sector2Time: null,
    sector3Time: null,
    valid: true,
    startTime: Math.max(before, endTime - (lapTime ?? 0)),
    endTime: Math.max(before, endTime)
  }
}

const lapsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<RecordedLap> => {
  let clock = 0
  return rows.map((row, at) => {
    const lap = lapOf(row, at + 1, clock)
    clock = lap.endTime
    return lap
  })
}

const compounds: Readonly<Record<string, Compound>> = {
  HYPERSOFT: "soft",
  ULTRASOFT: "soft",
  SUPERSOFT: "soft",
  SOFT: "soft",
  MEDIUM: "medium",
  HARD: "hard",
  SUPERHARD: "hard"
}

const files = (kind: string) => readdirSync(join(folder(), kind)).toSorted()

export const formula1Races = (years: ReadonlyArray<string>): ReadonlyArray<RaceSeries> =>
  files("f1")
    .filter((name) => years.includes(name.slice(0, 4)))
    .flatMap((name) => {
      const { drivers } = unzipped("f1", name) as {
        readonly drivers: Readonly<Record<string, { readonly laps: ReadonlyArray<Row> }>>
      }
      return Object.entries(drivers).map(([car, { laps }]) => ({
        group: "Formula 1 race",
        year: name.slice(0, 4),
        event: name,
        car,
        laps: lapsOf(laps),
        facts: laps.map((row) => {
          const compound = compounds[String(row["compound"])]
          const age = row["tyre_age"]
          return {
            ...(compound === undefined ? {} : { compound }),
            ...(typeof age === "number" ? { tyreAge: age } : {}),
            ...(typeof row["stint"] === "number" ? { stint: row["stint"] } : {}),
            running:
              row["pit_in"] === null && row["pit_out"] === null && !/[4567]/.test(String(row["track_status"]))
          }
        })
      }))
    })

export const enduranceRaces = (): ReadonlyArray<RaceSeries> =>
  files("endurance").flatMap((name) => {
    const { cars } = unzipped("endurance", name) as {
      readonly cars: Readonly<Record<string, { readonly laps: ReadonlyArray<Row> }>>
    }
    return Object.entries(cars).map(([car, { laps }]) => {
      const drivers = [...new Set(laps.map((row) => row["driver"]))]
      return {
        group: "endurance",
        year: name.slice(0, 4),
        event: name,
        car,
        laps: lapsOf(laps),
        facts: laps.map((row) => ({
          driver: drivers.indexOf(row["driver"]),
          running: row["pit_in"] !== true && row["pit_time"] === null && row["flag"] === "GF"
        }))
      }
    })
  })

/** Practice, qualifying, sprints and races of Formula 1: lap numbers and times alone. */
export const timedSessions = (): ReadonlyArray<RaceSeries> =>
  (
    unzipped("sessions.json.gz") as ReadonlyArray<{
      readonly group: string
      readonly session: string
      readonly car: string
      readonly laps: ReadonlyArray<Row>
    }>
  ).map(({ car, group, laps, session }) => ({
    group,
    year: session.slice(0, 4),
    event: session,
    car: String(car),
    laps: lapsOf(laps),
    facts: laps.map(() => ({ running: true }))
  }))
