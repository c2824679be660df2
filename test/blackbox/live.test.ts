/** What a live subscriber sees of a replay, and what /status counts meanwhile. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"
import { needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"
import { subscribe } from "./subscriber.ts"

const fields = [
  "timestamp",
  "speed",
  "rpm",
  "gear",
  "throttle",
  "brake",
  "position_x",
  "position_y",
  "position_z"
]

describe.each([1, 4])(
  "a live subscriber during a replay, of %s workers",
  needing(recordingsHere),
  (workers) => {
    it.scopedLive("gets messages of the interface's shape, in order, and the events it asked for", () =>
      Effect.gen(function* () {
        const recording = Box.readRecording("ams2-road-america")
        const service = yield* Box.startService(yield* Box.folder, "--workers", String(workers))
        const simulator = yield* Box.startSimulator(
          "--replay",
          Box.recordingFile("ams2-road-america"),
          "--speed",
          "max"
        )
        const plain = yield* subscribe(service)
        const eventful = yield* subscribe(service, "?events=lap,session")
        const counts = yield* Box.replayed(service, simulator, recording.points.length)
        expect(counts).toMatchObject({
          points_received: recording.points.length,
          points_stored: recording.points.length,
          points_dropped: 0,
          points_rejected: 0
        })

        const sent = new Map(recording.points.map((point) => [recording.zero + point["timestamp"]!, point]))
        const last = recording.zero + recording.points.at(-1)!["timestamp"]!
        yield* Box.until(
          Effect.sync(() => plain.messages.at(-1)?.data["timestamp"]),
          (timestamp) => timestamp === last
        )
        let previous = -Infinity
        for (const message of plain.messages) {
          expect(Object.keys(message)).toEqual(["type", "data", "session_id"])
          expect(message).toMatchObject({ type: "telemetry", session_id: 1 })
          expect(Object.keys(message.data)).toEqual(fields)
          const timestamp = message.data["timestamp"] as number
          expect(timestamp).toBeGreaterThan(previous)
          previous = timestamp
          const { steering: _steering, ...expected } = sent.get(timestamp)!
          expect(message.data).toEqual({ ...expected, timestamp })
        }

        const laps = yield* Box.get<ReadonlyArray<unknown>>(service, "/1/laps")
        const session = yield* Box.get<object>(service, "/sessions/1")
        const events = yield* Box.until(
          Effect.sync(() => eventful.messages.filter((message) => message.type !== "telemetry")),
          (seen) => seen.length === laps.length + 2
        )
        expect(events.map((message) => message.type)).toEqual([
          "session",
          ...laps.map(() => "lap"),
          "session"
        ])
        expect(events.slice(1, -1).map((message) => message.data)).toEqual(laps)
        expect(events.at(-1)!.data).toEqual(session)

        expect(yield* service.signal("SIGTERM")).toBe(0)
        expect(yield* plain.closed).toBe(1001)
      })
    )
  }
)
