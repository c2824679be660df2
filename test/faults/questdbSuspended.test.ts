/** A table of QuestDB that is suspended under a running service. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ownQuestdbHere, questdbServer } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"

interface Channel {
  readonly name: string
  readonly samples: number
  readonly rate: number
  readonly first: number
  readonly last: number
}

interface Health {
  readonly status: string
  readonly detail?: string
}

const gaugeOf = (service: Box.Running, table: string) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    return new RegExp(`^telemetry_questdb_table_suspended.*table="${table}".* (\\d)$`, "m").exec(text)?.[1]
  })

// Suspending a table takes development mode, which a server that the environment gave need not have.
describe("a suspended table of QuestDB", needing(ownQuestdbHere), () => {
  it.scopedLive("is reported with its reason, and resumed if its cause may have passed", () =>
    Effect.gen(function* () {
      const questdb = yield* questdbServer
      const points = `${questdb.address.prefix}points`
      const service = yield* Box.startService(yield* Box.folder, "--points", questdb.url)
      const health = Box.ask<Health>(service, "GET", "/health")
      const suspend = (how: string) => questdb.suspend(points, how)
      // A successful check holds for a tenth of a second, so a change of the table is reported after that.
      const answered = (expected: number) => Box.until(health, ({ status }) => status === expected)
      yield* answered(200)

      yield* suspend("")
      expect((yield* answered(503)).body).toMatchObject({
        status: "unhealthy",
        detail: `QuestDB's table ${points} is suspended: somebody did that, or it gives no cause`
      })
      expect(yield* gaugeOf(service, points)).toBe("1")
      yield* Effect.promise(() => questdb.sql(`ALTER TABLE ${points} RESUME WAL`))
      yield* answered(200)
      expect(yield* gaugeOf(service, points)).toBe("0")

      yield* suspend("WITH 'UNSUPPORTED FILE SYSTEM', 'a page is gone'")
      expect((yield* answered(503)).body.detail).toContain("a page is gone")
      yield* Effect.promise(() => questdb.sql(`ALTER TABLE ${points} RESUME WAL`))

      yield* answered(200)
      yield* suspend("WITH 'DISK FULL', 'no space left'")
      yield* Box.until(Effect.zipRight(health, Effect.sync(service.errors)), (errors) =>
        errors.includes("DISK FULL, no space left. Resuming it")
      )
      yield* answered(200)
      expect(yield* gaugeOf(service, points)).toBe("0")
    })
  )

  it.scopedLive("loses no points that arrive meanwhile", () =>
    Effect.gen(function* () {
      const questdb = yield* questdbServer
      const points = `${questdb.address.prefix}points`
      const service = yield* Box.startService(yield* Box.folder, "--points", questdb.url)
      const simulator = yield* Box.startSimulator("--rate", "1000")
      yield* Box.connect(service, simulator)
      yield* Box.stored(service, 500)
      yield* questdb.suspend(points)
      const before = (yield* Box.connectionOf(service))!.points_stored
      yield* Box.stored(service, before + 2000)
      // The points are kept, but not visible: a read fails rather than give too few.
      const range = "/telemetry/range?session_id=1&sample_rate=1"
      expect((yield* Box.ask(service, "GET", range)).status).toBe(503)
      yield* Effect.promise(() => questdb.sql(`ALTER TABLE ${points} RESUME WAL`))
      yield* Box.ask(service, "POST", "/disconnect")
      const { total_points } = yield* Box.until(
        Box.get<{ readonly total_points?: number }>(service, range),
        (answer) => answer.total_points !== undefined
      )
      expect(total_points).toBeGreaterThanOrEqual(before + 2000)
      // The service answers as soon as the points are safe; QuestDB may still be applying what had piled up.
      const count = Effect.promise(() => questdb.sql(`SELECT count() FROM ${points}`))
      const [[counted] = []] = yield* Box.until(count, ([[shown = 0] = []]) => Number(shown) >= total_points!)
      expect(counted).toBe(total_points)
    })
  )

  it.scopedLive("of a group keeps its samples until they are visible again, and delays nothing else", () =>
    Effect.gen(function* () {
      const questdb = yield* questdbServer
      const { prefix } = questdb.address
      const service = yield* Box.startService(yield* Box.folder, "--points", questdb.url)
      const simulator = yield* Box.startSimulator("--rate", "200")
      yield* Box.connect(service, simulator)
      yield* Box.stored(service, 500)
      yield* questdb.suspend(`${prefix}tyres`)
      const before = (yield* Box.connectionOf(service))!.points_stored
      yield* Box.stored(service, before + 500)
      const range = "/telemetry/range?session_id=1&sample_rate=1"
      const withTyres = `${range}&channels=tyre_temperature_fl`
      // Points may be stored before the samples of the same time are.
      yield* Box.until(Box.ask(service, "GET", withTyres), ({ status }) => status === 503)
      expect((yield* Box.ask(service, "GET", range)).status).toBe(200)

      yield* Effect.promise(() => questdb.sql(`ALTER TABLE ${prefix}tyres RESUME WAL`))
      yield* Box.ask(service, "POST", "/disconnect")
      yield* Box.until(Box.ask(service, "GET", withTyres), ({ status }) => status === 200)
      const channels = yield* Box.get<ReadonlyArray<Channel>>(service, "/1/channels")
      const samplesOf = (name: string) => channels.find((channel) => channel.name === name)!.samples
      for (const [table, name] of [
        ["points", "speed"],
        ["tyres", "tyre_temperature_fl"]
      ]) {
        // Samples that came while the table was suspended are moved there meanwhile.
        const counted = Effect.promise(() => questdb.sql(`SELECT count() FROM ${prefix}${table}`))
        yield* Box.until(counted, ([row]) => (row?.[0] as number) >= samplesOf(name!))
        expect(yield* counted).toEqual([[samplesOf(name!)]])
      }
      // As many seconds of tyres as of points, with none left out between them.
      const tyres = channels.find(({ name }) => name === "tyre_temperature_fl")!
      expect(tyres.samples).toBe(Math.round((tyres.last - tyres.first) * tyres.rate) + 1)
    })
  )
})
