import { expect, it } from "@effect/vitest"
import {
  Context,
  Deferred,
  Effect,
  ExecutionStrategy,
  Exit,
  Fiber,
  FiberId,
  Layer,
  Option,
  Scope,
  Stream,
  TestClock
} from "effect"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { Archive } from "../../src/archive/Archive.ts"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { POINTS, emptyDictionary, MAX_GROUPS } from "../../src/domain/Dictionary.ts"
import { WAIT_S } from "../../src/archive/PagesAhead.ts"
import type { ExportFormat } from "../../src/domain/Configuration.ts"
import { LapNotFound, SessionNotFound, TooManyAnswers } from "../../src/domain/errors.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { sessionFile } from "../../src/formats/files.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { everything } from "../contracts/rowStoreSupport.ts"
import { START, storeDrive } from "../api/stored.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { catalogIn } from "../contracts/catalogService.ts"

type RowStoreService = Context.Tag.Service<typeof RowStore>

const archived = Effect.fnUntraced(function* (
  wrap: (real: RowStoreService) => RowStoreService = (real) => real
) {
  const stores = yield* Layer.build(SqliteStore.layer(yield* temporaryFolder))
  const archive = yield* Archive.layer.pipe(
    Layer.provide(AnalysisWorkers.layer),
    Layer.provide(Layer.effect(RowStore, Effect.map(RowStore, wrap))),
    Layer.provide(Layer.succeedContext(stores)),
    Layer.build
  )
  return {
    archive: Context.get(archive, Archive),
    catalog: catalogIn(stores),
    points: Context.get(stores, RowStore)
  }
})

const timesOf = <E>(points: Stream.Stream<RowBatch, E>) =>
  Effect.map(Stream.runCollect(points), (batches) => [...batches].flatMap((batch) => [...batch.timestamps]))

it.scopedLive("consecutive laps share the instant between them, and no point", () =>
  Effect.gen(function* () {
    const stored = yield* archived()
    const { laps, points } = yield* storeDrive(stored, { count: 300, laps: 2, lapPoints: 100, before: 50 })
    const times = [...points.timestamps]
    const { stretches } = yield* stored.archive.session(laps[0]!.sessionId)
    for (const [index, lap] of laps.entries()) {
      const found = yield* stored.archive.lapPoints(lap.id)
      const expected = times.slice(50 + index * 100, 150 + index * 100)
      expect(found.total).toBe(100)
      expect(yield* timesOf(found.points)).toEqual(expected)
      const stretch = stretches.find((one) => one.lap?.id === lap.id)!
      expect(yield* timesOf(stretch.points)).toEqual(expected)
    }
    const all = Stream.flatMap(Stream.fromIterable(stretches), ({ points }) => points)
    expect(yield* timesOf(all)).toEqual(times)
  })
)

it.scopedLive("a session whose points begin at 0 or before has them in its range", () =>
  Effect.gen(function* () {
    const { archive, catalog, points } = yield* archived()
    const { id } = yield* catalog.createSession(
      { circuit: "a", vehicle: "b", driver: "c", datetime: START },
      { recording: false }
    )
    const batch = RowBatch.allocate(4, channels)
    batch.timestamps.set([-5, -5e-324, 0, 5e-324])
    yield* points.write([{ sessionId: id, group: POINTS, batch }])
    const range = (start: number | undefined, end: number | undefined) =>
      Effect.flatMap(archive.range({ sessionId: id, start, end }), (found) =>
        Effect.map(timesOf(found.points), (times) => ({ times, total: found.total }))
      )
    expect(yield* range(undefined, undefined)).toEqual({ times: [-5, -5e-324, 0, 5e-324], total: 4 })
    expect(yield* range(undefined, -0)).toEqual({ times: [-5, -5e-324, 0], total: 3 })
    expect(yield* range(0, undefined)).toEqual({ times: [0, 5e-324], total: 2 })
    expect(yield* range(-Number.MAX_VALUE, Number.MAX_VALUE)).toMatchObject({ total: 4 })
  })
)

