/**
 * The sums of every catalog, against a plain computation over its sessions and laps. `open` gives openings
 * of one and the same empty catalog; `runs`: random catalogs.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer, type Scope } from "effect"
import type { NewLap, RecordedLap } from "../../src/domain/Lap.ts"
import { noLapMark, noSessionMark } from "../../src/domain/Mark.ts"
import type { SessionNames, SessionNamesWanted } from "../../src/domain/Session.ts"
import type { NodesOpening } from "./nodesContract.ts"
import { catalogIn, type CatalogService } from "./catalogService.ts"

const EPOCH = 1_770_000_000

interface Kept {
  readonly id: number
  circuit: string
  vehicle: string
  driver: string
  readonly datetime: number
  laps: ReadonlyArray<RecordedLap>
  distance: number | null
  /** What the simulator reports, and what a user says instead. */
  reported: SessionNames
  given: Partial<SessionNames>
  /** What a user says of a lap's validity, by its id. */
  readonly validity: Map<number, boolean | null>
}

/** The names that count. */
const nameAgain = (kept: Kept) => Object.assign(kept, kept.reported, kept.given)

// ---- the reference: arrays, without code of the service

const SECTORS = ["sector1Time", "sector2Time", "sector3Time"] as const

const isTime = (time: number | null): time is number => time !== null && time > 0 && time <= 86_400

const matches = (kept: Kept, names: SessionNamesWanted) =>
  (["circuit", "vehicle", "driver"] as const).every(
    (name) => names[name] === undefined || names[name].toLowerCase() === kept[name].toLowerCase()
  )

/** The drives in a session: of its own driver, and of other drivers of its laps. */
interface Drive extends Kept {
  readonly isOwn: boolean
}

const drivesOf = (kept: Kept): ReadonlyArray<Drive> => {
  const by = (lap: RecordedLap) => lap.driver ?? kept.driver
  const others = new Set(kept.laps.map(by).filter((driver) => driver !== kept.driver))
  const drivenBy = (driver: string) => kept.laps.filter((lap) => by(lap) === driver)
  return [
    { ...kept, isOwn: true, laps: drivenBy(kept.driver) },
    ...[...others].map((driver) => ({
      ...kept,
      isOwn: false,
      driver,
      laps: drivenBy(driver),
      distance: null
    }))
  ]
}

const newest = (sessions: ReadonlyArray<Kept>) =>
  sessions.toSorted((a, b) => a.datetime - b.datetime || a.id - b.id).at(-1)

const smallest = (values: ReadonlyArray<number>) => (values.length === 0 ? null : Math.min(...values))

/** For one driver, each drive counts as a session. */
const totalsOf = (drives: ReadonlyArray<Drive>, ofDriver = false) => {
  const laps = drives.flatMap((drive) => drive.laps)
  const times = laps.flatMap((lap) => (lap.valid && isTime(lap.lapTime) ? [lap.lapTime] : []))
  return {
    sessions: drives.filter(({ isOwn }) => ofDriver || isOwn).length,
    laps: laps.filter((lap) => lap.withdrawn !== true).length,
    timedLaps: times.length,
    seconds: times.reduce((sum, time) => sum + time, 0),
    bestLapTime: smallest(times),
    metres: drives.reduce((sum, { distance }) => sum + (distance ?? 0), 0)
  }
}

const bestOf = (drives: ReadonlyArray<Drive>, limit: number) =>
  drives
    .flatMap(({ circuit, driver, laps, vehicle }) =>
      laps
        .filter((lap) => lap.valid && isTime(lap.lapTime))
        .map((lap) => ({ ...lap, circuit, vehicle, driver }))
    )
    .toSorted((a, b) => a.lapTime! - b.lapTime! || a.startTime - b.startTime || a.id - b.id)
    .slice(0, limit)

/** Sums of doubles differ in their last digits by their order; answers are given to the microsecond and the millimetre. */
const closely = <T extends { readonly seconds: number; readonly metres: number }>(totals: T) => ({
  ...totals,
  seconds: expect.closeTo(totals.seconds, 7) as unknown,
  metres: expect.closeTo(totals.metres, 4) as unknown
})

const distinct = (values: ReadonlyArray<string>) => [...new Set(values)].sort()

