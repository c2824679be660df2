/** Data for pages: recordings and circles, replayed at full speed into a service of the test's own. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
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

interface Message {
  readonly type: string
  readonly sequence?: number | undefined
  readonly lap_number?: number
  readonly start_time?: number
  readonly points?: ReadonlyArray<{ readonly timestamp: number }>
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

/** A recording without the points between two times of one of its laps, s since that lap began. */
export const holedRecording = Effect.fn(function* (
  service: Box.Running,
  name: string,
  hole: { readonly lap: number; readonly from: number; readonly to: number }
) {
  const lines = gunzipSync(readFileSync(Box.recordingFile(name)))
    .toString()
    .trim()
    .split("\n")
  const messages = lines.map((line) => JSON.parse(line) as Message)
  const start = messages.find((one) => one.type === "lap" && one.lap_number === hole.lap)!.start_time!
  const isKept = ({ timestamp }: { readonly timestamp: number }) =>
    timestamp <= start + hole.from || timestamp >= start + hole.to
  // A sequence would show that points are missing.
  const kept = messages.map((message): Message => {
    const { points } = message
    return { ...message, sequence: undefined, ...(points && { points: points.filter(isKept) }) }
  })
  const file = join(yield* Box.folder, "holed.ndjson")
  writeFileSync(file, kept.map((message) => JSON.stringify(message)).join("\n"))
  return yield* replay(
    service,
    file,
    kept.reduce((sum, { points }) => sum + (points?.length ?? 0), 0)
  )
})

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
