/** Continues an existing session after its last point and lap. */
import { Effect, Option } from "effect"
import { emptyDictionary, POINTS, undeclaredDictionary } from "../../domain/Dictionary.ts"
import { StoreUnavailable } from "../../domain/errors.ts"
import type { Session } from "../../domain/Session.ts"
import { Circuits } from "../../store/Circuits.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Laps } from "../../store/Laps.ts"
import { RowStore } from "../../store/RowStore.ts"
import { FeedClock } from "./FeedClock.ts"
import { LapTracker } from "../laps/LapTracker.ts"
import { OpenSession } from "./OpenSession.ts"

const noFacts = { circuitLength: undefined, startLine: undefined }

/** Resumes a session that this service has claimed; `now` in epoch seconds. */
export const resumeSession = Effect.fn("recording.resumeSession")(function* (session: Session, now: number) {
  const circuits = yield* Circuits
  const dictionaries = yield* Dictionaries
  const points = yield* RowStore
  const { circuit, id } = session
  const [dictionary, groups, bounds, recorded, laps, layouts] = yield* Effect.all([
    // The answer of the catalog changes only after somebody has repaired it.
    Effect.catchTag(
      dictionaries.dictionary(id),
      "ChannelsDamaged",
      (cause) => new StoreUnavailable({ store: "catalog", cause, reason: "its channels are damaged" })
    ),
    points.groups(id),
    points.bounds({ sessionId: id, group: POINTS }),
    // Live clients use the numbers of points. If the stored points cannot be counted now, the session goes on without
    // numbers.
    Effect.orElseSucceed(
      points.count({ sessionId: id, group: POINTS, from: -Infinity, until: Infinity }),
      () => undefined
    ),
    (yield* Laps).laps(id),
    circuits.sectorLines(circuit)
  ])
  const continuation = {
    nextNumber: laps.reduce((most, lap) => Math.max(most, lap.lapNumber), 0) + 1,
    lastLapEnd: laps.reduce((latest, lap) => Math.max(latest, lap.endTime), -Infinity)
  }
  const { first, last } = Option.getOrElse(bounds, () => ({ first: Infinity, last: -Infinity }))
  // The times of arrival are not stored, so a row's own time is used instead, or now if that is earlier. A replay's
  // rows arrived later than that, so the rows after them may be further ahead.
  const arrivalOf = (time: number) => Math.min(time, now)
  const lastSamples = yield* Effect.forEach(
    groups.filter((group) => group !== POINTS),
    (group) =>
      Effect.map(points.bounds({ sessionId: id, group }), (known) => {
        const time = Option.match(known, { onNone: () => -Infinity, onSome: ({ last }) => last })
        return [group, { last: time, lastArrival: arrivalOf(time) }] as const
      })
  )
  const known = dictionary ?? (Option.isSome(bounds) ? undeclaredDictionary : emptyDictionary)
  return new OpenSession({
    id,
    names: session,
    tracker: new LapTracker(noFacts, continuation, layouts),
    clock: new FeedClock(undefined, arrivalOf(last), { first, last }),
    awaitsSimulator: true,
    recorded,
    dictionary: known,
    isDictionaryStored: dictionary !== undefined,
    groups: new Map(lastSamples)
  })
})
