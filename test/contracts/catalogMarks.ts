/** What users say about sessions and laps, in every catalog. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { MarkChanged, SessionNotFound } from "../../src/domain/errors.ts"
import { noSessionMark } from "../../src/domain/Mark.ts"
import type { CatalogService } from "./catalogService.ts"

const EPOCH = 1_770_000_000
const page = { limit: 50, offset: 0 }
const idle = { recording: false }
const raw = { circuit: "ks_nordschleife", vehicle: "ks_mazda_mx5_cup", driver: "Player" }

type Test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) => void

export const catalogMarks = (test: Test) => {
  test("a session goes by the names that a user gave, and by the reported ones when they are taken back", (catalog) =>
    Effect.gen(function* () {
      const before = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const found = (filter: object) =>
        Effect.map(catalog.sessions({ ...page, ...filter }), ({ items, total }) => {
          expect(total).toBe(items.length)
          return items.map(({ id }) => id)
        })
      expect(yield* catalog.sessionMark(before.id)).toEqual({
        value: noSessionMark,
        revision: 0,
        changedAt: null
      })
      const mark = {
        ...noSessionMark,
        note: "Rain\nfrom lap 3",
        tags: ["Wet", "League"],
        circuit: "Nu\u0308rburgring",
        circuitLayout: "Nordschleife",
        driver: "Anna"
      }
      const marked = yield* catalog.markSession(before.id, mark)
      expect(marked).toEqual({
        ...before,
        circuit: "N\u00FCrburgring",
        driver: "Anna",
        circuitLayout: "Nordschleife",
        tags: ["Wet", "League"],
        circuitReported: "ks_nordschleife",
        driverReported: "Player"
      })
      expect(yield* catalog.session(before.id)).toEqual(marked)
      expect(yield* catalog.sessionMark(before.id)).toMatchObject({ value: mark, revision: 1 })
      expect(yield* found({ circuit: "NÜRBURGRING", tag: "wet" })).toEqual([before.id])
      expect(yield* found({ circuit: "ks_nordschleife" })).toEqual([])
      expect(yield* found({ search: "anna" })).toEqual([before.id])
      expect(yield* found({ search: "anna", tag: "league" })).toEqual([before.id])
      expect(yield* found({ tag: "dry" })).toEqual([])
      expect(yield* catalog.circuits).toEqual(["Nürburgring"])

      // The simulator's later names are kept beside the user's.
      const renamed = { ...raw, circuit: "ks_spa", vehicle: "ks_audi" }
      expect(yield* catalog.renameSession(before.id, renamed)).toEqual({
        ...marked,
        vehicle: "ks_audi",
        circuitReported: "ks_spa"
      })
      const stale = yield* Effect.flip(catalog.markSession(before.id, noSessionMark, 0))
      expect(stale).toEqual(new MarkChanged({ expected: 0, revision: 1 }))
      expect(yield* catalog.markSession(before.id, noSessionMark, 1)).toEqual({ ...before, ...renamed })
      expect(yield* catalog.sessionMark(before.id)).toMatchObject({ value: noSessionMark, revision: 2 })
      expect(yield* found({ tag: "wet" })).toEqual([])
      expect(yield* catalog.circuits).toEqual(["ks_spa"])
    }))

  test("a mark goes with its session", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      yield* catalog.markSession(id, { ...noSessionMark, tags: ["wet"] })
      yield* catalog.deleteSession(id)
      const missing = new SessionNotFound({ sessionId: id })
      expect(yield* Effect.flip(catalog.sessionMark(id))).toEqual(missing)
      expect(yield* Effect.flip(catalog.markSession(id, noSessionMark))).toEqual(missing)
      expect(yield* catalog.sessions({ ...page, tag: "wet" })).toEqual({ total: 0, items: [] })
    }))
}