const expectSame = Effect.fn(function* (catalog: CatalogService, all: ReadonlyArray<Kept>) {
  const drives = all.flatMap(drivesOf)
  expect(yield* catalog.counts).toEqual({
    sessions: all.length,
    laps: totalsOf(drives).laps
  })
  expect(yield* catalog.circuits).toEqual(distinct(all.map(({ circuit }) => circuit)))
  expect(yield* catalog.vehicles).toEqual(distinct(all.map(({ vehicle }) => vehicle)))

  const [circuits, vehicles, drivers] = [
    [undefined, "spa", "MONZA"],
    [undefined, "gt3"],
    [undefined, "åsa", "Ben", "cleo"]
  ]
  for (const circuit of circuits) {
    for (const vehicle of vehicles) {
      for (const driver of drivers) {
        const names = { circuit, vehicle, driver }
        const found = drives.filter((drive) => matches(drive, names))
        const sessions = found.filter(({ isOwn }) => isOwn)
        for (const limit of [1, 3, 1000]) {
          expect([names, yield* catalog.bestLaps(names, limit)]).toMatchObject([names, bestOf(found, limit)])
        }
        expect((yield* catalog.sessions({ ...names, limit: 1, offset: 0 })).total).toBe(sessions.length)
        const keys = distinct(found.map((kept) => kept.circuit.toLowerCase()))
        const byCircuit = keys.map((key) => {
          const here = (kept: Kept) => kept.circuit.toLowerCase() === key
          const totals = totalsOf(found.filter(here), driver !== undefined)
          return { circuit: newest(all.filter(here))!.circuit, totals: closely(totals) }
        })
        expect([names, yield* catalog.totalsByCircuit(names)]).toEqual([
          names,
          byCircuit.toSorted((a, b) => (a.circuit < b.circuit ? -1 : 1))
        ])
        expect(yield* catalog.notMeasured(names)).toEqual(
          sessions
            .filter(({ distance }) => distance === null)
            .map(({ circuit, id }) => ({ sessionId: id, circuit }))
        )
      }
    }
  }
  for (const driver of ["ÅSA", "ben", "CLEO", "Nobody"]) {
    const found = drives.filter((drive) => matches(drive, { driver }))
    const own = newest(found.filter(({ isOwn }) => isOwn))?.driver
    // A driver without a session is named as in one of the laps.
    expect(yield* catalog.driverName(driver)).toBe(own ?? found.map((drive) => drive.driver).sort()[0])
  }
  for (const circuit of ["SPA", "monza", "nowhere"]) {
    const found = drives.filter((drive) => matches(drive, { circuit }))
    const timed = found.flatMap(({ laps }) =>
      laps.filter((lap) => lap.valid && SECTORS.some((which) => isTime(lap[which])))
    )
    const declared = timed.filter((lap) => lap.sectorSource !== "derived")
    const sector = (which: (typeof SECTORS)[number]) =>
      smallest((declared.length > 0 ? declared : timed).map((lap) => lap[which]).filter(isTime))
    expect(yield* catalog.circuitTotals(circuit)).toEqual(
      found.length === 0
        ? undefined
        : {
            ...closely(totalsOf(found)),
            circuit: newest(all.filter((kept) => matches(kept, { circuit })))!.circuit,
            bestSectors: SECTORS.map(sector),
            sectorSource: declared.length > 0 ? "simulator" : "derived",
            drivers: distinct(found.map(({ driver }) => driver)),
            vehicles: distinct(found.map(({ vehicle }) => vehicle))
          }
    )
  }
})

// ---- operations on a catalog

const time = fc.oneof(
  // Few values, so that laps are often equally fast.
  { weight: 3, arbitrary: fc.constantFrom(90, 90.5, 90.000001, 91.123456, 100) },
  { weight: 2, arbitrary: fc.constantFrom(null, 0, -1, 86_400, 86_401) },
  { weight: 1, arbitrary: fc.double({ min: 20, max: 130, noNaN: true }) }
)

const lap = fc.record({
  start: fc.nat(9),
  valid: fc.boolean(),
  lapTime: time,
  sector1Time: time,
  sector2Time: time,
  sector3Time: time,
  sectorSource: fc.constantFrom("simulator" as const, "simulator" as const, "derived" as const, null),
  driver: fc.constantFrom(undefined, undefined, "Ben", "Cleo", "CLEO")
})

