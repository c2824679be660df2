/** What calls fail with: the status and the sentence of REST's answer to the same request. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import type { TelemetryClient } from "../../../src/api/trpc/client.ts"
import { feedAt, feeding, silentPort, twoLaps } from "../feeds.ts"
import { inside, serviceInside } from "../inside.ts"
import { sending, service, type Service } from "../service.ts"
import { storeDrive, storeSession } from "../stored.ts"
import { closedPort } from "../../simulators/native/feedServer.ts"
import { clientOf, failure } from "./support.ts"

/** Asked over both interfaces; the status that both end with. */
const failing =
  (running: Service) =>
  (call: (client: TelemetryClient) => Promise<unknown>, path: string, init?: RequestInit) =>
    Effect.gen(function* () {
      const rest = yield* running.json(`/api/v1/${path}`, init)
      const error = yield* failure(() => call(clientOf(running)))
      const { detail } = rest.body as { readonly detail: string }
      expect([path, error.status, error.message]).toEqual([path, rest.status, detail])
      return error
    })

it.scopedLive("what is not there", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const fails = failing(running)
    const found = { code: "NOT_FOUND", status: 404 }
    const seven = { sessionId: 7 }
    for (const failed of [
      yield* fails((client) => client.sessions.get.query(seven), "sessions/7"),
      yield* fails(
        (client) => client.sessions.update.mutate({ ...seven, pinned: true }),
        "sessions/7",
        sending("PUT", { pinned: true })
      ),
      yield* fails((client) => client.sessions.delete.mutate(seven), "sessions/7", { method: "DELETE" }),
      yield* fails((client) => client.sessions.laps.query(seven), "7/laps"),
      yield* fails((client) => client.sessions.lap.query({ lapId: 7 }), "7"),
      yield* fails((client) => client.telemetry.lap.query({ lapId: 7 }), "7/telemetry"),
      yield* fails((client) => client.telemetry.range.query(seven), "telemetry/range?session_id=7"),
      yield* fails((client) => client.analysis.sectors.query({ lapId: 7 }), "analysis/sectors/7"),
      yield* fails((client) => client.analysis.anomalies.query(seven), "analysis/anomalies/7"),
      yield* fails((client) => client.analysis.predictions.query(seven), "analysis/predictions/7"),
      yield* fails((client) => client.analysis.microSectors.query(seven), "analysis/micro-sectors/7"),
      yield* fails((client) => client.analysis.consistency.query(seven), "analysis/consistency/7"),
      yield* fails(
        (client) => client.analysis.compare.query({ lapIds: [1, 2] }),
        "compare?lap_ids=1&lap_ids=2"
      ),
      yield* fails((client) => client.statistics.driver.query({ name: "No Body" }), "stats/driver/No%20Body"),
      yield* fails((client) => client.statistics.circuit.query({ name: "Nowhere" }), "stats/circuit/Nowhere"),
      yield* fails(
        (client) => client.configuration.circuit.query({ name: "Nowhere" }),
        "config/circuits/Nowhere"
      ),
      yield* fails(
        (client) =>
          client.configuration.putCircuit.mutate({ name: "Nowhere", details: { display_name: "N" } }),
        "config/circuits/Nowhere",
        sending("PUT", { display_name: "N" })
      )
    ]) {
      expect(failed).toMatchObject(found)
    }
  })
)

