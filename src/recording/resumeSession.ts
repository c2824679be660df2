/** Takes over a session that exists, where its last point and lap left off. */
import { Effect, Option } from "effect"
import { dictionaryBeforeGroups, emptyDictionary } from "../domain/Dictionary.ts"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { LapTracker } from "./LapTracker.ts"
import { OpenSession } from "./OpenSession.ts"

const noFacts = { circuitLength: undefined, startLine: undefined }

/** A session that this service has claimed; `now` in epoch seconds. */
export const resumeSession = Effect.fn("recording.resumeSession")(function* (
  session: Effect.Effect.Success<ReturnType<(typeof Catalog.Service)["claimSession"]>>,
  now: number
) {
  const catalog = yield* Catalog
  const points = yield* PointStore
  const { circuit, id } = session
  const [dictionary, groups, bounds, recorded, laps, layouts] = yield* Effect.all([
    catalog.dictionary(id),
    points.sampleGroups(id),
    points.bounds(id),
    // Numbers of points are for live clients: a session whose stored points cannot be counted now goes on without them.
    Effect.orElseSucceed(points.count({ sessionId: id, from: -Infinity, until: Infinity }), () => undefined),
    catalog.laps(id),
    catalog.sectorLines(circuit)
  ])
  const continuation = {
    nextNumber: laps.reduce((most, lap) => Math.max(most, lap.lapNumber), 0) + 1,
    lastLapEnd: laps.reduce((latest, lap) => Math.max(latest, lap.endTime), -Infinity)
  }
  const last = Option.match(bounds, { onNone: () => -Infinity, onSome: (known) => known.last })
  // When they arrived is not stored. A replay's rows arrived later than that, which allows more; none arrives before now.
  const arrivalOf = (time: number) => Math.min(time, now)
  const lastSamples = yield* Effect.forEach(groups, (group) =>
    Effect.map(points.sampleBounds(id, group), (known) => {
      const time = Option.match(known, { onNone: () => -Infinity, onSome: ({ last }) => last })
      return [group, { last: time, lastArrival: arrivalOf(time) }] as const
    })
  )
  const known = dictionary ?? (Option.isSome(bounds) ? dictionaryBeforeGroups : emptyDictionary)
  return new OpenSession({
    id,
    names: session,
    tracker: new LapTracker(noFacts, continuation, layouts),
    zero: undefined,
    last,
    lastArrival: arrivalOf(last),
    awaitsSimulator: true,
    recorded,
    dictionary: known,
    isDictionaryStored: dictionary !== undefined,
    hasOwnLap: false,
    groups: new Map(lastSamples)
  })
})
