/**
 * Sessions with their laps and points, and the configuration, from one place to another.
 *
 * Session by session: its row is made in the target's catalog, its points are copied behind those that are there
 * already, both sides are read and compared bit by bit, and only then does it get its laps and is complete. A run that
 * was broken off anywhere goes on where it was with the next one; what is complete is compared again, and what was
 * recorded since comes behind. Nothing is removed, on either side, nor is a configuration that the target has; but deletions
 * that were cut short are finished.
 *
 * Whose the points are: the target's are claimed for its catalog before anything is written. Where the catalog alone moves
 * the points are the source's until all is in the target, and are handed over then.
 */
import { Chunk, Context, Data, Effect, Option, Schema, Stream } from "effect"
import { Configuration } from "../domain/Configuration.ts"
import { PointsOfAnother } from "../domain/errors.ts"
import { justAfter } from "../domain/Time.ts"
import { Catalog } from "../store/Catalog.ts"
import { CatalogTransfer, type SessionRecord } from "../store/CatalogTransfer.ts"
import { owner } from "../store/ownership.ts"
import { PointStore } from "../store/PointStore.ts"
import { finishRemovals } from "../store/removals.ts"
import { Checksum, type PointsSum } from "./Checksum.ts"
import type { Progress } from "./progress.ts"

/** Batches of one write: some ten thousand points, which is a commit, or a few requests. */
const BATCHES_PER_WRITE = 8

export type Stores = Context.Context<Catalog | CatalogTransfer | PointStore>

/** The two catalogs are not one, but one was made from a copy of the other's file. */
export class CopiedCatalog extends Data.TaggedError("CopiedCatalog") {}

/** The points stay where they are, under ids that the target's catalog has given to sessions of its own. */
export class IdsTaken extends Data.TaggedError("IdsTaken")<{ readonly sessionIds: ReadonlyArray<number> }> {}

/** Nobody had configured the source, or the target is configured as it is, or in another way, which stays. */
export type ConfigurationOutcome = "none" | "same" | "other"

/** After copying, a session's points are not the same on both sides. */
export interface Mismatch {
  readonly sessionId: number
  readonly targetId: number
  readonly source: PointsSum
  readonly target: PointsSum
}

export interface Outcome {
  readonly sessions: number
  readonly points: number
  readonly copied: number
  readonly configuration: ConfigurationOutcome
  /** Ids that are others in the target: there, by here. */
  readonly renumbered: ReadonlyMap<number, number>
  readonly mismatches: ReadonlyArray<Mismatch>
  /** The points stayed where they are, and are the target's catalog's now. */
  readonly ownerChanged: boolean
  /** Being recorded on one of the sides, or never ended after a crash. */
  readonly leftOut: ReadonlyArray<number>
}

export interface Options {
  readonly from: Stores
  readonly to: Stores
  /** Only the points move: the two places have one catalog. */
  readonly oneCatalog: boolean
  /** Only the catalog moves. */
  readonly onePoints: boolean
  readonly report: (progress: Progress) => void
  /** After a session is complete, with its id in the target. */
  readonly completed?: (sessionId: number) => Effect.Effect<void>
}

const sumOf = Effect.fn("migrate.sumOf")(function* (
  store: PointStore["Type"],
  sessionId: number,
  until: number,
  seen: (points: number) => void
) {
  const checksum = new Checksum()
  yield* Stream.runForEach(store.read({ sessionId, from: -Infinity, until }), (batch) =>
    Effect.sync(() => {
      checksum.add(batch)
      seen(batch.length)
    })
  )
  return checksum.sum()
})

const sameConfiguration = Schema.equivalence(Configuration)

/** The target takes the source's where nobody has configured it. */
const moveConfiguration = Effect.fn("migrate.configuration")(function* (from: Stores, to: Stores) {
  const [source, target] = [Context.get(from, Catalog), Context.get(to, Catalog)]
  if (!(yield* Context.get(from, CatalogTransfer).configured)) return "none"
  const wanted = yield* source.configuration
  if (!(yield* Context.get(to, CatalogTransfer).configured)) yield* target.putConfiguration(wanted)
  return sameConfiguration(wanted, yield* target.configuration) ? "same" : "other"
})

/** Nothing is read from points that are another catalog's, nor written to them. */
const settleOwners = Effect.fn("migrate.settleOwners")(function* ({ from, onePoints, to }: Options) {
  const source = Context.get(from, PointStore)
  const [ofSource, ofTarget] = [yield* Effect.provide(owner, from), yield* Effect.provide(owner, to)]
  const current = Option.getOrUndefined(yield* source.ownedBy)
  const mayRead = [undefined, ofSource.catalog, ...(onePoints ? [ofTarget.catalog] : [])]
  if (!mayRead.includes(current)) return yield* new PointsOfAnother({ store: "source", unknown: [] })
  if (onePoints) {
    // They stay, and who removes them would not know them in the target.
    yield* Effect.provide(finishRemovals, from)
    return
  }
  const target = Context.get(to, PointStore)
  yield* target.claim(ofTarget)
  // What came of a session before it was deleted.
  for (const id of yield* ofTarget.deleted(yield* target.sessionIds)) yield* target.remove(id)
})

