/**
 * Moves sessions with their laps, points, channels and samples, and the configuration, from one place to another.
 *
 * It goes session by session. The session's row is created in the target's catalog, with its channels. Its points, and
 * each group's samples, are copied after those that the target already has. Both sides are read and compared bit by
 * bit. Only then does the session get its laps and become complete. If a run is interrupted, the next one goes on from
 * there: it compares complete sessions again, and copies rows that were recorded since. Nothing is removed on either
 * side, and a configuration of the target stays; but interrupted deletions are finished.
 *
 * Ownership of the points: the target's points are claimed for its catalog before anything is written. If only the
 * catalog moves, the points belong to the source until everything is in the target, and are handed over then.
 */
import { Chunk, Context, Data, Effect, Option, Stream } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { PointsOfAnother } from "../../domain/errors.ts"
import { justAfter } from "../../domain/Time.ts"
import { Sessions } from "../../store/Sessions.ts"
import { CatalogTransfer, type SessionRecord } from "../../store/CatalogTransfer.ts"
import { owner } from "../../store/ownership.ts"
import { RowStore } from "../../store/RowStore.ts"
import { finishRemovals } from "../../store/removals.ts"
import {
  type ConfigurationOutcome,
  moveCircuits,
  moveConfiguration,
  moveDictionary,
  moveNames
} from "./catalogMoves.ts"
import { Checksum, type RowsSum } from "./Checksum.ts"
import { type Part, partsOf } from "./Part.ts"
import type { Progress } from "./progress.ts"
import type { Stores } from "./Stores.ts"

/** The number of batches in one write: some ten thousand points, which is one commit or a few requests. */
const BATCHES_PER_WRITE = 8

/** The two catalogs differ, but one was made from a copy of the other's file. */
export class CopiedCatalog extends Data.TaggedError("CopiedCatalog") {}

/** The points are not to be moved, but the target's catalog has given their session ids to sessions of its own. */
export class IdsTaken extends Data.TaggedError("IdsTaken")<{ readonly sessionIds: ReadonlyArray<number> }> {}

/** After copying, a session's points, or its samples of a group, differ between the two sides. */
export interface Mismatch {
  readonly sessionId: number
  readonly targetId: number
  readonly group: string
  readonly source: RowsSum
  readonly target: RowsSum
}

/** The number of rows in the source, and of those written by this run. */
export interface Moved {
  readonly all: number
  readonly copied: number
}

export interface Outcome {
  readonly sessions: number
  readonly points: Moved
  readonly samples: Moved
  readonly configuration: ConfigurationOutcome
  /** For each session with another id in the target: the target's id, by the source's. */
  readonly renumbered: ReadonlyMap<number, number>
  readonly mismatches: ReadonlyArray<Mismatch>
  /** The points stayed where they are, and now belong to the target's catalog. */
  readonly ownerChanged: boolean
  /** Sessions that are being recorded on one of the sides, or that never ended after a crash. */
  readonly leftOut: ReadonlyArray<number>
}

export interface MigrateOptions {
  readonly from: Stores
  readonly to: Stores
  /** Only the points move: the two places have the same catalog. */
  readonly oneCatalog: boolean
  /** Only the catalog moves. */
  readonly onePoints: boolean
  readonly report: (progress: Progress) => void
  /** To be run when a session is complete, with its id in the target. */
  readonly completed?: (sessionId: number) => Effect.Effect<void>
}

const sumOf = Effect.fn("migrate.sumOf")(function* (
  store: RowStore["Type"],
  sessionId: number,
  part: Part,
  until: number,
  seen: (rows: number) => void
) {
  const checksum = new Checksum(part.columns)
  const range = { sessionId, group: part.group, from: -Infinity, until }
  yield* Stream.runForEach(store.read(range, part.columns), (batch) =>
    Effect.sync(() => {
      checksum.add(batch)
      seen(batch.length)
    })
  )
  return checksum.sum()
})

/** Makes sure that nothing is read from, or written to, points that belong to another catalog. */
const settleOwners = Effect.fn("migrate.settleOwners")(function* ({ from, onePoints, to }: MigrateOptions) {
  const source = Context.get(from, RowStore)
  const [ofSource, ofTarget] = [yield* Effect.provide(owner, from), yield* Effect.provide(owner, to)]
  const current = Option.getOrUndefined(yield* source.ownedBy)
  const mayRead = [undefined, ofSource.catalog, ...(onePoints ? [ofTarget.catalog] : [])]
  if (!mayRead.includes(current)) return yield* new PointsOfAnother({ store: "source", unknown: [] })
  if (onePoints) {
    // The points stay, and the target would not know which of them must still be removed.
    yield* Effect.provide(finishRemovals, from)
    return
  }
  const target = Context.get(to, RowStore)
  yield* target.claim(ofTarget)
  // Removes rows that were copied from a session before it was deleted.
  for (const id of yield* ofTarget.deleted(yield* target.sessionIds)) yield* target.remove(id)
})

