/** Live subscribers during a replay, and the counts of /status meanwhile. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
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

/** They get messages of the interface's shape, in order, and the events that they requested. */
export const expectSeenLive = Effect.fn(function* (service: Box.Running) {
  const name = "ams2-road-america"
  const recording = Box.readRecording(name)
  const session = 1 + (yield* Box.lastSession(service))
  const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(name), "--speed", "max")
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
    expect(message).toMatchObject({ type: "telemetry", session_id: session })
    expect(Object.keys(message.data)).toEqual(fields)
    const timestamp = message.data["timestamp"] as number
    expect(timestamp).toBeGreaterThan(previous)
    previous = timestamp
    const { steering: _steering, ...expected } = sent.get(timestamp)!
    expect(message.data).toEqual({ ...expected, timestamp })
  }

  const laps = yield* Box.get<ReadonlyArray<unknown>>(service, `/${session}/laps`)
  const ended = yield* Box.get<object>(service, `/sessions/${session}`)
  const events = yield* Box.until(
    Effect.sync(() => eventful.messages.filter((message) => message.type !== "telemetry")),
    (seen) => seen.length === laps.length + 2
  )
  expect(events.map((message) => message.type)).toEqual(["session", ...laps.map(() => "lap"), "session"])
  expect(events.slice(1, -1).map((message) => message.data)).toEqual(laps)
  expect(events.at(-1)!.data).toEqual(ended)
  return plain
})
