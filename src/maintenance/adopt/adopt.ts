/**
 * Rebuilds the sessions of a store of points and samples in a catalog that does not know them, because their own
 * catalog is lost.
 *
 * The catalog takes in all of the sessions or none, and only then owns the points. If the command is interrupted
 * before, it can be repeated. A service never writes into points that its catalog does not know completely.
 */
import { Effect, Option } from "effect"
import invariant from "tiny-invariant"
import { POINTS } from "../../domain/Dictionary.ts"
import { namesOf } from "../../recording/feed/sessionNames.ts"
import { Deletions } from "../../store/Deletions.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { CatalogTransfer, type SessionRecord } from "../../store/CatalogTransfer.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Tabulated } from "../../store/questdb/tabulated.ts"
import { rebuiltDictionary } from "./dictionary.ts"

/** The origin of points that no catalog has claimed, in place of a catalog's identity. */
const NOBODY = "unclaimed"

export interface Adopted {
  readonly record: SessionRecord
  readonly points: number
  /** The number of samples in all groups. */
  readonly samples: number
  /** Whether the analysts' tables had the session, so that more than its points was available for rebuilding. */
  readonly isTabulated: boolean
}

export interface AdoptOutcome {
  readonly adopted: ReadonlyArray<Adopted>
  /**
   * Sessions with points whose ids this catalog has given but no longer has. They are left alone: their origin is
   * unknown.
   */
  readonly leftAlone: ReadonlyArray<number>
  /** The points already belonged to this catalog. */
  readonly wasOwner: boolean
}

/**
 * Rebuilds channels from samples, for the sessions that the catalog has without channels. This includes sessions of an
 * earlier run that was interrupted here.
 */
const rebuildDictionaries = Effect.fn("adopt.dictionaries")(function* (sessionIds: ReadonlyArray<number>) {
  const dictionaries = yield* Dictionaries
  for (const id of sessionIds) {
    yield* dictionaries.dictionary(id).pipe(
      Effect.flatMap((known) => (known === undefined ? rebuiltDictionary(id) : Effect.succeed(undefined))),
      Effect.flatMap((rebuilt) =>
        rebuilt === undefined ? Effect.void : dictionaries.putDictionary(id, rebuilt)
      ),
      Effect.catchTag("SessionNotFound", () => Effect.void)
    )
  }
})

const rebuild = Effect.fn("adopt.rebuild")(function* (sessionId: number) {
  const points = yield* RowStore
  const extents = yield* Effect.forEach(yield* points.groups(sessionId), (group) =>
    Effect.all({
      group: Effect.succeed(group),
      bounds: Effect.map(points.bounds({ sessionId, group }), Option.getOrUndefined),
      rows: points.count({ sessionId, group, from: -Infinity, until: Infinity })
    })
  )
  invariant(extents.length > 0, "a session of the store has rows")
  const [[ofPoints], others] = [
    extents.filter(({ group }) => group === POINTS),
    extents.filter(({ group }) => group !== POINTS)
  ]
  const bounds = ofPoints?.bounds
  const first = bounds?.first ?? Math.min(...others.map((of) => of.bounds?.first ?? Infinity))
  const known = Option.getOrUndefined(yield* (yield* Tabulated).session(sessionId))
  const session = known?.session ?? {
    ...namesOf({ circuit: "", vehicle: "", driver: "" }, {}),
    datetime: first
  }
  return {
    record: {
      id: sessionId,
      ...session,
      firstPoint: bounds?.first ?? null,
      lastPoint: bounds?.last ?? null,
      distance: null,
      // Only the lost catalog knew whether the session was pinned.
      pinned: false,
      laps: known?.laps ?? [],
      // Only the lost catalog had them.
      marks: []
    },
    points: ofPoints?.rows ?? 0,
    samples: others.reduce((sum, { rows }) => sum + rows, 0),
    isTabulated: known !== undefined
  } satisfies Adopted
})

/** Adopts the sessions. `said` is called for each session that was found. */
export const adopt = Effect.fn("adopt")(function* (said: (adopted: Adopted) => Effect.Effect<void>) {
  const deletions = yield* Deletions
  const points = yield* RowStore
  const transfer = yield* CatalogTransfer
  const { origin, sessions: given } = yield* transfer.identity
  const before = Option.getOrUndefined(yield* points.ownedBy)
  const isAnother = before !== undefined && before !== origin

  const sessionIds = yield* points.sessionIds
  const missing = yield* deletions.missing(sessionIds)
  const deleted = new Set(yield* deletions.deleted(missing))
  const unknown = missing.filter((id) => !deleted.has(id))
  // If the points belong to another catalog, their ids are that catalog's, even if this catalog has the same ids.
  const wanted = isAnother ? sessionIds : unknown.filter((id) => id > given)
  const adopted: Array<Adopted> = []
  for (const sessionId of wanted) {
    const one = yield* rebuild(sessionId)
    adopted.push(one)
    yield* said(one)
  }
  yield* transfer.adopt(
    before ?? NOBODY,
    adopted.map(({ record }) => record)
  )
  yield* rebuildDictionaries(sessionIds)
  yield* points.changeOwner(origin)
  return {
    adopted,
    leftAlone: isAnother ? [] : unknown.filter((id) => id <= given),
    wasOwner: before === origin
  } satisfies AdoptOutcome
})