const kindOf = ({ group }: Part) => (group === POINTS ? "points" : "samples")

export const migrate = Effect.fn("migrate")(function* (options: MigrateOptions) {
  const { completed = () => Effect.void, from, oneCatalog, onePoints, report, to } = options
  const source = { ...Context.get(from, Sessions), points: Context.get(from, RowStore) }
  const target = { points: Context.get(to, RowStore) }
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
  if (!oneCatalog) yield* moveCircuits(from, to)
  if (!oneCatalog) yield* moveNames(from, to)
  const total = { points: 0, samples: 0 }
  for (const sessionId of ids) {
    for (const part of yield* partsOf(source.points, sessionId)) {
      const all = { sessionId, group: part.group, from: -Infinity, until: Infinity }
      total[kindOf(part)] += yield* source.points.count(all)
    }
  }
  const renumbered = new Map<number, number>()
  const mismatches: Array<Mismatch> = []
  const done = { sessions: 0, copied: 0, verified: 0 }
  const written = { points: 0, samples: 0 }
  const tell = () =>
    report({
      sessions: ids.length,
      sessionsDone: done.sessions,
      rows: total.points + total.samples,
      copied: done.copied,
      verified: done.verified
    })

  const copy = Effect.fn("migrate.copy")(function* (
    part: Part,
    sessionId: number,
    targetId: number,
    until: number
  ) {
    const { columns, group } = part
    const there = yield* target.points.bounds({ sessionId: targetId, group })
    const from = Option.match(there, { onNone: () => -Infinity, onSome: ({ last }) => justAfter(last) })
    done.copied += yield* target.points.count({ sessionId: targetId, group, from: -Infinity, until })
    tell()
    yield* source.points.read({ sessionId, group, from, until }, columns).pipe(
      Stream.rechunk(BATCHES_PER_WRITE),
      Stream.chunks,
      Stream.runForEach((batches) => {
        const length = Chunk.reduce(batches, 0, (sum, batch) => sum + batch.length)
        return target.points
          .write(Chunk.toReadonlyArray(batches).map((batch) => ({ sessionId: targetId, group, batch })))
          .pipe(
            Effect.andThen(() => {
              done.copied += length
              written[kindOf(part)] += length
              tell()
            })
          )
      })
    )
  })

  const compare = Effect.fn("migrate.compare")(function* (
    part: Part,
    sessionId: number,
    targetId: number,
    until: number
  ) {
    const ofSource = yield* sumOf(source.points, sessionId, part, until, (length) => {
      done.verified += length
      tell()
    })
    const ofTarget = yield* sumOf(target.points, targetId, part, until, () => undefined)
    if (ofSource.rows === ofTarget.rows && ofSource.digest === ofTarget.digest) return
    mismatches.push({ sessionId, targetId, group: part.group, source: ofSource, target: ofTarget })
  })

  const one = Effect.fn("migrate.session")(function* (record: SessionRecord) {
    const sessionId = record.id
    const targetId = oneCatalog ? sessionId : yield* into.place(identity.origin, record)
    if (targetId !== sessionId) renumbered.set(sessionId, targetId)
    if (!oneCatalog) yield* moveDictionary(from, to, { sessionId, targetId })
    const parts = yield* Effect.forEach(yield* partsOf(source.points, sessionId), (part) =>
      Effect.map(source.points.bounds({ sessionId, group: part.group }), (bounds) => {
        // If the target has continued the recording, its own rows after those of the source are not compared.
        const until = Option.match(bounds, { onNone: () => -Infinity, onSome: ({ last }) => justAfter(last) })
        return { part, until }
      })
    )
    for (const { part, until } of parts) yield* copy(part, sessionId, targetId, until)
    yield* target.points.seal(targetId)
    const before = mismatches.length
    for (const { part, until } of parts) yield* compare(part, sessionId, targetId, until)
    if (mismatches.length > before) return
    if (!oneCatalog) yield* into.complete(identity.origin, record)
    yield* completed(targetId)
  })

  for (const id of ids) {
    yield* out.record(id).pipe(
      Effect.flatMap(one),
      // The session was deleted since the run began, on either side.
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
    points: { all: total.points, copied: written.points },
    samples: { all: total.samples, copied: written.samples },
    configuration,
    renumbered,
    mismatches,
    ownerChanged,
    leftOut
  }
  return outcome
})
