import { once } from "node:events"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { feedAt, feeding, twoLaps } from "./feeds.ts"
import { sending, service } from "../support/service.ts"
import { valueOf, wholeMetrics } from "./wholeMetrics.ts"

it.scopedLive("/metrics has Prometheus' format, with the process, the live clients and the connections", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const answer = yield* running.fetch("/metrics")
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const families = yield* wholeMetrics(running)
    for (const [name, type] of [
      ["process_resident_memory_bytes", "gauge"],
      ["process_cpu_seconds_total", "counter"],
      ["process_start_time_seconds", "gauge"],
      ["nodejs_eventloop_active_seconds_total", "counter"],
      ["nodejs_eventloop_idle_seconds_total", "counter"],
      ["telemetry_live_subscribers", "gauge"],
      ["telemetry_live_messages_sent_total", "counter"],
      ["telemetry_live_messages_skipped_total", "counter"],
      ["telemetry_connections", "gauge"]
    ] as const) {
      expect([name, families.get(name)?.type]).toEqual([name, type])
    }
    expect(valueOf(families, "process_resident_memory_bytes")).toBeGreaterThan(1e7)
    for (const state of ["connecting", "connected", "reconnecting"]) {
      expect(valueOf(families, "telemetry_connections", { state })).toBe(0)
    }
  })
)

it.scopedLive("/metrics counts a simulator's points and a live client", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const before = yield* wholeMetrics(running)
    const ws = new WebSocket(`ws://127.0.0.1:${running.port}/api/v1/telemetry/live`)
    yield* Effect.addFinalizer(() => Effect.sync(() => ws.terminate()))
    yield* Effect.promise(() => once(ws, "open"))
    const message = Effect.promise(() => once(ws, "message"))
    const port = yield* feeding(twoLaps)
    const body = feedAt(port)
    const [connected] = yield* Effect.all([running.json("/api/v1/connect", sending("POST", body)), message], {
      concurrency: "unbounded"
    })
    expect(connected.status).toBe(200)
    const stored = "telemetry_points_stored_total"
    const had = valueOf(before, stored) ?? 0
    const after = yield* Effect.repeat(wholeMetrics(running), {
      until: (families) => (valueOf(families, stored) ?? 0) >= had + twoLaps.points
    })
    expect(valueOf(after, "telemetry_connections", { state: "connected" })).toBe(1)
    expect(valueOf(after, "telemetry_live_subscribers")).toBe(1)
    expect(valueOf(after, "telemetry_live_messages_sent_total")).toBeGreaterThan(0)
    expect(after.get("telemetry_store_write_seconds")?.type).toBe("histogram")
    expect(after.get("telemetry_intake_points")?.type).toBe("gauge")
  })
)
