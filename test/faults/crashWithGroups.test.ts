/** kill -9 of a service that records groups into QuestDB: acknowledged rows of each group are stored, without a hole. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"

interface Listed {
  readonly group: string
  readonly samples: number | null
  readonly rate: number | null
}

interface Samples {
  readonly points: ReadonlyArray<{ readonly timestamp: number }>
  readonly total_points: number
}

/** Three groups of the bundled simulator: one sent often, one now and then, and one once a second. */
const watched = ["motion", "tyres", "weather"]

/** The number of rows of each group, from the list of the session's channels. */
const rowsOf = (service: Box.Running) =>
  Effect.map(
    Box.get<ReadonlyArray<Listed>>(service, "/1/channels"),
    (listed) => new Map(listed.flatMap(({ group, samples }) => (samples === null ? [] : [[group, samples]])))
  )

const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0)

describe("a service that is killed while it records groups into QuestDB", needing(questdbHere), () => {
  it.scopedLive("has the acknowledged rows of each group, without a hole, and records the next session", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const data = yield* Box.folder
      const simulator = yield* Box.startSimulator("--rate", "200")
      const first = yield* Box.startService(data, "--points", questdb.url)
      yield* Box.connect(first, simulator)
      const acknowledged = yield* Box.until(
        Box.connectionOf(first),
        (connection) => (connection?.samples_stored ?? 0) >= 500
      )
      yield* first.signal("SIGKILL")

      const second = yield* Box.startService(data, "--points", questdb.url)
      const rows = yield* rowsOf(second)
      rows.delete("points")
      expect(sum(rows.values())).toBeGreaterThanOrEqual(acknowledged!.samples_stored)
      for (const group of watched) {
        const { points, total_points } = yield* Box.get<Samples>(
          second,
          `/telemetry/range?session_id=1&sample_rate=1&group=${group}`
        )
        expect([group, total_points, points.length]).toEqual([group, rows.get(group), rows.get(group)])
        const [[stored] = []] = yield* Effect.promise(() =>
          questdb.sql(`SELECT count() FROM ${questdb.address.prefix}${group}`)
        )
        expect([group, stored]).toEqual([group, points.length])
        // The simulator sends a group at even intervals.
        const steps = points.slice(1).map(({ timestamp }, i) => timestamp - points[i]!.timestamp)
        expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(1e-5)
      }

      yield* Box.connect(second, simulator)
      yield* Box.until(Box.connectionOf(second), (connection) => (connection?.samples_stored ?? 0) >= 500)
      expect(yield* second.signal("SIGTERM")).toBe(0)
    })
  )
})