const which = fc.nat(20)

const names = {
  circuit: fc.constantFrom("Spa", "SPA", "Monza"),
  vehicle: fc.constantFrom("GT3", "LMP2"),
  driver: fc.constantFrom("Åsa", "ÅSA", "Ben")
}

const createEvent = fc.record({
  does: fc.constant("create" as const),
  ...names,
  at: fc.nat(3)
})

const driveEvent = fc.record({
  does: fc.constant("drive" as const),
  which,
  laps: fc.array(lap, { minLength: 1, maxLength: 6 })
})

const markSessionEvent = fc.record({
  does: fc.constant("markSession" as const),
  which,
  names: fc.record(names, { requiredKeys: [] })
})

const markLapEvent = fc.record({
  does: fc.constant("markLap" as const),
  which,
  lap: fc.nat(5),
  excluded: fc.boolean(),
  valid: fc.constantFrom(null, null, true, false)
})

/** Events that fill a catalog, and those of users. */
const filling = fc.oneof(createEvent, driveEvent)
const marking = fc.oneof(markSessionEvent, markLapEvent)

const event = fc.oneof(
  {
    weight: 3,
    arbitrary: createEvent
  },
  {
    weight: 5,
    arbitrary: driveEvent
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("change" as const),
      which,
      lap: fc.nat(5),
      change: fc.record(
        {
          lapTime: time,
          sectors: fc.tuple(time, time, time),
          valid: fc.boolean(),
          driver: fc.constantFrom("Åsa", "Ben", "Cleo"),
          withdrawn: fc.constant(true as const)
        },
        { requiredKeys: [] }
      )
    })
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("rename" as const), which, ...names }) },
  {
    weight: 3,
    arbitrary: markSessionEvent
  },
  {
    weight: 4,
    arbitrary: markLapEvent
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delete" as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("removeLap" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("measure" as const),
      which,
      metres: fc.double({ min: 0, max: 200_000, noNaN: true })
    })
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("claim" as const), which }) }
)

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

