import { Context, type Effect } from "effect"
import type {
  LapNotFound,
  MarkChanged,
  SessionNotFound,
  StoreUnavailable,
  TooManyMarks
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type {
  AnomalyMark,
  LapMark,
  Mark,
  MarkKind,
  NameMark,
  Reference,
  ReferenceKey,
  ReferenceMark,
  Revised,
  SessionMark
} from "../domain/Mark.ts"
import type { Session, SessionNamesWanted } from "../domain/Session.ts"

/** Why a change of a mark is refused. */
type Refused = MarkChanged | TooManyMarks | StoreUnavailable

/** The circuit is null if it is that of the lap's session. */
export type GivenReference = Omit<ReferenceMark, "circuit"> & { readonly circuit: string | null }

/** The marks to list: with ids above `after`, at most `limit`. */
export interface MarksWanted {
  readonly kind?: MarkKind | undefined
  readonly sessionId?: number | undefined
  /** Ignoring case. */
  readonly tag?: string | undefined
  readonly after: number
  readonly limit: number
}

/**
 * What users say about recorded things. To put a mark that says nothing is to delete it: what was reported counts again. A
 * change with `expected` is refused unless the mark has that revision.
 */
export class Marks extends Context.Tag("store/Marks")<
  Marks,
  {
    readonly sessionMark: (
      sessionId: number
    ) => Effect.Effect<Revised<SessionMark>, SessionNotFound | StoreUnavailable>
    /** What the mark was before, the newest first: at most KEPT_REVISIONS. */
    readonly sessionMarkRevisions: (
      sessionId: number
    ) => Effect.Effect<ReadonlyArray<Revised<SessionMark>>, SessionNotFound | StoreUnavailable>
    /** Its names are those of the session from then on, in lists and statistics. Returns the session as it is now. */
    readonly markSession: (
      sessionId: number,
      mark: SessionMark,
      expected?: number
    ) => Effect.Effect<Session, SessionNotFound | Refused>
    readonly lapMark: (lapId: number) => Effect.Effect<Revised<LapMark>, LapNotFound | StoreUnavailable>
    readonly lapMarkRevisions: (
      lapId: number
    ) => Effect.Effect<ReadonlyArray<Revised<LapMark>>, LapNotFound | StoreUnavailable>
    /** Decides whether the lap counts, in bests and statistics too. Returns the lap as it is now. */
    readonly markLap: (
      lapId: number,
      mark: LapMark,
      expected?: number
    ) => Effect.Effect<RecordedLap, LapNotFound | Refused>
    /** A mark of an anomaly that was found some metres away before is the same mark. */
    readonly markAnomaly: (
      sessionId: number,
      mark: AnomalyMark,
      expected?: number
    ) => Effect.Effect<Revised<AnomalyMark>, SessionNotFound | Refused>
    /** Those that dismiss an anomaly of the session, the oldest first. */
    readonly anomalyMarks: (sessionId: number) => Effect.Effect<ReadonlyArray<AnomalyMark>, StoreUnavailable>
    /** Makes a lap the reference for these names, and keeps its session from being removed to make room. */
    readonly putReference: (
      lapId: number,
      reference: GivenReference,
      expected?: number
    ) => Effect.Effect<Reference, LapNotFound | SessionNotFound | Refused>
    readonly deleteReference: (key: ReferenceKey, expected?: number) => Effect.Effect<void, Refused>
    /** The references that are for these names, or all of them, the most special first. */
    readonly references: (
      names: SessionNamesWanted
    ) => Effect.Effect<ReadonlyArray<Reference>, StoreUnavailable>
    /** The readable names that users gave. Case does not matter in raw names. */
    readonly names: Effect.Effect<ReadonlyArray<Revised<NameMark>>, StoreUnavailable>
    readonly putName: (mark: NameMark, expected?: number) => Effect.Effect<Revised<NameMark>, Refused>
    readonly deleteName: (raw: string, expected?: number) => Effect.Effect<void, Refused>
    /** Marks of all kinds, by increasing id. */
    readonly marks: (wanted: MarksWanted) => Effect.Effect<ReadonlyArray<Mark>, StoreUnavailable>
  }
>() {}
