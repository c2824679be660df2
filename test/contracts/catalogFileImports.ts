/** How every catalog keeps the imports of files, and the sessions made of them; a part of catalogContract.ts. */
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ImportNotFound } from "../../src/domain/errors.ts"
import { noReport, type NewFileImport } from "../../src/domain/FileImport.ts"
import type { CatalogService } from "./catalogService.ts"

const file = (name: string, more: Partial<NewFileImport> = {}): NewFileImport => ({
  name,
  sha256: "00",
  size: 100,
  state: "queued",
  options: {},
  ...more
})
const session = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1_770_000_000 }
const page = { limit: 10, offset: 0 }

type Test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) => void

export const catalogFileImports = (test: Test) => {
  test("keeps an import with its options and its report, and lists the newest first", (catalog) =>
    Effect.gen(function* () {
      const options = { circuit: "Spa", timeZone: "Europe/Berlin" }
      const one = yield* catalog.addImport(file("a.ibt", { options, size: 5_000_000_000 }))
      const other = yield* catalog.addImport(file("b.ld", { sha256: "ab", state: "queued" }))
      expect(one).toMatchObject({
        name: "a.ibt",
        size: 5_000_000_000,
        sessions: [],
        progress: 0,
        detail: null
      })
      const report = { ...noReport, format: "iracing-ibt", read: 2_500_000_000, refused: { late: 2 } }
      const changed = yield* catalog.changeImport(one.id, { state: "reading", started: 1.25, report })
      expect(changed).toEqual({ ...one, ...report, state: "reading", started: 1.25, progress: 0.5 })
      expect(yield* catalog.fileImport(one.id)).toEqual(changed)
      expect(yield* catalog.fileImports(page)).toEqual({ total: 2, items: [other, changed] })
      expect(yield* catalog.fileImports({ ...page, sha256: "ab" })).toEqual({ total: 1, items: [other] })
      expect((yield* catalog.unfinishedImports).map(({ id }) => id)).toEqual([one.id, other.id])
      yield* catalog.changeImport(one.id, { state: "failed", finished: 9 })
      expect((yield* catalog.unfinishedImports).map(({ id }) => id)).toEqual([other.id])
      expect(yield* Effect.flip(catalog.fileImport(77))).toEqual(new ImportNotFound({ importId: 77 }))
    }))

  test("knows the sessions of an import, and an import by its bytes as long as one of them exists", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.addImport(file("a.ibt", { sha256: "ab" }))
      const made = yield* catalog.createSession({ ...session, importId: id }, { recording: true })
      expect(made.source).toBe("import")
      expect((yield* catalog.session(made.id)).source).toBe("import")
      expect((yield* catalog.createSession(session, { recording: true })).source).toBe("live")
      yield* catalog.endSession(made.id)
      // Clients that follow what is recorded get nothing of it.
      const followed = (yield* catalog.sessionsAfter(0, 10)).map((changed) => changed.session.source)
      expect(followed).toEqual(["live"])
      const lap = { sessionId: made.id, lapNumber: 1, lapTime: null, valid: false, startTime: 1, endTime: 2 }
      const sectors = { sector1Time: null, sector2Time: null, sector3Time: null }
      yield* catalog.addLaps([{ ...lap, ...sectors }])
      expect(yield* catalog.laps(made.id)).toHaveLength(1)
      expect(yield* catalog.lapsAfter(0, { sessionId: undefined, most: 10 })).toEqual([])
      yield* catalog.keepFacts(made.id, { gears: 5, laps: "its own" })
      yield* catalog.keepFacts(made.id, { gears: 6 })
      expect(yield* catalog.factsNamed("laps")).toEqual(["its own"])
      const second = yield* catalog.createSession({ ...session, importId: id }, { recording: true })
      yield* catalog.endSession(second.id)
      yield* catalog.keepFacts(second.id, { gears: [7], other: { gears: 8 } })
      expect(yield* catalog.factsNamed("gears")).toEqual([[7], 6])
      expect(yield* catalog.factsNamed("car_s")).toEqual([])
      yield* catalog.deleteSession(second.id)
      expect(yield* catalog.factsNamed("gears")).toEqual([6])
      expect(yield* catalog.importOf("ab")).toEqual(Option.none())
      const done = yield* catalog.changeImport(id, { state: "done", finished: 2 })
      expect(done).toMatchObject({ sessions: [made.id], progress: 1 })
      expect(yield* catalog.importOf("ab")).toEqual(Option.some(done))
      // Not to make room, a week long, though its driving was years ago; but if a user asks for it.
      expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.none())
      yield* catalog.deleteSession(made.id)
      expect(yield* catalog.importOf("ab")).toEqual(Option.none())
      expect((yield* catalog.fileImport(id)).sessions).toEqual([])
    }))
}
