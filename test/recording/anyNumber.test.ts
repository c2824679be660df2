/**
 * Whatever numbers a feed sends, in any field, the service refuses impossible ones, stores the rest, and stores the feed that
 * comes afterwards. From the messages of a native feed to a real store.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Option, Schema } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { Lap } from "../../src/domain/Lap.ts"
import { LivePublisher } from "../../src/live/hub/LivePublisher.ts"
import { Intake } from "../../src/recording/intake/Intake.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import * as StoreWriter from "../../src/recording/intake/StoreWriter.ts"
import { NativeDecoder } from "../../src/simulators/drivers/native/NativeDecoder.ts"
import { Circuits } from "../../src/store/Circuits.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { decodeTogether, packed, packedGroup, session } from "../simulators/native/messages.ts"
import { inTemporaryFolder } from "../store/sqlite/folder.ts"
import { recorderOf } from "./recording.ts"
import { catalogService, type CatalogTags } from "../contracts/catalogService.ts"

/** Epoch seconds. */
const START = 1_750_000_000
const LAP_S = 20
const RADIUS_M = 100
const HZ = 2
const COUNT = 3 * LAP_S * HZ

/** Three laps of a circle, across the line at its eastern end: a point as `channels` has it, and its lap. */
const driven = (i: number) => {
  const angle = (2 * Math.PI * (i + 0.5)) / (LAP_S * HZ)
  const speed = ((2 * Math.PI * RADIUS_M) / LAP_S) * 3.6
  const [x, y] = [RADIUS_M * Math.cos(angle), RADIUS_M * Math.sin(angle)]
  return [i / HZ, speed, 5000, 3, 1, 0, 0.2, x, y, 0]
}

const groups = [
  {
    name: "motion",
    channels: [{ name: "g_lateral" }, { name: "velocity_forward" }, { name: "yaw" }]
  },
  { name: "own", channels: [{ name: "own_bits", unit: "", kind: "step" }] }
]

interface Messages {
  readonly session: Record<string, unknown>
  readonly rows: ReadonlyArray<ReadonlyArray<number>>
  readonly samples: ReadonlyArray<ReadonlyArray<number>>
  readonly lapNumbers: ReadonlyArray<readonly [number: number, distance: number]>
  readonly first: Record<string, number>
  readonly lap: Record<string, number>
}

const sound = (): Messages => ({
  session: {
    start_time: START,
    circuit_length: 2 * Math.PI * RADIUS_M,
    start_line: { x1: 50, y1: 0, x2: 150, y2: 0 },
    groups
  },
  rows: Array.from({ length: COUNT }, (_, i) => driven(i)),
  samples: Array.from({ length: COUNT }, (_, i) => [i / HZ, 1, 30, 180]),
  lapNumbers: Array.from({ length: 4 }, (_, i) => [4, i * 15] as const),
  first: { lap_number: 1, lap_time: LAP_S, start_time: 0, end_time: LAP_S },
  lap: {
    lap_number: 3,
    lap_time: LAP_S,
    sector1_time: 6,
    sector2_time: 7,
    sector3_time: 7,
    start_time: COUNT / HZ - LAP_S,
    end_time: COUNT / HZ
  }
})

/** Replaces the number at this index, counted through all messages. */
const withNumber = (messages: Messages, place: number, number: number): Messages => {
  let at = 0
  const replaced = (value: unknown): unknown => {
    if (typeof value === "number") return at++ === place ? number : value
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]))
  }
  return replaced(messages) as Messages
}

const columns = (rows: ReadonlyArray<ReadonlyArray<number>>) =>
  rows[0]!.map((_, c) => rows.map((row) => row[c]!))

const asText = (row: ReadonlyArray<number>) =>
  Object.fromEntries(channels.map((channel, c) => [channel, row[c]!]))

/** Messages as a feed sends them: points as text and packed, samples, lap numbers and distances, and a lap. */
const written = ({ first, lap, lapNumbers, rows, samples, session: facts }: Messages) => {
  const half = rows.length / 2
  return [
    session(facts),
    JSON.stringify({ type: "points", points: rows.slice(0, half).map(asText) }),
    packedGroup(1, columns(samples)),
    JSON.stringify({
      type: "points",
      group: "own",
      points: samples.map(([timestamp]) => ({ timestamp, own_bits: 7 }))
    }),
    packed(columns(rows.slice(half))),
    // The first lap has no sectors: the service cuts them, and keeps its lines for others.
    JSON.stringify({ type: "lap", ...first, valid: true }),
    JSON.stringify({ type: "lap", ...lap, valid: true }),
    JSON.stringify({
      type: "points",
      points: lapNumbers.map(([lap_number, lap_distance], i) => ({
        ...asText(driven(COUNT + i)),
        lap_number,
        lap_distance
      }))
    })
  ]
}

const live = Layer.succeed(LivePublisher, {
  publish: () => undefined,
  declare: () => undefined,
  announce: () => undefined
})

const layer = StoreWriter.layer.pipe(
  Layer.provide(Layer.succeed(SessionEndings, { ended: () => Effect.void })),
  Layer.provideMerge(Intake.layer()),
  Layer.provideMerge(Layer.merge(inTemporaryFolder(SqliteStore.layer), live))
)

