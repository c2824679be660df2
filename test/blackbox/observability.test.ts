/** Observability for operators: traces by OTLP, logs as JSON. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

/** Stands in for an OpenTelemetry collector; keeps received bodies by path. */
const collector = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly bodies: Map<string, string>; readonly close: () => void }>(
    (resume) => {
      const bodies = new Map<string, string>()
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (data: Buffer) => (body += data.toString()))
        request.on("end", () => {
          bodies.set(request.url!, (bodies.get(request.url!) ?? "") + body)
          response.end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            bodies,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

it.scopedLive.each([1, 2])(
  "a service of %s workers sends traces, metrics and logs to a configured endpoint, and logs JSON lines on standard error",
  (workers) =>
    Effect.gen(function* () {
      const { url, bodies } = yield* collector
      const flags = ["--otlp", url, "--workers", String(workers), "--log-level", "debug"]
      const service = yield* Box.startService(yield* Box.folder, ...flags)
      yield* Box.get(service, "/sessions/7")
      const lines = yield* Box.until(
        Effect.sync(() => service.errors().trim().split("\n")),
        (all) => all.some((line) => line.includes("/sessions/7"))
      )
      const logged = JSON.parse(lines.find((line) => line.includes("/sessions/7"))!) as object
      expect(logged).toMatchObject({ logLevel: "DEBUG", message: expect.stringContaining("404") })

      const simulator = yield* Box.startSimulator("--rate", "100")
      yield* Box.connect(service, simulator)
      yield* Box.stored(service, 1)
      // The rest is sent when the service stops.
      expect(yield* service.signal("SIGTERM")).toBe(0)
      expect(bodies.get("/v1/traces")).toContain("StoreWriter.store")
      expect(bodies.get("/v1/traces")).toContain("telemetry-session-service")
      expect(bodies.get("/v1/metrics")).toContain("telemetry_points_stored_total")
      expect(bodies.get("/v1/logs")).toContain("Connected to bundled-simulator")
    })
)

it.scopedLive("a service logs from the configured level, in every process", () =>
  Effect.gen(function* () {
    const quiet = yield* Box.startService(yield* Box.folder, "--workers", "2", "--log-level", "error")
    yield* Box.get(quiet, "/sessions/7")
    expect(quiet.errors()).toBe("")
  })
)

it.scopedLive("a service gives up a collector that takes requests and never answers", () =>
  Effect.gen(function* () {
    let open = 0
    let requests = 0
    const server = createServer((request, response) => {
      request.resume()
      requests++
      open++
      response.once("close", () => open--)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
      () => Effect.sync(() => (server.closeAllConnections(), server.close()))
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const service = yield* Box.startService(yield* Box.folder, "--otlp", url)
    yield* Box.until(
      Effect.map(Box.get(service, "/sessions/7"), () => requests),
      (requests) => requests > 0
    )
    yield* Box.until(
      Effect.sync(() => open),
      (requests) => requests === 0
    )
    expect(yield* service.signal("SIGTERM")).toBe(0)
  })
)
