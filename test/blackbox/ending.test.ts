/** Whoever started the service can end it, and what it received is stored then (contract, section 6). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"

/** A service that records; how many points it had received at least when this returns. */
const recording = Effect.fnUntraced(function* (service: Box.Running) {
  const simulator = yield* Box.startSimulator("--rate", "100")
  yield* Box.connect(service, simulator)
  const connection = yield* Box.until(Box.connectionOf(service), (one) => (one?.points_received ?? 0) > 200)
  return connection!.points_received
})

const stored = Effect.fnUntraced(function* (folder: string) {
  const service = yield* Box.startService(folder)
  const session = yield* Box.lastSession(service)
  const path = `/telemetry/range?session_id=${session}`
  const answer = yield* Box.get<{ readonly total_points: number }>(service, path)
  yield* service.signal("SIGTERM")
  return answer.total_points
})

it.scopedLive.each([1, 2])("ends of SIGHUP as of SIGTERM, with %s workers", (workers) =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const service = yield* Box.startService(folder, "--workers", String(workers))
    const received = yield* recording(service)
    expect(yield* service.signal("SIGHUP")).toBe(0)
    expect(yield* stored(folder)).toBeGreaterThanOrEqual(received)
  })
)

it.scopedLive("ends when npm alone is told to end", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const flags = ["--port", "0", "--data", folder, ...Box.PATIENT]
    const npm = yield* Box.startProgram("npm", ["start", "--silent", "--", ...flags], { cwd: Box.root })
    const received = yield* recording(npm)
    yield* npm.signal("SIGTERM")
    const isGone = Effect.promise(() =>
      fetch(`${npm.address}/api/v1/health`).then(
        () => false,
        () => true
      )
    )
    yield* Box.until(isGone, (gone) => gone)
    expect(yield* stored(folder)).toBeGreaterThanOrEqual(received)
  })
)
