import { Context, type Effect } from "effect"
import type {
  LapNotFound,
  MarkChanged,
  SessionNotFound,
  StoreUnavailable,
  TooManyMarks
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { LapMark, Revised, SessionMark } from "../domain/Mark.ts"
import type { Session } from "../domain/Session.ts"

/** Why a change of a mark is refused. */
type Refused = MarkChanged | TooManyMarks | StoreUnavailable

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
    /** Its names are those of the session from then on, in lists and statistics. Returns the session as it is now. */
    readonly markSession: (
      sessionId: number,
      mark: SessionMark,
      expected?: number
    ) => Effect.Effect<Session, SessionNotFound | Refused>
    readonly lapMark: (lapId: number) => Effect.Effect<Revised<LapMark>, LapNotFound | StoreUnavailable>
    /** Decides whether the lap counts, in bests and statistics too. Returns the lap as it is now. */
    readonly markLap: (
      lapId: number,
      mark: LapMark,
      expected?: number
    ) => Effect.Effect<RecordedLap, LapNotFound | Refused>
  }
>() {}
