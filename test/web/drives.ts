/** Data for pages: recordings and circles, replayed at full speed into a service of the test's own. */
import { join } from "node:path"
import { Effect } from "effect"
import { writeCircles } from "../blackbox/circles.ts"
import * as Box from "../support/processes.ts"

/** A session that is stored and has ended. */
export interface Drive {
  /** The session's id. */
  readonly session: number
  /** Ids of its laps by their numbers, in the order in which they were driven. */
  readonly laps: ReadonlyMap<number, number>
}

const replay = Effect.fn(function* (service: Box.Running, file: string, points: number) {
  const simulator = yield* Box.startSimulator("--replay", file, "--speed", "max")
  yield* Box.replayed(service, simulator, points)
  const session = yield* Box.lastSession(service)
  const laps = yield* Box.get<ReadonlyArray<{ readonly id: number; readonly lap_number: number }>>(
    service,
    `/${session}/laps`
  )
  return { session, laps: new Map(laps.map((lap) => [lap.lap_number, lap.id])) } satisfies Drive
})

/** A recording of the shared data, by its name. */
export const recording = (service: Box.Running, name: string) =>
  replay(service, Box.recordingFile(name), Box.readRecording(name).points.length)

/** So many laps of a circle (`writeCircles`). */
export const circles = Effect.fn(function* (
  service: Box.Running,
  laps: number,
  ...how: typeof writeCircles extends (path: string, laps: number, ...rest: infer Rest) => number
    ? Rest
    : never
) {
  const file = join(yield* Box.folder, "circles.ndjson")
  return yield* replay(service, file, writeCircles(file, laps, ...how))
})

/** A service that has nothing yet. */
export const emptyService = Effect.flatMap(Box.folder, (folder) => Box.startService(folder))