/** What users say of circuits, where nobody has said anything in the target. */
const moveCircuitDetails = Effect.fn("migrate.circuitDetails")(function* (from: Stores, to: Stores) {
  const target = Context.get(to, Catalog)
  for (const [name, details] of yield* Context.get(from, Catalog).allCircuitDetails) {
    if ((yield* target.circuitDetails(name)) === undefined) yield* target.putCircuitDetails(name, details)
  }
})

export const migrate = Effect.fn("migrate")(function* (options: Options) {
  const { completed = () => Effect.void, from, oneCatalog, onePoints, report, to } = options
  const source = { ...Context.get(from, Catalog), points: Context.get(from, PointStore) }
  const target = { points: Context.get(to, PointStore) }
  const out = Context.get(from, CatalogTransfer)
  const into = Context.get(to, CatalogTransfer)

  const identity = yield* out.identity
  yield* settleOwners(options)
  const leftOut = [...(yield* source.unendedSessions)]
  const ids = (yield* source.sessionIds).filter((id) => !leftOut.includes(id))
  if (!oneCatalog) {
    if ((yield* into.identity).origin === identity.origin) return yield* new CopiedCatalog()
    const kept = yield* into.reserve(identity)
    const taken = ids.filter((id) => id > kept)
    if (onePoints && taken.length > 0) return yield* new IdsTaken({ sessionIds: taken })
  }
  const configuration = oneCatalog ? "none" : yield* moveConfiguration(from, to)
  if (!oneCatalog) yield* moveCircuitDetails(from, to)
  const counts = yield* Effect.forEach(ids, (sessionId) =>
    source.points.count({ sessionId, from: -Infinity, until: Infinity })
  )
  const points = counts.reduce((sum, count) => sum + count, 0)
  const renumbered = new Map<number, number>()
  const mismatches: Array<Mismatch> = []
  const done = { sessions: 0, copied: 0, verified: 0, written: 0 }
  const tell = () =>
    report({
      sessions: ids.length,
      sessionsDone: done.sessions,
      points,
      copied: done.copied,
      verified: done.verified
    })

  const copy = Effect.fn("migrate.copy")(function* (sessionId: number, targetId: number, until: number) {
    const there = yield* target.points.bounds(targetId)
    const begin = Option.match(there, { onNone: () => -Infinity, onSome: ({ last }) => justAfter(last) })
    done.copied += yield* target.points.count({ sessionId: targetId, from: -Infinity, until })
    tell()
    yield* source.points.read({ sessionId, from: begin, until }).pipe(
      Stream.rechunk(BATCHES_PER_WRITE),
      Stream.chunks,
      Stream.runForEach((batches) => {
        const length = Chunk.reduce(batches, 0, (sum, batch) => sum + batch.length)
        return target.points
          .write(Chunk.toReadonlyArray(batches).map((batch) => ({ sessionId: targetId, batch })))
          .pipe(
            Effect.andThen(() => {
              done.copied += length
              done.written += length
              tell()
            })
          )
      })
    )
    yield* target.points.seal(targetId)
  })

  const one = Effect.fn("migrate.session")(function* (record: SessionRecord) {
    const targetId = oneCatalog ? record.id : yield* into.place(identity.origin, record)
    if (targetId !== record.id) renumbered.set(record.id, targetId)
    const last = Option.map(yield* source.points.bounds(record.id), (bounds) => bounds.last)
    // The target's own points after those of the source, if it has recorded on, are not compared.
    const until = Option.match(last, { onNone: () => -Infinity, onSome: justAfter })
    yield* copy(record.id, targetId, until)
    const ofSource = yield* sumOf(source.points, record.id, until, (length) => {
      done.verified += length
      tell()
    })
    const ofTarget = yield* sumOf(target.points, targetId, until, () => undefined)
    if (ofSource.points !== ofTarget.points || ofSource.digest !== ofTarget.digest) {
      mismatches.push({ sessionId: record.id, targetId, source: ofSource, target: ofTarget })
      return
    }
    if (!oneCatalog) yield* into.complete(identity.origin, record)
    yield* completed(targetId)
  })

  for (const id of ids) {
    yield* out.record(id).pipe(
      Effect.flatMap(one),
      // Deleted since the run began, on either side.
      Effect.catchTag("SessionNotFound", () => Effect.void),
      Effect.catchTag("SessionBeingRecorded", () => Effect.sync(() => leftOut.push(id)))
    )
    done.sessions++
    tell()
  }
  const ownerChanged = onePoints && mismatches.length + leftOut.length === 0
  if (ownerChanged) yield* source.points.changeOwner((yield* into.identity).origin)
  const outcome: Outcome = {
    sessions: ids.length,
    points,
    copied: done.written,
    configuration,
    renumbered,
    mismatches,
    ownerChanged,
    leftOut
  }
  return outcome
})