const isFiniteLap = (lap: Lap) =>
  [lap.lapTime, lap.sector1Time, lap.sector2Time, lap.sector3Time].every(
    (time) => time === null || (Number.isFinite(time) && time > 0)
  ) && Schema.is(Lap)(lap)

/** Records a feed with these messages, then a sound one over the same link. */
const recorded = (messages: Messages) =>
  Effect.gen(function* () {
    const catalog = yield* catalogService
    const points = yield* RowStore
    const before = new Set(yield* catalog.sessionIds)
    const decoder = new NativeDecoder()
    const recorder = yield* recorderOf()
    yield* recorder.record(decodeTogether(decoder, written(messages)))
    yield* recorder.record(decodeTogether(decoder, written(sound()).slice(0, -1)))
    yield* recorder.record(decodeTogether(decoder, [JSON.stringify({ type: "session_end" })]))
    yield* recorder.close
    const { counters } = recorder
    const { points: counted, samples } = counters
    expect(counted.dead + samples.dead).toBe(0)
    expect(counted.received).toBe(counted.stored + counted.dropped + counted.rejectedTotal)
    const ids = (yield* catalog.sessionIds).filter((id) => !before.has(id))
    const last = Math.max(...ids)
    // The sound feed begins another session, unless the number kept the first from beginning.
    expect(ids.length).toBeGreaterThanOrEqual(1)
    expect(yield* points.count({ sessionId: last, group: POINTS, from: -Infinity, until: Infinity })).toBe(
      COUNT
    )
    for (const id of ids) {
      const session = yield* catalog.session(id)
      expect(Number.isFinite(session.duration)).toBe(true)
      expect(yield* catalog.dictionary(id)).toBeDefined()
      for (const lap of yield* catalog.laps(id)) expect([lap, isFiniteLap(lap)]).toEqual([lap, true])
      expect(Option.isSome(yield* points.bounds({ sessionId: id, group: POINTS }))).toBe(true)
    }
    // Other sessions read these lines.
    yield* catalog.sectorLines("Spa")
    return { rejected: Object.fromEntries(counted.rejected), notFinite: counters.notFinite, last }
  }).pipe(Effect.scoped)

const extremes = [
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  1.7e308,
  -1.7e308,
  1e154,
  5e-324,
  -5e-324,
  -0,
  0,
  2 ** 53,
  1e7,
  -1
]
const numbers = fc.oneof(fc.constantFrom(...extremes), fc.double({ noNaN: true, noDefaultInfinity: true }))

describe("numbers of a feed", () => {
  it.scopedLive("that are sound are all stored", () =>
    Effect.gen(function* () {
      const { last, rejected } = yield* recorded(sound())
      expect(rejected).toEqual({})
      const laps = yield* (yield* Laps).laps(last)
      expect(laps.filter((lap) => lap.valid).length).toBeGreaterThanOrEqual(2)
      expect((yield* (yield* Circuits).sectorLines("Spa")).length).toBeGreaterThan(0)
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("of ±1.7e308 as positions and speeds are refused, and no others", () =>
    Effect.gen(function* () {
      const far = sound()
      // They made a lap's sector lines infinite, which the catalog refused.
      const large = [
        { speed: 1.7e308, x: 1.7e308, y: -8e307 },
        { speed: 0, x: -1.7e308, y: -8e307 },
        { speed: -1.7e308, x: 1e300, y: 0 },
        { speed: 1.7e308, x: 0, y: -8e307 }
      ]
      const rows = far.rows.map((row, i) => {
        const { speed, x, y } = large[i % large.length]!
        return row.with(1, speed).with(7, x).with(8, y)
      })
      const lapOf = { lap_number: 1, lap_time: 19.5, start_time: 0, end_time: 19.5 }
      const { rejected } = yield* recorded({
        ...far,
        session: { start_time: START, groups },
        rows,
        first: lapOf,
        lap: { ...lapOf, start_time: 19.5, end_time: 39 }
      })
      expect(rejected).toEqual({ implausible_value: COUNT })
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("that put the clock's zero before 1970 leave no session without points", () =>
    Effect.gen(function* () {
      const { rejected } = yield* recorded(withNumber(sound(), 0, -61.5))
      expect(rejected).toEqual({})
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("do no harm, whatever they are, in any field of any message", () =>
    Effect.gen(function* () {
      let count = 0
      JSON.stringify(sound(), (_, value: unknown) => (typeof value === "number" ? count++ : value))
      const runtime = yield* Effect.runtime<CatalogTags | RowStore | Intake | LivePublisher>()
      // A few numbers at a time. The fields of rare messages come first, and are a small part of all.
      const place = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: count - 1 }))
      const changes = fc.array(fc.tuple(place, numbers), { minLength: 1, maxLength: 4 })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(changes, async (all) => {
            const messages = all.reduce((before, [at, number]) => withNumber(before, at, number), sound())
            await Effect.runPromise(Effect.provide(recorded(messages), runtime))
          }),
          { numRuns: 60 }
        )
      )
    }).pipe(Effect.provide(layer))
  )
})
