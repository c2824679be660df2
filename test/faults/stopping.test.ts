/** A service that is asked to stop while its store cannot be written: it gives up in time, and logs the loss. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { fileHeld } from "./faults.ts"

const RECORDING = "portland-gps"

describe("a service that is asked to stop and cannot store", () => {
  for (const flags of [[], ["--workers", "2"]]) {
    it.scopedLive(`ends with status 1 and logs the data that it could not store ${flags.join(" ")}`, () =>
      Effect.gen(function* () {
        const data = yield* Box.folder
        const { points } = Box.readRecording(RECORDING)
        const simulator = yield* Box.startSimulator(
          "--replay",
          Box.recordingFile(RECORDING),
          "--speed",
          "100"
        )
        const service = yield* Box.startService(data, "--stop-within", "1", ...flags)
        yield* Box.connect(service, simulator)
        const connection = Box.connectionOf(service)
        yield* Box.until(connection, (now) => (now?.points_stored ?? 0) > 0)
        const { begin, end } = fileHeld(data)
        yield* Effect.acquireUseRelease(
          begin,
          () =>
            Effect.gen(function* () {
              // The service has received everything, and answers while another program has the lock.
              yield* Box.until(connection, (now) => now?.points_received === points.length)
              expect(yield* service.signal("SIGTERM")).toBe(1)
            }),
          () => end
        )
        const lost = Number(/Not stored: (\d+) points that were received/.exec(service.errors())?.[1])
        expect(lost).toBeGreaterThan(0)

        const next = yield* Box.startService(data)
        const { total_points } = yield* Box.get<{ readonly total_points: number }>(
          next,
          "/telemetry/range?session_id=1"
        )
        expect(total_points).toBe(points.length - lost)
        expect(yield* next.signal("SIGTERM")).toBe(0)
      })
    )
  }
})
