/** kill -9 in the middle of a full-speed replay: acknowledged points are stored, and the service goes on. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { seen, watching } from "../api/watching.ts"
import { openSqlite, valueOf } from "../support/sqliteFile.ts"

interface Lap {
  readonly lap_number: number
  readonly valid: boolean
  readonly lap_time: number | null
}
interface Range {
  readonly points: ReadonlyArray<Box.Point>
}

/** Live clients resume this many points before and behind the last stored one; the first commit may have fewer. */
const BEHIND = 40

describe("a service that is killed", needing(recordingsHere), () => {
  it.scopedLive("loses nothing that it had acknowledged, closes the session, and records the next", () =>
    Effect.gen(function* () {
      const recording = Box.readRecording("f1-bahrain-2026-ant")
      const data = yield* Box.folder
      const simulator = yield* Box.startSimulator(
        "--replay",
        Box.recordingFile("f1-bahrain-2026-ant"),
        "--speed",
        "max"
      )
      const first = yield* Box.startService(data)
      yield* Box.connect(first, simulator)
      const counts = yield* Box.stored(first, BEHIND + 1)
      yield* first.signal("SIGKILL")

      const second = yield* Box.startService(data)
      const { points } = yield* Box.get<Range>(second, "/telemetry/range?session_id=1")
      expect(points.length).toBeGreaterThanOrEqual(counts!.points_stored)
      // No hole: the stored points are the recording's beginning, to the last bit.
      expect(points).toEqual(
        recording.points
          .slice(0, points.length)
          .map((point) => ({ ...point, timestamp: recording.zero + point["timestamp"]! }))
      )
      const laps = yield* Box.get<ReadonlyArray<Lap>>(second, "/1/laps")
      expect(laps.filter((lap) => lap.valid).length).toBeLessThanOrEqual(47)
      if (points.length < recording.points.length) {
        expect(laps.at(-1)).toMatchObject({ valid: false, lap_time: null })
      }
      const session = yield* Box.get<{ readonly duration: number }>(second, "/sessions/1")
      expect(session.duration).toBe(Math.floor(points.at(-1)!["timestamp"]! - points[0]!["timestamp"]!))

      // Numbers are those of the stored points, whatever unstored points live clients had seen.
      const last = points.length
      const at = { port: Number(new URL(second.address).port) }
      const live = yield* watching(at, `?session_id=1&sequence=1&since=${last - BEHIND}`)
      const ahead = yield* watching(at, `?session_id=1&sequence=1&since=${last + BEHIND}`)
      yield* seen(() => live.received.at(-1)?.json.sequence === last && ahead.received.length === 1)
      expect(ahead.received[0]!.json).toMatchObject({ type: "replay", from: null, to: last })
      const [reported, ...messages] = live.received.map(({ json }) => json)
      expect(reported).toMatchObject({ type: "replay", from: last - BEHIND + 1, to: last, missed: 0 })
      // Two of its points are closer together than telemetry_rate lets live clients have both.
      expect(messages.reduce((sum, { left_out }) => sum + 1 + left_out!, 0)).toBe(BEHIND)
      for (const { data, sequence } of messages)
        expect([sequence, data["timestamp"]]).toEqual([sequence, points[sequence! - 1]!["timestamp"]])

      // The session is closed, so that it may be deleted, and the store takes a recording as before.
      yield* Box.replayed(second, simulator, recording.points.length)
      expect(yield* Box.get<ReadonlyArray<Lap>>(second, "/2/laps")).toHaveLength(47)
      expect((yield* Box.ask(second, "DELETE", "/sessions/1")).status).toBe(200)
      expect(yield* second.signal("SIGTERM")).toBe(0)

      const file = openSqlite(join(data, "telemetry.sqlite"), { readOnly: true })
      expect(valueOf(file, "PRAGMA integrity_check")).toBe("ok")
      expect(file.prepare("PRAGMA foreign_key_check").all()).toEqual([])
      file.close()
    })
  )
})

describe("a service that is stopped", () => {
  it.scopedLive("stores what it received, ends its sessions and exits with 0", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const simulator = yield* Box.startSimulator("--rate", "1000")
      const first = yield* Box.startService(data)
      yield* Box.connect(first, simulator)
      yield* Box.until(Box.connectionOf(first), (connection) => (connection?.points_received ?? 0) > 500)
      expect(yield* first.signal("SIGTERM")).toBe(0)
      const second = yield* Box.startService(data)
      const { points } = yield* Box.get<Range>(second, "/telemetry/range?session_id=1")
      expect(points.length).toBeGreaterThan(500)
      // Nothing to recover: it was closed properly.
      expect(second.errors()).toBe("")
      expect((yield* Box.ask(second, "DELETE", "/sessions/1")).status).toBe(200)
      expect(yield* second.signal("SIGINT")).toBe(0)
    })
  )
})
