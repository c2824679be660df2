/** A QuestDB that hangs: it keeps its connections, and answers nothing. It is treated as one that is away. */
import { expect, it, describe } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { ownQuestdbHere, startOwnQuestdb } from "../support/servers/questdb.ts"
import { longReplay } from "../blackbox/longReplay.ts"
import * as Box from "../support/processes.ts"
import { heldReplay } from "./heldReplay.ts"

interface Range {
  readonly total_points: number
}

const range = (service: Box.Running) =>
  Box.ask<Range>(service, "GET", "/telemetry/range?session_id=1&sample_rate=100000")

describe("a QuestDB that hangs", needing(recordingsHere, ownQuestdbHere), () => {
  it.scopedLive("counts as away: points wait on disk, reads are refused, and the service ends properly", () =>
    Effect.gen(function* () {
      const replay = longReplay(yield* Box.folder, 1)
      const { address, goOn } = yield* heldReplay(replay)
      const questdb = yield* startOwnQuestdb
      const data = yield* Box.folder
      // Longer than any machine takes: the test is about the end, not about its speed.
      const start = Box.startService(data, "--points", questdb.url, "--stop-within", "600")
      const service = yield* start
      const health = Box.ask<{ readonly detail?: string }>(service, "GET", "/health")
      yield* Box.connect(service, { address })
      yield* Box.until(Box.connectionOf(service), (now) => (now?.points_stored ?? 0) > 1000)
      yield* Box.until(range(service), ({ status }) => status === 200)

      yield* questdb.stop
      yield* goOn
      yield* Box.until(Box.connectionOf(service), (now) => now?.points_stored === replay.points)
      yield* Box.untilLogged(service, "The server of the points is away: they wait on disk")
      expect(yield* range(service)).toMatchObject({ status: 503 })
      expect(yield* health).toMatchObject({
        status: 503,
        body: { detail: expect.stringMatching(/^Degraded/) }
      })
      expect(yield* service.signal("SIGTERM")).toBe(0)

      // Started while it hangs, as while it is away.
      const next = yield* start
      expect(yield* range(next)).toMatchObject({ status: 503 })
      yield* questdb.goOn
      const { body } = yield* Box.until(range(next), ({ status }) => status === 200)
      expect(body.total_points).toBe(replay.points)
      expect(yield* next.signal("SIGTERM")).toBe(0)
    })
  )
})
