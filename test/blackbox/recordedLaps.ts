/** Laps of a real recording as a service gives them back, against its messages and its official times. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

export interface Lap extends Omit<Box.LapMessage, "start_time" | "end_time"> {
  readonly id: number
  readonly session_id: number
}
interface Session {
  readonly best_lap_time: number | null
  readonly total_laps: number
  readonly duration: number
}
interface LapTelemetry {
  readonly points: ReadonlyArray<Box.Point>
  readonly total_points: number
}

export const timesOf = ({
  lap_number,
  lap_time,
  sector1_time,
  sector2_time,
  sector3_time
}: Lap | Box.LapMessage) => ({
  lap_number,
  lap_time,
  sector1_time,
  sector2_time,
  sector3_time
})

/** The recording's points with the contract's timestamps: start_time plus the feed's, as doubles. */
export const anchored = ({ zero, points }: ReturnType<typeof Box.readRecording>): ReadonlyArray<Box.Point> =>
  points.map((point) => ({ ...point, timestamp: zero + point["timestamp"]! }))

export const lapsOf = (service: Box.Running, session: number) =>
  Box.get<ReadonlyArray<Lap>>(service, `/${session}/laps`)

export const pointsOf = (service: Box.Running, session: number) =>
  Effect.map(Box.get<LapTelemetry>(service, `/telemetry/range?session_id=${session}`), ({ points }) => points)

/** Each lap of the recording has the points of its time, no more and no less. */
export const expectLapPoints = Effect.fn(function* (
  service: Box.Running,
  recording: ReturnType<typeof Box.readRecording>,
  laps: ReadonlyArray<Lap>
) {
  const all = anchored(recording)
  for (const message of recording.laps) {
    const lap = laps.find((candidate) => candidate.lap_number === message.lap_number)!
    const expected = all.filter(
      (point) =>
        point["timestamp"]! >= recording.zero + message.start_time &&
        point["timestamp"]! < recording.zero + message.end_time
    )
    const telemetry = yield* Box.get<LapTelemetry>(service, `/${lap.id}/telemetry`)
    expect(telemetry.total_points).toBe(expected.length)
    expect(telemetry.points).toEqual(expected)
  }
})

export const OFFICIAL = "f1-bahrain-2026-ant"

/** A session of the recording of Bahrain has its 47 official laps. */
export const expectOfficialLaps = Effect.fn(function* (service: Box.Running, session: number) {
  const laps = yield* lapsOf(service, session)
  expect(laps).toHaveLength(47)
  expect(laps.map(timesOf)).toEqual(
    Box.readOfficial(OFFICIAL).laps.map((lap) => ({
      lap_number: lap["lap_number"],
      lap_time: lap["lap_time"],
      sector1_time: lap["sector1_time"],
      sector2_time: lap["sector2_time"],
      sector3_time: lap["sector3_time"]
    }))
  )
  expect(yield* Box.get<Session>(service, `/sessions/${session}`)).toMatchObject({
    best_lap_time: 93.669,
    total_laps: 47,
    duration: 6967
  })
  return laps
})
