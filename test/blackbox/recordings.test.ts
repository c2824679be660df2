/** Real recordings through a real service by replay at full speed, and back over HTTP: one service records them all. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { type Need, needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { anchored, expectLapPoints, expectOfficialLaps, lapsOf, OFFICIAL, pointsOf } from "./recordedLaps.ts"
import type { Lap } from "./recordedLaps.ts"
import { some } from "../support/runs.ts"

/** Where points and the catalog are kept: the flags of the service, whose servers live as long as it. */
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

class Recording extends Context.Tag("test/Recording")<Recording, Box.Running>() {
  static readonly layer = (flags: Mode["flags"]) =>
    Layer.scoped(
      this,
      Effect.flatMap(Effect.all([Box.folder, flags]), ([data, given]) => Box.startService(data, ...given))
    )
}

/** Records a replay; returns its session and laps. */
const recorded = Effect.fn(function* (name: string) {
  const service = yield* Recording
  const recording = Box.readRecording(name)
  const session = 1 + (yield* Box.lastSession(service))
  const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(name), "--speed", "max")
  const counts = yield* Box.replayed(service, simulator, recording.points.length)
  expect(counts).toMatchObject({ points_dropped: 0, points_rejected: 0 })
  return { recording, service, session, simulator, laps: yield* lapsOf(service, session) }
})

const anonymous = ({ id: _id, session_id: _session, ...lap }: Lap) => lap

for (const { flags, name, needs } of some(modes, 1)) {
  describe(`with ${name}`, needing(recordingsHere, ...needs), () => {
    layer(Recording.layer(flags), { excludeTestServices: true })((it) => {
      it.scoped(`${OFFICIAL} has its 47 official laps, and every point of each`, () =>
        Effect.gen(function* () {
          const { recording, service, session } = yield* recorded(OFFICIAL)
          yield* expectLapPoints(service, recording, yield* expectOfficialLaps(service, session))
        })
      )

      it.scoped("portland-gps yields its 14 laps from the start line alone, within 5 ms", () =>
        Effect.gen(function* () {
          const { laps } = yield* recorded("portland-gps")
          const official = Box.readOfficial("portland-gps").laps
          const timed = laps.filter((lap) => lap.valid)
          expect(timed.map((lap) => lap.lap_number)).toEqual(official.map((lap) => lap["lap_number"]))
          for (const [index, lap] of timed.entries()) {
            expect(Math.abs(lap.lap_time! - Number(official[index]!["reference_lap_time"]))).toBeLessThan(
              0.005
            )
          }
          // The laps out of the pits and back in.
          expect(laps.filter((lap) => !lap.valid).map((lap) => lap.lap_number)).toEqual([1, 16])
        })
      )

      for (const [track, valid, invalid] of [
        ["ac-lime-rock", 6, 10],
        ["ams2-road-america", 16, 1]
      ] as const) {
        it.scoped(`${track} has its valid and invalid laps, and every point of each`, () =>
          Effect.gen(function* () {
            const { recording, service, laps } = yield* recorded(track)
            const official = Box.readOfficial(track).laps.filter((lap) => lap["complete"] === true)
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
            // The part after the last crossing of the line is kept, as an incomplete lap.
            expect(laps.at(-1)).toMatchObject({ lap_time: null, valid: false })
            for (const lap of complete) {
              if (lap.sector1_time === null) continue
              expect(lap.sector1_time + lap.sector2_time! + lap.sector3_time!).toBeCloseTo(lap.lap_time!, 6)
            }
            yield* expectLapPoints(service, recording, laps)
          })
        )
      }

      it.scoped("replayed twice gives equal laps and points", () =>
        Effect.gen(function* () {
          // A circuit's sector lines are those of its first valid lap; the laps before it are cut without them.
          yield* recorded("ac-lime-rock")
          const { laps, recording, service, session, simulator } = yield* recorded("ac-lime-rock")
          yield* Box.replayed(service, simulator, recording.points.length)
          const again = yield* lapsOf(service, session + 1)
          expect(again.map(anonymous)).toEqual(laps.map(anonymous))
          const first = yield* pointsOf(service, session)
          expect(first).toEqual(anchored(recording))
          expect(yield* pointsOf(service, session + 1)).toEqual(first)
        })
      )
    })
  })
}