it.scopedLive("what does not go together", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const fails = failing(running)
    const { laps, session } = yield* storeDrive(running, { count: 100, laps: 2, lapPoints: 50 })
    const [one, two] = laps.map(({ id }) => id)
    const unfit = { code: "UNPROCESSABLE_CONTENT", status: 422 }
    for (const lapIds of [[one!], [one!, one!], Array.from({ length: 21 }, (_, i) => i + 1)]) {
      const query = lapIds.map((id) => `lap_ids=${id}`).join("&")
      const failed = yield* fails((client) => client.analysis.compare.query({ lapIds }), `compare?${query}`)
      expect(failed).toMatchObject(unfit)
    }
    expect(
      yield* fails(
        (client) => client.telemetry.range.query({ sessionId: session.id, startTime: 2, endTime: 1 }),
        `telemetry/range?session_id=${session.id}&start_time=2&end_time=1`
      )
    ).toMatchObject(unfit)
    const elsewhere = yield* storeSession(running, { circuit: "Spa" })
    const [other] = yield* running.catalog.addLaps([{ ...laps[0]!, sessionId: elsewhere.id }])
    expect(
      yield* fails(
        (client) => client.analysis.compareTraced.query({ lapIds: [two!, other!.id] }),
        "analysis/compare",
        sending("POST", { lap_ids: [two, other!.id] })
      )
    ).toMatchObject(unfit)
  })
)

inside("connecting", () =>
  Effect.gen(function* () {
    // On a busy machine also who answers at once may take seconds.
    const running = yield* serviceInside({ connectTimeout: "10 minutes" })
    const hasty = yield* serviceInside({ connectTimeout: "200 millis" })
    const fails = failing(running)
    const connecting = (
      more: { readonly port: number; readonly simulator?: string; readonly session_id?: number },
      asked = fails
    ) => {
      const request = { ...feedAt(more.port), ...more }
      return asked(
        (client) => client.connections.connect.mutate(request),
        "connect",
        sending("POST", request)
      )
    }
    const refused = yield* connecting({ port: yield* closedPort })
    expect(refused).toMatchObject({ code: "BAD_GATEWAY", status: 502 })
    const stranger = yield* connecting({ port: running.port })
    expect(stranger).toMatchObject({ code: "BAD_GATEWAY", status: 502 })
    const silent = yield* connecting({ port: yield* silentPort }, failing(hasty))
    expect(silent).toMatchObject({ code: "GATEWAY_TIMEOUT", status: 504 })
    const unknown = yield* connecting({ port: 1, simulator: "doom" })
    expect(unknown).toMatchObject({ code: "UNPROCESSABLE_CONTENT", status: 422 })

    const port = yield* feeding(twoLaps)
    const client = clientOf(running)
    const { id } = yield* storeSession(running)
    const request = { ...feedAt(port), app_name: "first", session_id: id }
    yield* Effect.promise(() => client.connections.connect.mutate(request))
    const taken = yield* connecting({ port })
    expect(taken).toMatchObject({ code: "CONFLICT", status: 409 })
    const recorded = yield* connecting({ port: yield* feeding(twoLaps), session_id: id })
    expect(recorded).toMatchObject({ code: "CONFLICT", status: 409 })
    const deleting = yield* fails(
      (client) => client.sessions.delete.mutate({ sessionId: id }),
      `sessions/${id}`,
      { method: "DELETE" }
    )
    expect(deleting).toMatchObject({ code: "CONFLICT", status: 409 })
    yield* Effect.promise(() => client.connections.disconnect.mutate())
  })
)

it.scopedLive("a connect that a disconnect overtakes", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const port = yield* silentPort
    const connecting = yield* Effect.fork(failure(() => client.connections.connect.mutate(feedAt(port))))
    let ended = ""
    while (ended !== "Ended 1 connection") {
      ended = (yield* Effect.promise(() => client.connections.disconnect.mutate())).message
    }
    expect(yield* connecting).toMatchObject({
      message: `The connection to 127.0.0.1:${port} was ended before it was established`,
      code: "CONFLICT",
      status: 409
    })
  })
)

