/** Stores and announces the laps of a session, later changes of these laps, and the session's names. */
import { Array, Effect } from "effect"
import type { SessionNotFound } from "../../domain/errors.ts"
import type { LapChange, NewLap } from "../../domain/Lap.ts"
import type { SessionNames } from "../../domain/Session.ts"
import { LivePublisher } from "../../live/hub/LivePublisher.ts"
import { Laps } from "../../store/Laps.ts"
import { Sessions } from "../../store/Sessions.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import type { IntakeEntry } from "./Intake.ts"
import { lapsRecorded } from "../metrics.ts"
import { logRefusal, orWithout, untilStored } from "./untilStored.ts"

/** This many laps are inserted together; then the event loop has a turn. */
const LAPS_AT_ONCE = 256

type LiveEvent = Parameters<(typeof LivePublisher.Service)["announce"]>[0]

type LapChangeEntry = Extract<IntakeEntry, { readonly _tag: "LapChange" }>

/** The fields of a lap that a change affects, by their names in the interface. */
const changedIn = (change: LapChange): ReadonlyArray<string> => [
  ...(change.lapTime === undefined ? [] : ["lap_time"]),
  ...(change.sectors === undefined ? [] : ["sector1_time", "sector2_time", "sector3_time"]),
  ...(change.valid === undefined && change.withdrawn === undefined ? [] : ["valid"]),
  ...(change.driver === undefined ? [] : ["driver"]),
  ...(change.withdrawn === undefined ? [] : ["withdrawn"])
]

export const make = Effect.gen(function* () {
  const { addLaps, changeLap } = yield* Laps
  const { renameSession } = yield* Sessions
  const live = yield* LivePublisher

  /** Announces an event. A bug on the live side must not end the writing. */
  const announce = (event: LiveEvent) =>
    Effect.sync(() => live.announce(event)).pipe(
      Effect.catchAllDefect((defect) => Effect.logError("Could not announce what was stored", defect))
    )

  const storeLaps = (sessionId: number, laps: ReadonlyArray<NewLap>): Effect.Effect<void, SessionNotFound> =>
    untilStored("write laps", addLaps(laps)).pipe(
      Effect.flatMap((stored) => {
        lapsRecorded.unsafeUpdate(stored.length, [])
        return Effect.forEach(stored, (lap) => announce({ type: "lap", sessionId, data: lap }), {
          discard: true
        })
      }),
      Effect.catchTag("Refused", (refused) =>
        laps.length > 1
          ? Effect.forEach(laps, (lap) => storeLaps(sessionId, [lap]), { discard: true })
          : logRefusal(sessionId, `lap ${laps[0]?.lapNumber} is lost`, refused)
      )
    )

  const storeChange = Effect.fn("StoreWriter.changeLap")(function* ({
    change,
    sessionId,
    startTime
  }: LapChangeEntry) {
    const lap = yield* untilStored("change a lap", changeLap(sessionId, startTime, change)).pipe(
      orWithout(sessionId, "it stays as it was")
    )
    if (lap !== undefined) yield* announce({ type: "lap", sessionId, data: lap, changed: changedIn(change) })
  })

  const storeNames = Effect.fn("StoreWriter.renameSession")(function* (
    sessionId: number,
    names: SessionNames
  ) {
    const session = yield* untilStored("give names", renameSession(sessionId, names)).pipe(
      orWithout(sessionId, "it keeps those before")
    )
    if (session === undefined) return
    yield* announce({ type: "session", sessionId, data: session, changed: ["circuit", "vehicle", "driver"] })
  })

  /** Stores in this order: new laps, names, and changes of laps, because a change may be of a new lap. */
  const storeLapsOf = Effect.fnUntraced(function* (sessionId: number, entries: ReadonlyArray<IntakeEntry>) {
    const laps = entries.flatMap((entry) => (entry._tag === "Lap" ? [entry.lap] : []))
    for (const some of Array.chunksOf(laps, LAPS_AT_ONCE)) {
      yield* storeLaps(sessionId, some)
      if (some.length === LAPS_AT_ONCE) yield* breathe
    }
    const names = entries.findLast((entry) => entry._tag === "Names")
    if (names !== undefined) yield* storeNames(sessionId, names.names)
    for (const entry of entries) if (entry._tag === "LapChange") yield* storeChange(entry)
  })

  return { announce, storeLapsOf }
})
