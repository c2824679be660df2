/** Real recordings through a real service by replay at full speed, and back over HTTP. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { postgresHere, sharedPostgres } from "../servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../servers/questdb.ts"
import * as Box from "./processes.ts"
import { type Need, needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"

interface Lap extends Omit<Box.LapMessage, "start_time" | "end_time"> {
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

const timesOf = ({
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

/** The recording's points with their timestamps as the contract says: start_time plus the feed's, as doubles. */
const anchored = ({ zero, points }: ReturnType<typeof Box.readRecording>): ReadonlyArray<Box.Point> =>
  points.map((point) => ({ ...point, timestamp: zero + point["timestamp"]! }))

const expectLapPoints = Effect.fn(function* (
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

/** Where points and the catalog are kept: the flags of the service, whose servers live as long as the test. */
interface Mode {
  readonly name: string
  readonly needs: ReadonlyArray<Need>
  readonly flags: Effect.Effect<ReadonlyArray<string>, never, Scope.Scope>
}

const modes: ReadonlyArray<Mode> = [
  { name: "the embedded store", needs: [], flags: Effect.succeed([]) },
  {
    name: "QuestDB and PostgreSQL",
    needs: [questdbHere, postgresHere],
    flags: Effect.map(Effect.all([sharedQuestdb, sharedPostgres]), ([questdb, postgres]) => [
      "--points",
      questdb.url,
      "--catalog",
      postgres.url
    ])
  }
]

/** A service with one recording in it. */
const recordedWith = (flags: Mode["flags"]) =>
  Effect.fn(function* (name: string) {
    const recording = Box.readRecording(name)
    const service = yield* Box.startService(yield* Box.folder, ...(yield* flags))
    const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(name), "--speed", "max")
    const counts = yield* Box.replayed(service, simulator, recording.points.length)
    expect(counts).toMatchObject({ points_dropped: 0, points_rejected: 0 })
    const laps = yield* Box.get<ReadonlyArray<Lap>>(service, "/1/laps")
    const session = yield* Box.get<Session>(service, "/sessions/1")
    return { recording, service, simulator, laps, session }
  })

const OFFICIAL = "f1-bahrain-2026-ant has its 47 official laps, and every point of each"

const expectOfficial = Effect.fn(function* (flags: Mode["flags"]) {
  const { recording, service, laps, session } = yield* recordedWith(flags)("f1-bahrain-2026-ant")
  const official = Box.readOfficial("f1-bahrain-2026-ant").laps
  expect(laps).toHaveLength(47)
  expect(laps.map(timesOf)).toEqual(
    official.map((lap) => ({
      lap_number: lap["lap_number"],
      lap_time: lap["lap_time"],
      sector1_time: lap["sector1_time"],
      sector2_time: lap["sector2_time"],
      sector3_time: lap["sector3_time"]
    }))
  )
  expect(session).toMatchObject({ best_lap_time: 93.669, total_laps: 47, duration: 6967 })
  yield* expectLapPoints(service, recording, laps)
})

for (const { flags, name, needs } of modes)
  describe(`with ${name}`, needing(recordingsHere, ...needs), () => {
    const recorded = recordedWith(flags)

    it.scopedLive(OFFICIAL, () => expectOfficial(flags))

    it.scopedLive("portland-gps yields its 14 laps from the start line alone, within 5 ms", () =>
      Effect.gen(function* () {
        const { laps } = yield* recorded("portland-gps")
        const official = Box.readOfficial("portland-gps").laps
        const timed = laps.filter((lap) => lap.valid)
        expect(timed.map((lap) => lap.lap_number)).toEqual(official.map((lap) => lap["lap_number"]))
        for (const [index, lap] of timed.entries()) {
          expect(Math.abs(lap.lap_time! - Number(official[index]!["reference_lap_time"]))).toBeLessThan(0.005)
        }
        // The way out of the pits and back in.
        expect(laps.filter((lap) => !lap.valid).map((lap) => lap.lap_number)).toEqual([1, 16])
      })
    )

    for (const [name, valid, invalid] of [
      ["ac-lime-rock", 6, 10],
      ["ams2-road-america", 16, 1]
    ] as const) {
      it.scopedLive(`${name} has its valid and invalid laps, and every point of each`, () =>
        Effect.gen(function* () {
          const { recording, service, laps } = yield* recorded(name)
          const official = Box.readOfficial(name).laps.filter((lap) => lap["complete"] === true)
          const complete = laps.filter((lap) => lap.lap_time !== null)
          expect(
            complete.map(({ lap_number, lap_time, valid }) => ({ lap_number, lap_time, valid }))
          ).toEqual(
            official.map((lap) => ({
              lap_number: lap["lap_number"],
              lap_time: lap["lap_time"],
              valid: lap["valid"]
            }))
          )
          expect(complete.filter((lap) => lap.valid)).toHaveLength(valid)
          expect(complete.filter((lap) => !lap.valid)).toHaveLength(invalid)
          // What was driven after the last line is kept, as a lap that is not one.
          expect(laps.at(-1)).toMatchObject({ lap_time: null, valid: false })
          for (const lap of complete) {
            if (lap.sector1_time === null) continue
            expect(lap.sector1_time + lap.sector2_time! + lap.sector3_time!).toBeCloseTo(lap.lap_time!, 6)
          }
          yield* expectLapPoints(service, recording, laps)
        })
      )
    }

    it.scopedLive("replayed twice gives equal laps and points", () =>
      Effect.gen(function* () {
        const { recording, service, simulator, laps } = yield* recorded("ac-lime-rock")
        yield* Box.replayed(service, simulator, recording.points.length)
        const again = yield* Box.get<ReadonlyArray<Lap>>(service, "/2/laps")
        const anonymous = ({ id: _id, session_id: _session, ...lap }: Lap) => lap
        expect(again.map(anonymous)).toEqual(laps.map(anonymous))
        const points = (id: number) =>
          Effect.map(
            Box.get<LapTelemetry>(service, `/telemetry/range?session_id=${id}`),
            (range) => range.points
          )
        const first = yield* points(1)
        expect(first).toEqual(anchored(recording))
        expect(yield* points(2)).toEqual(first)
      })
    )
  })

describe("with several workers", needing(recordingsHere), () => {
  it.scopedLive(OFFICIAL, () => expectOfficial(Effect.succeed(["--workers", "4"])))
})
