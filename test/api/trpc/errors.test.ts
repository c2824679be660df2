/** A call fails with the status and the sentence of REST's answer to the same request. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import type { TelemetryClient } from "../../../src/api/trpc/client.ts"
import { failingCatalog, inside, serviceInside } from "../../support/inside.ts"
import { sending, service, type Service } from "../../support/service.ts"
import { storeDrive, storeSession } from "../stored.ts"
import { clientOf, failure } from "./support.ts"

/** Calls over tRPC and over REST, which must fail with one status and one sentence; the error of tRPC. */
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

it.scopedLive("a call with an unknown id or an invalid input ends as over REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const fails = failing(running)
    const seven = { sessionId: 7 }
    for (const [code, call, path, init] of [
      ["NOT_FOUND", (client) => client.sessions.get.query(seven), "sessions/7"],
      ["NOT_FOUND", (client) => client.sessions.delete.mutate(seven), "sessions/7", { method: "DELETE" }],
      ["NOT_FOUND", (client) => client.telemetry.lap.query({ lapId: 7 }), "7/telemetry"],
      ["NOT_FOUND", (client) => client.analysis.consistency.query(seven), "analysis/consistency/7"],
      [
        "NOT_FOUND",
        (client) => client.statistics.driver.query({ name: "No Body" }),
        "stats/driver/No%20Body"
      ],
      [
        "UNPROCESSABLE_CONTENT",
        (client) => client.analysis.compare.query({ lapIds: [1, 1] }),
        "compare?lap_ids=1&lap_ids=1"
      ]
    ] as ReadonlyArray<
      readonly [string, (client: TelemetryClient) => Promise<unknown>, string, RequestInit?]
    >) {
      expect([path, (yield* fails(call, path, init)).code]).toEqual([path, code])
    }
  })
)

it.scopedLive("a comparison of laps of different circuits fails as over REST", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeDrive(running, { count: 50 })
    const elsewhere = yield* storeSession(running, { circuit: "Spa" })
    const [other] = yield* running.catalog.addLaps([{ ...laps[0]!, sessionId: elsewhere.id }])
    const lapIds = [laps[0]!.id, other!.id]
    const refused = yield* failing(running)(
      (client) => client.analysis.compareTraced.query({ lapIds }),
      "analysis/compare",
      sending("POST", { lap_ids: lapIds })
    )
    expect(refused).toMatchObject({ code: "UNPROCESSABLE_CONTENT", status: 422 })
  })
)

/** A query, a mutation, a stream, an analysis: each is answered in a way of its own. */
const everyKind: ReadonlyArray<readonly [name: string, (client: TelemetryClient) => Promise<unknown>]> = [
  ["system.status", (client) => client.system.status.query()],
  ["sessions.create", (client) => client.sessions.create.mutate({ circuit: "a", vehicle: "b", driver: "c" })],
  ["telemetry.range", (client) => client.telemetry.range.query({ sessionId: 1 })],
  ["analysis.compareTraced", (client) => client.analysis.compareTraced.query({ lapIds: [1, 2] })]
]

inside("a store that is away is SERVICE_UNAVAILABLE", () =>
  Effect.gen(function* () {
    const gone = new StoreUnavailable({ store: "catalog", cause: new Error("the disk is gone") })
    const client = clientOf(yield* serviceInside({ catalog: failingCatalog(gone) }))
    for (const [name, call] of everyKind) {
      const { code, status } = yield* failure(() => call(client))
      expect([name, code, status]).toEqual([name, "SERVICE_UNAVAILABLE", 503])
    }
  })
)

inside("a defect is Internal error to the client, and the log has its cause", () =>
  Effect.gen(function* () {
    const catalog = failingCatalog(Effect.dieMessage("a secret of the inside"))
    const running = yield* serviceInside({ catalog })
    const client = clientOf(running)
    for (const [name, call] of everyKind) {
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