it.scopedLive("a read fails at its end if the session is deleted meanwhile", () =>
  Effect.gen(function* () {
    const { archive, catalog, points } = yield* archived()
    const { laps, session } = yield* storeDrive({ catalog, points }, { count: 100 })
    const { points: ofLap } = yield* archive.lapPoints(laps[0]!.id, { sampleRate: 10 })
    const { stretches } = yield* archive.session(session.id)
    yield* archive.deleteSession(session.id)
    expect(yield* Effect.flip(Stream.runDrain(ofLap))).toBeInstanceOf(LapNotFound)
    expect(yield* Effect.flip(Stream.runDrain(stretches[0]!.points))).toBeInstanceOf(SessionNotFound)
  })
)

it.scopedLive("a deletion is completed though its client disconnects", () =>
  Effect.gen(function* () {
    const removing = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const stored = yield* archived((real) => ({
      ...real,
      remove: (id) =>
        Deferred.succeed(removing, undefined).pipe(
          Effect.zipRight(Deferred.await(go)),
          Effect.zipRight(real.remove(id))
        )
    }))
    const { session } = yield* storeDrive(stored, { count: 100 })
    const deleting = yield* Effect.fork(stored.archive.deleteSession(session.id))
    yield* Deferred.await(removing)
    deleting.unsafeInterruptAsFork(FiberId.none)
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.await(deleting)
    expect(yield* stored.points.count({ sessionId: session.id, group: POINTS, ...everything })).toBe(0)
  })
)

/** An answer whose client has taken the first piece. */
const begun = <A, E>(pieces: Stream.Stream<A, E>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const pull = yield* Scope.extend(Stream.toPull(pieces), scope)
    const first: Fiber.Fiber<unknown, Option.Option<E>> = yield* Effect.fork(pull)
    return { first, end: Scope.close(scope, Exit.void) }
  })

/** A session with the most groups: an answer with all of them holds 16 of the 64 MiB for pages. */
const wideSession = Effect.gen(function* () {
  const stored = yield* archived()
  const { laps } = yield* storeDrive(stored, { count: 300, laps: 1, lapPoints: 100, before: 50 })
  const { sessionId } = laps[0]!
  const groups = Array.from({ length: MAX_GROUPS }, (_, g) => ({
    name: `bench_${g}`,
    channels: Array.from({ length: 15 }, (__, c) => ({ name: `bench_${g}_${c}` }))
  }))
  const { dictionary } = emptyDictionary.withDeclared(allChannels).withGroups(groups)
  yield* stored.catalog.putDictionary(sessionId, dictionary)
  const rows = (channel: string) =>
    Effect.flatMap(
      stored.archive.range({
        sessionId,
        start: undefined,
        end: undefined,
        channels: [channel]
      }),
      ({ points }) => begun(points)
    )
  const file = (format: ExportFormat) =>
    sessionFile(sessionId, format, { channels: ["*"] }).pipe(
      Effect.flatMap(({ text }) => begun(text)),
      Effect.provideService(Archive, stored.archive),
      Effect.provideService(Sessions, stored.catalog)
    )
  return { file, rows }
})

it.scopedLive("answers with many groups wait for one another, and go on as others end", () =>
  Effect.gen(function* () {
    const { rows } = yield* wideSession
    const wide = yield* Effect.forEach(Array.from({ length: 5 }), () => rows("*"))
    for (const { first } of wide.slice(0, 4)) yield* Fiber.join(first)
    const narrow = yield* rows("bench_0_*")
    yield* Effect.yieldNow()
    const others = [wide[4]!.first, narrow.first]
    expect(yield* Effect.forEach(others, Fiber.poll)).toEqual([Option.none(), Option.none()])
    for (const [n, first] of others.entries()) {
      yield* wide[n]!.end
      yield* Fiber.join(first)
    }
  })
)

it.scoped("an answer with many groups that waits too long is refused before its first piece", () =>
  Effect.gen(function* () {
    const { file, rows } = yield* wideSession
    const wide = yield* Effect.forEach(["json", "csv", "json", "csv"] as const, file)
    for (const { first } of wide) yield* Fiber.join(first)
    const others = [yield* rows("*"), yield* file("json"), yield* file("csv")]
    // Runs until each of them waits.
    for (let n = 0; n < others.length; n++) yield* Effect.yieldNow()
    yield* TestClock.adjust(`${WAIT_S} seconds`)
    for (const { first } of others) {
      const refused = yield* Effect.flip(Fiber.join(first))
      expect(refused).toEqual(Option.some(new TooManyAnswers({ limit: 4 })))
    }
    yield* wide[0]!.end
    yield* Fiber.join((yield* file("json")).first)
  })
)