/** Each with an input that fits. */
const everyCall: ReadonlyArray<readonly [name: string, (client: TelemetryClient) => Promise<unknown>]> = [
  ["system.status", (client) => client.system.status.query()],
  [
    "connections.connect",
    (client) => client.connections.connect.mutate({ host: "a", port: 1, app_name: "a" })
  ],
  ["sessions.list", (client) => client.sessions.list.query()],
  ["sessions.get", (client) => client.sessions.get.query({ sessionId: 1 })],
  ["sessions.create", (client) => client.sessions.create.mutate({ circuit: "a", vehicle: "b", driver: "c" })],
  ["sessions.update", (client) => client.sessions.update.mutate({ sessionId: 1, pinned: true })],
  ["sessions.delete", (client) => client.sessions.delete.mutate({ sessionId: 1 })],
  ["sessions.lap", (client) => client.sessions.lap.query({ lapId: 1 })],
  ["sessions.laps", (client) => client.sessions.laps.query({ sessionId: 1 })],
  ["telemetry.lap", (client) => client.telemetry.lap.query({ lapId: 1 })],
  ["telemetry.range", (client) => client.telemetry.range.query({ sessionId: 1 })],
  ["analysis.compare", (client) => client.analysis.compare.query({ lapIds: [1, 2] })],
  ["analysis.compareTraced", (client) => client.analysis.compareTraced.query({ lapIds: [1, 2] })],
  ["analysis.sectors", (client) => client.analysis.sectors.query({ lapId: 1 })],
  ["analysis.anomalies", (client) => client.analysis.anomalies.query({ sessionId: 1 })],
  ["analysis.predictions", (client) => client.analysis.predictions.query({ sessionId: 1 })],
  ["analysis.microSectors", (client) => client.analysis.microSectors.query({ sessionId: 1 })],
  ["analysis.consistency", (client) => client.analysis.consistency.query({ sessionId: 1 })],
  ["statistics.bestLaps", (client) => client.statistics.bestLaps.query()],
  ["statistics.driver", (client) => client.statistics.driver.query({ name: "a" })],
  ["statistics.circuit", (client) => client.statistics.circuit.query({ name: "a" })],
  ["configuration.get", (client) => client.configuration.get.query()],
  ["configuration.circuits", (client) => client.configuration.circuits.query()],
  ["configuration.circuit", (client) => client.configuration.circuit.query({ name: "a" })],
  ["configuration.vehicles", (client) => client.configuration.vehicles.query()]
]

inside("a store that is away", () =>
  Effect.gen(function* () {
    const gone = new StoreUnavailable({ store: "catalog", cause: new Error("the disk is gone") })
    const client = clientOf(yield* serviceInside({ catalog: (real) => everythingIs(real, gone) }))
    for (const [name, call] of everyCall) {
      const { code, message, status } = yield* failure(() => call(client))
      expect([name, code, status, message]).toEqual([
        name,
        "SERVICE_UNAVAILABLE",
        503,
        "The catalog store cannot be reached; try again soon"
      ])
    }
  })
)

inside("a defect is Internal error to the client, and the whole story in the log", () =>
  Effect.gen(function* () {
    const defect = Effect.dieMessage("a secret of the inside")
    const running = yield* serviceInside({ catalog: (real) => everythingIs(real, defect) })
    const client = clientOf(running)
    for (const [name, call] of everyCall) {
      const before = running.logged.length
      const { code, data, message, status } = yield* failure(() => call(client))
      expect([name, code, status, message]).toEqual([name, "INTERNAL_SERVER_ERROR", 500, "Internal error"])
      expect(data).toEqual({ code, httpStatus: 500, path: name })
      const lines = running.logged.slice(before).filter(({ level }) => level === "ERROR")
      expect([name, lines.length]).toEqual([name, 1])
      expect(lines[0]!.text).toContain("a secret of the inside")
      expect(lines[0]!.request).toMatch(/^[\da-f-]{36}$/)
    }
  })
)

/** A catalog of which everything that is asked ends alike. */
const everythingIs = <C extends object>(real: C, end: Effect.Effect<never, StoreUnavailable>): C =>
  Object.fromEntries(
    Object.entries(real).map(([name, member]) => [name, typeof member === "function" ? () => end : end])
  ) as C
