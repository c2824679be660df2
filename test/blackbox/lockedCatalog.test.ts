/** A catalog on a server that does not answer: every request that needs it still gets an answer. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { clientOf, postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import * as Box from "../support/processes.ts"

describe("while another program locks the catalog's tables", needing(postgresHere), () => {
  it.scopedLive("health and reads are 503, and well again afterwards", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const service = yield* Box.startService(yield* Box.folder, "--catalog", url)
      const simulator = yield* Box.startSimulator("--rate", "60")
      yield* Box.connect(service, simulator)
      yield* Box.until(Box.connectionOf(service), (one) => (one?.points_stored ?? 0) > 60)
      const client = yield* clientOf(url)
      const query = (text: string) => Effect.promise(() => client.query(text))
      yield* query("BEGIN")
      yield* query("LOCK TABLE sessions, laps IN ACCESS EXCLUSIVE MODE")
      const paths = ["/health", "/sessions", "/1/laps"]
      const answers = yield* Effect.forEach(
        paths,
        (path) => Box.ask<{ readonly detail: string }>(service, "GET", path),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ body, status }) => [status, typeof body.detail])).toEqual(
        paths.map(() => [503, "string"])
      )
      yield* query("COMMIT")
      yield* Box.until(Box.ask(service, "GET", "/health"), ({ status }) => status === 200)
      // The simulator drives on.
      const { points_received: received } = (yield* Box.connectionOf(service))!
      const connection = yield* Box.until(
        Box.connectionOf(service),
        (one) => (one?.points_stored ?? 0) >= received
      )
      expect(connection).toMatchObject({ points_dropped: 0, points_rejected: 0 })
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )
})