export const catalogStatistics = <E>(
  name: string,
  open: Effect.Effect<NodesOpening<E>, never, Scope.Scope>,
  runs: number
) => {
  /** A catalog, and a function that removes a lap from it, as a resumed transfer does. */
  const opened = Effect.gen(function* () {
    const { catalog, sql } = yield* open
    const own = yield* Layer.build(catalog)
    const client = Context.get(yield* Layer.build(sql), SqlClient.SqlClient)
    return { catalog: catalogIn(own), client }
  })

  const happen = Effect.fn(function* (
    { catalog, client }: { readonly catalog: CatalogService; readonly client: SqlClient.SqlClient },
    all: Array<Kept>,
    one: Event
  ) {
    if (one.does === "create") {
      const { at, circuit, driver, vehicle } = one
      const names = { circuit, vehicle, driver, datetime: EPOCH + at }
      const { id } = yield* catalog.createSession(names, { recording: false })
      yield* catalog.extendSessions(new Map([[id, { first: EPOCH, last: EPOCH + 1 }]]))
      const reported = { circuit, vehicle, driver }
      all.push({ id, ...names, laps: [], distance: null, reported, given: {}, validity: new Map() })
      return
    }
    if (all.length === 0) return
    const place = one.which % all.length
    const kept = all[place]!
    switch (one.does) {
      case "drive": {
        const laps = one.laps.map(({ driver, start, ...more }): NewLap => ({
          ...more,
          ...(driver && { driver }),
          sessionId: kept.id,
          lapNumber: start,
          startTime: EPOCH + start,
          endTime: EPOCH + start + 1
        }))
        const added = yield* catalog.addLaps(laps)
        kept.laps = [...new Map([...kept.laps, ...added].map((of) => [of.id, of])).values()]
        return
      }
      case "change": {
        const before = kept.laps[one.lap % Math.max(1, kept.laps.length)]
        const start = before?.startTime ?? EPOCH
        const changed = yield* catalog.changeLap(kept.id, start, one.change)
        const { sectors, withdrawn, ...plain } = one.change
        const [sector1Time, sector2Time, sector3Time] = sectors ?? []
        const reported = plain.valid ?? before?.validReported ?? before?.valid
        const given = before && kept.validity.get(before.id)
        const expected = before && {
          ...before,
          ...plain,
          ...(sectors && { sector1Time, sector2Time, sector3Time, sectorSource: "simulator" }),
          ...(before.validReported === undefined ? {} : { validReported: reported }),
          valid: before.excluded !== true && (given ?? reported),
          // A withdrawn lap stays invalid, whatever changes later.
          ...((withdrawn ?? before.withdrawn) && { withdrawn: true, valid: false })
        }
        expect(changed).toEqual(expected)
        if (changed === undefined) return
        kept.laps = kept.laps.map((lap) => (lap.id === changed.id ? changed : lap))
        return
      }
      case "rename": {
        const { circuit, driver, vehicle } = one
        const renamed = yield* catalog.renameSession(kept.id, { circuit, driver, vehicle })
        kept.reported = { circuit, driver, vehicle }
        nameAgain(kept)
        expect(renamed).toMatchObject({ id: kept.id, ...kept.reported, ...kept.given })
        return
      }
      case "markLap": {
        const before = kept.laps[one.lap % Math.max(1, kept.laps.length)]
        if (before === undefined) return
        const { excluded, valid } = one
        const { corrected: _corrected, excluded: _excluded, validReported = before.valid, ...plain } = before
        const marked = yield* catalog.markLap(before.id, { ...noLapMark, excluded, valid })
        const counts = before.withdrawn !== true && !excluded && (valid ?? validReported)
        expect(marked).toEqual({
          ...plain,
          valid: counts,
          ...(excluded && { excluded }),
          ...(valid !== null && { corrected: true }),
          ...((excluded || valid !== null) && { validReported })
        })
        kept.validity.set(before.id, valid)
        kept.laps = kept.laps.map((lap) => (lap.id === marked.id ? marked : lap))
        return
      }
      case "markSession": {
        kept.given = one.names
        nameAgain(kept)
        const marked = yield* catalog.markSession(kept.id, { ...noSessionMark, ...one.names })
        expect(marked).toMatchObject({ id: kept.id, ...kept.reported, ...kept.given })
        return
      }
      case "delete": {
        yield* catalog.deleteSession(kept.id)
        all.splice(place, 1)
        return
      }
      case "removeLap": {
        const [gone, ...left] = kept.laps.toSorted((a, b) => a.startTime - b.startTime)
        if (gone !== undefined) yield* client`DELETE FROM laps WHERE id = ${gone.id}`
        kept.laps = left
        return
      }
      case "measure": {
        yield* catalog.keepDistance(kept.id, { metres: one.metres, until: EPOCH + 1 })
        kept.distance = one.metres
        return
      }
      case "claim": {
        yield* catalog.claimSession(kept.id)
        yield* catalog.endSession(kept.id)
        kept.distance = null
      }
    }
  })

  describe(`statistics: ${name}`, () => {
    it.scopedLive("are those of the stored sessions and laps, after any changes", () =>
      Effect.gen(function* () {
        const stores = yield* opened
        const emptied = Effect.flatMap(stores.catalog.sessionIds, (ids) =>
          Effect.forEach(ids, stores.catalog.deleteSession, { discard: true })
        )
        const property = fc.asyncProperty(
          fc.array(event, { minLength: 20, maxLength: 60, size: "max" }),
          (events) =>
            Effect.runPromise(
              Effect.gen(function* () {
                // A failed run leaves sessions behind, which would make the next runs fail.
                yield* emptied
                const all: Array<Kept> = []
                for (const one of events) yield* happen(stores, all, one)
                yield* expectSame(stores.catalog, all)
              })
            )
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: runs }))
        yield* emptied
        const events = fc.sample(fc.array(marking, { minLength: 100 * runs, maxLength: 100 * runs }), 1)[0]!
        const all: Array<Kept> = []
        for (const one of [...fc.sample(filling, 30), ...events]) yield* happen(stores, all, one)
        yield* expectSame(stores.catalog, all)
        yield* emptied
        expect(yield* stores.client`SELECT circuit FROM totals`).toEqual([])
        expect(yield* stores.catalog.counts).toEqual({ sessions: 0, laps: 0 })
      })
    )
  })
}
