/**
 * Real simulators' protocols end to end: emulators as processes on one service. One of each kind of link: requested, listened
 * to, requested and answered on another port, TCP and UDP. All others have the same ways into the service, and their round trips
 * in simulators/drivers; laps on a bad line, in real time, are in `npm run test:long`.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connectedEmulators, driverOf, type Session, tried } from "../support/emulated.ts"
import * as Box from "../support/processes.ts"

/** At 60 Hz and their speed, some seconds of each drive. */
const POINTS = 300

it.scopedLive("real simulators are recorded, each under its names, and their points come back", () =>
  Effect.gen(function* () {
    const service = yield* connectedEmulators()
    const { connections } = yield* Box.until(
      Box.get<{ readonly connections: ReadonlyArray<Box.ConnectionCounts> }>(service, "/status"),
      (status) => status.connections.every(({ points_stored }) => points_stored >= POINTS)
    )
    expect(connections).toHaveLength(tried.length)
    for (const { protocol } of tried) {
      const { items } = yield* Box.get<{ readonly items: ReadonlyArray<Session> }>(
        service,
        `/sessions?driver=${encodeURIComponent(driverOf(protocol))}`
      )
      expect([protocol, items.length]).toEqual([protocol, 1])
      expect([protocol, items[0]!.circuit, items[0]!.vehicle]).not.toContain("Unknown")
      const { points } = yield* Box.get<{ readonly points: ReadonlyArray<Box.Point> }>(
        service,
        `/telemetry/range?session_id=${items[0]!.id}`
      )
      expect(points.length).toBeGreaterThanOrEqual(POINTS)
      expect(Math.max(...points.map((point) => point["speed"]!))).toBeGreaterThan(20)
    }
  })
)
