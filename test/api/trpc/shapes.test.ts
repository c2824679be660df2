/** Every call has the answer of the same request over REST. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Configuration } from "../../../src/domain/Configuration.ts"
import type { Wire } from "../../../src/platform/wire.ts"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { storeLaps } from "../drivenLaps.ts"
import { feedAt, feeding, twoLaps } from "../feeds.ts"
import { inside, serviceInside } from "../../support/inside.ts"
import { sending, service, type Service } from "../../support/service.ts"
import { storeDrive, storeSession } from "../stored.ts"
import { clientOf } from "./support.ts"

const comparing = (running: Service) => (ask: () => Promise<unknown>, path: string, init?: RequestInit) =>
  Effect.gen(function* () {
    const rest = yield* running.json(`/api/v1/${path}`, init)
    expect([path, rest.status]).toEqual([path, 200])
    expect([path, yield* Effect.promise(ask)]).toEqual([path, rest.body])
    return rest.body
  })

it.scopedLive("queries of stored data answer as REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const same = comparing(running)
    const { laps, session } = yield* storeDrive(running, { count: 200, laps: 3, lapPoints: 50, before: 20 })
    yield* storeSession(running, { circuit: "Spa", driver: "Bea" })
    const [lapId, sessionId] = [laps[1]!.id, session.id]

    yield* same(() => client.system.health.query(), "health")
    yield* same(() => client.sessions.list.query(), "sessions")
    const page = yield* same(
      () => client.sessions.list.query({ limit: 1, offset: 1, circuit: "MONZA" }),
      "sessions?limit=1&offset=1&circuit=MONZA"
    )
    expect(page).toEqual({ total: 1, items: [], page: 1, page_size: 1 })
    yield* same(() => client.sessions.get.query({ sessionId }), `sessions/${sessionId}`)
    const listed = yield* same(() => client.sessions.laps.query({ sessionId }), `${sessionId}/laps`)
    expect(listed).toHaveLength(3)
    yield* same(() => client.sessions.lap.query({ lapId }), String(lapId))

    yield* same(() => client.telemetry.lap.query({ lapId }), `${lapId}/telemetry`)
    const [startTime, endTime] = [laps[0]!.startTime, laps[1]!.endTime]
    yield* same(
      () => client.telemetry.range.query({ sessionId, startTime, endTime, sampleRate: 3 }),
      `telemetry/range?session_id=${sessionId}&start_time=${startTime}&end_time=${endTime}&sample_rate=3`
    )

    yield* same(
      () => client.statistics.bestLaps.query({ limit: 2, circuit: "monza", vehicle: "gt3" }),
      "stats/best-laps?limit=2&circuit=monza&vehicle=gt3"
    )
    yield* same(
      () => client.statistics.driver.query({ name: "anna", circuit: "MONZA", vehicle: "gt4" }),
      "stats/driver/anna?circuit=MONZA&vehicle=gt4"
    )
    yield* same(() => client.statistics.circuit.query({ name: "Monza" }), "stats/circuit/Monza")

    yield* same(() => client.configuration.get.query(), "config")
    yield* same(() => client.configuration.circuits.query(), "config/circuits")
    yield* same(() => client.configuration.circuit.query({ name: "monza" }), "config/circuits/monza")
    yield* same(() => client.configuration.vehicles.query(), "config/vehicles")
  })
)

it.scopedLive("queries of the analysis answer as REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const same = comparing(running)
    const { id: sessionId, laps } = yield* storeLaps(running, 5, { rate: 20 })
    const lapIds = laps.slice(1).map((lap) => lap.id)
    yield* same(
      () => client.analysis.compare.query({ lapIds }),
      `compare?${lapIds.map((id) => `lap_ids=${id}`).join("&")}`
    )
    yield* same(
      () => client.analysis.compareTraced.query({ lapIds }),
      "analysis/compare",
      sending("POST", { lap_ids: lapIds })
    )
    const lapId = lapIds[0]!
    yield* same(() => client.analysis.sectors.query({ lapId }), `analysis/sectors/${lapId}`)
    yield* same(() => client.analysis.anomalies.query({ sessionId }), `analysis/anomalies/${sessionId}`)
    yield* same(() => client.analysis.predictions.query({ sessionId }), `analysis/predictions/${sessionId}`)
    yield* same(
      () => client.analysis.microSectors.query({ sessionId }),
      `analysis/micro-sectors/${sessionId}`
    )
    yield* same(() => client.analysis.consistency.query({ sessionId }), `analysis/consistency/${sessionId}`)
  })
)

it.scopedLive("mutations answer as REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const names = { circuit: "Spa", vehicle: "GT3", driver: "Ann", datetime: "2026-02-13T10:30:00+01:00" }
    const created = yield* Effect.promise(() => client.sessions.create.mutate(names))
    const posted = yield* running.json("/api/v1/sessions", sending("POST", names))
    expect(created).toEqual({ ...(posted.body as object), id: 1 })
    // The circuit stays known when these two are deleted.
    yield* storeSession(running, { circuit: "Spa" })

    const pinned = yield* Effect.promise(() => client.sessions.update.mutate({ sessionId: 1, pinned: true }))
    expect(pinned).toEqual({ ...created, pinned: true })
    expect((yield* running.json("/api/v1/sessions/1", sending("PUT", { pinned: true }))).body).toEqual(pinned)

    const deleted = yield* Effect.promise(() => client.sessions.delete.mutate({ sessionId: 1 }))
    const rest = yield* running.json("/api/v1/sessions/2", { method: "DELETE" })
    expect(deleted).toEqual(JSON.parse(JSON.stringify(rest.body).replaceAll("2", "1")))
    expect((yield* running.json("/api/v1/sessions/1")).status).toBe(404)

    const wanted: Wire<Configuration> = {
      connection: { host: "10.0.0.1", port: 9100, app_name: "pit wall" },
      telemetry_rate: 30,
      auto_export: false,
      export_format: "json",
      export_channels: "fuel",
      games: "none"
    }
    expect(yield* Effect.promise(() => client.configuration.put.mutate(wanted))).toEqual(wanted)
    expect((yield* running.json("/api/v1/config")).body).toEqual(wanted)

    const details = {
      display_name: "Spa-Francorchamps",
      corners: [{ number: 1, name: "La Source", direction: "right", distance: 280 }]
    } as const
    const updated = yield* Effect.promise(() =>
      client.configuration.putCircuit.mutate({ name: "spa", details })
    )
    expect(updated).toMatchObject({ name: "Spa", display_name: "Spa-Francorchamps", numbered_by: "edited" })
    expect((yield* running.json("/api/v1/config/circuits/Spa")).body).toEqual(updated)
  })
)

it.scopedLive("connections, and the status while they exist, answer as REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const request = feedAt(yield* feeding(twoLaps))
    expect(yield* Effect.promise(() => client.system.simulators.query())).toContainEqual({
      name: "native",
      ports: [9100],
      options: {}
    })
    const connected = yield* Effect.promise(() => client.connections.connect.mutate(request))
    const again = yield* running.json("/api/v1/connect", sending("POST", request))
    expect({ ...connected, session_id: 1 }).toEqual({ ...(again.body as object), session_id: 1 })

    const current = Effect.promise(() => client.system.status.query())
    const status = yield* Effect.repeat(current, {
      until: ({ connections, laps_count }) =>
        connections[0]!.points_stored === twoLaps.points && laps_count === 2
    })
    // Time passes between the two, and others use the disk.
    const passing = { uptime: 0, store: null }
    const { body } = yield* running.json("/api/v1/status")
    expect({ ...status, ...passing }).toEqual({ ...(body as object), ...passing })
    expect(Object.keys(status.store!)).toEqual(Object.keys((body as { readonly store: object }).store))
    expect(status.uptime).toBeGreaterThan(0)

    const disconnected = yield* Effect.promise(() =>
      client.connections.disconnect.mutate({ host: request.host, port: request.port })
    )
    expect(disconnected).toEqual({ connected: false, message: "Ended 1 connection" })
    const nothing = yield* running.json("/api/v1/disconnect", { method: "POST" })
    expect(yield* Effect.promise(() => client.connections.disconnect.mutate())).toEqual(nothing.body)
    yield* Effect.repeat(running.subscribers, { until: (count) => count === 0 })
  })
)

inside("an unhealthy store is an answer, as in REST's body", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        check: Effect.fail(new StoreUnavailable({ store: "points", cause: "gone" }))
      })
    })
    const health = yield* Effect.promise(() => clientOf(running).system.health.query())
    expect(health).toEqual((yield* running.json("/api/v1/health")).body)
    expect(health.status).toBe("unhealthy")
  })
)
